"""Records what CPython 3.11 gives for exp, erf, erfc, gamma, lgamma, asin and acos: python3.11 scripts/special-cases.py, seed 7.

Writes test/testdata/special-functions.json: by function, pairs of argument and result in hexadecimal, or the error.
exp below -512 is among them for itself: there the C library takes another way.
"""
import json, math, random

random.seed(7)


def of(f, x):
    try:
        return f(x).hex()
    except (ValueError, OverflowError) as e:
        return f"{type(e).__name__}: {e}"


def spread(low, high, count):
    return [random.uniform(low, high) for _ in range(count)]


def scales(low, high, count):
    return [random.choice([-1, 1]) * 10 ** random.uniform(low, high) for _ in range(count)]


SPECIAL = [0.0, -0.0, float("inf"), float("-inf"), 1.0, 2.0, -1.0, -2.0, 0.5, -0.5, 23.0, 24.0, 171.6, 171.7, -170.5, 1e300, 1e-310]
ARGUMENTS = {
    "exp": spread(-745, -512, 1500) + spread(-512, 710, 500),
    "erf": spread(-7, 7, 300) + scales(-320, 1, 100) + [0.84375, 1.25, 6.0],
    "erfc": spread(-7, 28, 400) + scales(-320, 1, 100) + [0.84375, 1.25, 0.25, 28.0],
    "gamma": spread(-200, 200, 300) + spread(-5, 25, 200) + scales(-25, 3, 100),
    "lgamma": spread(-200, 200, 300) + spread(-5, 25, 200) + scales(-25, 300, 100),
    "asin": spread(-1, 1, 300) + scales(-20, 0, 100) + spread(0.96, 1, 200),
    "acos": spread(-1, 1, 300) + scales(-20, 0, 100) + spread(0.96, 1, 200) + spread(-1, -0.96, 100),
}
recorded = {name: [[x.hex(), of(getattr(math, name), x)] for x in xs + SPECIAL] for name, xs in ARGUMENTS.items()}
with open("test/testdata/special-functions.json", "w", encoding="utf8") as out:
    out.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in recorded.items()) + "\n}\n")
