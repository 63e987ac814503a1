"""Records what CPython 3.11 answers about numbers and formatting, for test/lang/value/numbers.test.ts:

    PYTHONHASHSEED=0 python3.11 scripts/number-cases.py

writes test/testdata/numbers.jsonl (expression, and repr or error) and test/testdata/float-functions.json (operands and
results of C's functions as bits; recorded where glibc 2.36 uses fused multiply-add).
"""
import ctypes
import json
import math
import random
import struct

R = random.Random(20261130)
STRANGE = [0.0, -0.0, 0.5, -1.5, math.inf, -math.inf, math.nan, 1e16, 1e-5, 1e22, 5e-324, 1.7976931348623157e308]
CARRY = [9.5, 99.5, 0.95, 0.0005, 99999.5, 999999.5, 9.999995, 0.00009999995, 2.5, 3.5]
EDGES = [0, 1, -1, 2**53, 2**53 - 1, -(2**53), 2**63, 2**64 - 1, -(2**63), 10**15, 10**16, 2**31, -(2**31), 2**32]
TEXTS = ["", "a", "abc", "héllo", "😀x", "x😀y😀", "  ", "Ωmega", "it's", 'a"b']


def any_int():
    return R.choice([
        lambda: R.randrange(-200, 200), lambda: R.choice(EDGES), lambda: R.randrange(-(2**60), 2**60),
        lambda: R.randrange(-(10**40), 10**40), lambda: R.randrange(-(2**53), 2**53),
    ])()


def any_float():
    return R.choice([
        lambda: R.choice(STRANGE), lambda: R.choice(CARRY), lambda: struct.unpack("<d", R.randbytes(8))[0],
        lambda: R.randrange(-2000, 2000) / 2 ** R.randrange(1, 12), lambda: R.randrange(-(10**6), 10**6) / 10 ** R.randrange(0, 8),
        lambda: float(R.randrange(-(10**18), 10**18)), lambda: R.uniform(-1000, 1000),
    ])()


def flo(x=None):
    x = any_float() if x is None else x
    return repr(x) if math.isfinite(x) else f"float('{x}')"


def cpx():
    return f"complex({flo()}, {flo()})"


def maybe(p, text):
    return text if R.random() < p else ""


def any_spec():
    fill = maybe(0.5, R.choice(["", "*", "0", "é", "😀", "x", "_"]) + R.choice("<>=^"))
    return (
        fill + maybe(0.35, R.choice("+- ")) + maybe(0.12, "z") + maybe(0.2, "#") + maybe(0.25, "0")
        + maybe(0.6, str(R.randrange(30))) + maybe(0.25, R.choice([",", "_", ",_"])) + maybe(0.4, f".{R.randrange(22)}")
        + maybe(0.75, R.choice("bcdeEfFgGnosxX%")) + maybe(0.02, R.choice(["q", "dd", "é", "."]))
    )


def any_value():
    return R.choice([
        lambda: repr(any_int()), flo, flo, lambda: repr(R.choice(TEXTS)), cpx, lambda: R.choice(["True", "False"]),
        lambda: R.choice(["None", "[1]", "(1, 2)", "b'x'", "{}"]),
    ])()


def percent():
    flags = "".join(maybe(0.22, f) for f in "-+ #0")
    return "%" + flags + maybe(0.5, str(R.randrange(20))) + maybe(0.4, f".{R.randrange(18)}") + R.choice("diouxXeEfFgGcrsa%q")


def template():
    names = ["", "", "0", "1", "a", "b", "2", "0.real", "a[0]", "b[k]", "a.x", "0.", "[", "1[0]"]
    parts = []
    for _ in range(R.randrange(1, 4)):
        parts.append(R.choice(["a", "{{", "}}", " ", "😀", "{", "}"]) if R.random() < 0.3 else "-")
        parts.append("{" + R.choice(names) + R.choice(["", "", "!r", "!s", "!a", "!x", "!"]) + R.choice(["", ":", ":" + any_spec()]) + "}")
    return "".join(parts)


def arithmetic():
    op = R.choice(["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"])
    a, b = (R.choice([repr(any_int()), repr(any_int()), flo(), flo(), "True", cpx()]) for _ in "ab")
    if op == "**":
        b = R.choice([str(R.randrange(-8, 40)), flo(R.uniform(-20, 20)), flo(), cpx()])
    if op in ("<<", ">>"):
        b = str(R.randrange(-2, 200))
    return f"({a}) {op} ({b})"


def other():
    return R.choice([
        f"round({flo()}, {R.randrange(-20, 20)})", f"round({any_int()}, {R.randrange(-20, 3)})", f"round({flo()})",
        f"divmod({flo()}, {flo()})", f"divmod({any_int()}, {any_int()})", f"{flo()} == {any_int()}", f"{any_int()} < {flo()}",
        f"({flo()}).hex()", f"abs({cpx()})", f"int({flo()})", f"pow({any_int()}, {any_int()}, {any_int()})", f"repr({cpx()})",
        f"float({str(any_float()) + R.choice(['', '_1', 'e5', ' ', 'x'])!r})", f"{any_int()} / {any_int()}",
        f"({any_int()}).bit_length()", f"({flo()}).as_integer_ratio()", f"({any_int()}).to_bytes({R.randrange(10)}, 'little', signed={R.choice([True, False])})",
    ])


def any_case():
    return R.choice([
        lambda: f"format({any_value()}, {any_spec()!r})", lambda: f"{percent()!r} % ({any_value()},)",
        lambda: f"b{percent()!r} % ({any_value()},)", arithmetic, arithmetic, other, other,
        lambda: f"{template()!r}.format({any_value()}, {any_value()}, a={R.choice(['[5]', repr('s'), '1.5'])}, b={{'k': 1}})",
    ])()


def record(expression):
    try:
        return {"expr": expression, "is": repr(eval(expression))}
    except Exception as e:
        return {"expr": expression, "is": f"{type(e).__name__}: {e}"}


def expressions():
    yield from open("test/testdata/number-edges.txt", encoding="utf8").read().splitlines()
    seen = set()
    while len(seen) < 3000:
        case = any_case()
        if case not in seen:
            seen.add(case)
            yield case


FUNCTIONS = ["pow", "exp", "log", "hypot", "sin", "cos", "atan", "atan2", "expm1", "log1p", "log2", "sinh", "cosh", "tanh"]
FUNCTIONS += ["asinh", "acosh", "atanh", "cbrt", "tan"]


def bits(x):
    return struct.pack(">d", x).hex()


def functions():
    libm = ctypes.CDLL("libm.so.6")
    for name in FUNCTIONS:
        f = getattr(libm, name)
        two = name in ("pow", "hypot", "atan2")
        f.restype, f.argtypes = ctypes.c_double, [ctypes.c_double] * (2 if two else 1)
        rows = []
        for i in range(400):
            x = any_float() if i % 2 else R.uniform(-1, 1) * 10 ** R.uniform(-6, 3)
            y = any_float() if i % 3 else R.uniform(-30, 30)
            r = f(x, y) if two else f(x)
            rows.append([bits(x), bits(y), "nan" if math.isnan(r) else bits(r)])
        yield name, rows


with open("test/testdata/numbers.jsonl", "w", encoding="utf8") as out:
    for expression in expressions():
        out.write(json.dumps(record(expression)) + "\n")
with open("test/testdata/float-functions.json", "w", encoding="utf8") as out:
    out.write("{\n" + ",\n".join(f'"{name}": {json.dumps(rows)}' for name, rows in functions()) + "\n}\n")
