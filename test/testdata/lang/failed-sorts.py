import functools
import itertools
def show(xs):
    if len(xs) < 30:
        return repr(xs)
    t = 0
    for i, x in enumerate(xs):
        t = (t * 31 + (ord(x[0]) if isinstance(x, str) else x + 7) * (i + 1)) % 1000000007
    return str(len(xs)) + " " + str(t)
def attempt(xs, **kw):
    try:
        xs.sort(**kw)
        print("done", show(xs))
    except TypeError as e:
        print("TypeError", show(xs))
    except ValueError as e:
        print("ValueError", e, show(xs))
attempt([3, 1, 2, "a"])
attempt([3, 1, 2, b"a"][:3] + ["b"], reverse=True)
attempt([5, 4, 3, "z", 2, 1])
attempt(["q", 4, 3])
attempt([3, "x", 1], key=lambda v: v)
def bad(v):
    if v == 11:
        raise ValueError("eleven")
    return v % 5
attempt([9, 8, 11, 3], key=bad)
for n in (10, 63, 64, 65, 100, 200, 777, 3000, 9000):
    for p in (0, 1, 3, 17, n // 2, n - 1):
        for mul in (7919, 1, 5):
            xs = [(i * mul) % 1009 for i in range(n)]
            xs[p % n] = "s"
            ys = xs[:]
            attempt(xs)
            attempt(ys, reverse=True)
            attempt([x for x in ys], key=lambda v: (v, 1) if v != "s" else v)
def cmp(a, b):
    if a == 50 or b == 50:
        raise ValueError("fifty")
    return (a > b) - (a < b)
for n in (20, 70, 150, 400):
    for s in (1, 3, 7):
        xs = [(i * 37 * s) % 101 for i in range(n)]
        attempt(xs, key=functools.cmp_to_key(cmp))
        attempt([(i * 37 * s + 1) % 101 for i in range(n)], key=functools.cmp_to_key(cmp), reverse=True)
