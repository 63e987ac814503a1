def f(a, b=2, *args, c, d=4, **kw):
    return a, b, args, c, d, sorted(kw.items())
print(f(1, c=3))
print(f(1, 5, 6, 7, c=3, e=9))
print(f(*[1, 2, 3], c=0, **{"d": 8, "z": 1}))
def g(a, /, b, *, c):
    return a, b, c
print(g(1, 2, c=3), g(1, b=2, c=3))
def try_call(fn, *a, **k):
    try:
        return fn(*a, **k)
    except TypeError as e:
        return str(e)
print(try_call(f))
print(try_call(f, 1))
print(try_call(g, 1, 2, 3, c=1))
print(try_call(g, a=1, b=2, c=3))
print(try_call(g, 1, 2, c=3, d=4))
print(try_call(g, 1, 2, b=2, c=3))
def h(a, b, c):
    return a
print(try_call(h))
print(try_call(h, 1))
print(try_call(h, 1, 2, 3, 4))
def k(a, b=1):
    return a
print(try_call(k, 1, 2, 3))
def z():
    return 0
print(try_call(z, 1))
print(try_call(lambda x: x))
print(try_call(5))
print(max([3, 1, 2], key=lambda v: -v), sorted(["bb", "a", "ccc"], key=len, reverse=True))
print(list(map(lambda a, b: a * b, [1, 2, 3], [4, 5, 6])), list(filter(None, [0, 1, "", "a"])))
print([*range(3), *"ab"], {**{"a": 1}, "b": 2, **{"a": 3}}, (*[1], 2))
def order(tag):
    print("eval", tag)
    return tag
print(order("a") or order("b"), order("") or order("c"), order("x") and order("y"))
print([order(1), order(2)][order(0)])
d = {order("k1"): order("v1"), order("k2"): order("v2")}
print(d)
print(order(1) < order(2) < order(3), order(5) < order(2) < order(9))
print(order("t") if order(True) else order("f"))
print(f"{order('f1')}-{order(2):>{order(5)}}")
def r():
    return
print(r())
print((lambda: (yield_ := 3) + 1)())
x = [1, 2, 3]
x[order(0)] = order(9)
x[order(1)] += order(10)
print(x)
a = b = c = [0]
a.append(1)
print(b, c is a)
(p, q), [r1, *s] = (1, 2), "xyz"
print(p, q, r1, s)
i = 0
i, x[i] = 2, 50
print(i, x)
