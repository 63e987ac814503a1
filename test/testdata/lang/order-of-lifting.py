def t(f, *a):
    try: print(f(*a))
    except Exception as e: print(type(e).__name__, e)
log = []
five, number = [5, len][0:2]

def s(x):
    log.append(x)
    return x
def show(v):
    print(v, log)
    log.clear()
# the order of evaluation where calls are lifted
show(s(1) < s(2) < s(3)); show(s(3) < s(2) < s(1)); show([1 % 2 <= s(5) != s(4)])
def bad(z):
    return 3 % z <= "x".index("y") != s(1) > (lambda q: q)(2)
t(bad, 0); t(bad, 1)
show(log[:] + [s(1)] + log[:]); show((log[:], s(1), log[:], s(2), log[:]))
show({s(1): s(2), s(3): s(4), **{s(5): s(6)}}); show({s(1), *[s(2)], s(3)}); show([*[s(1)], s(2), *(s(3), s(4))])
show(s(len)(s("abc"))); show(s([1, 2, 3])[s(1)]); show(s([1, 2, 3])[s(0):s(2):s(1)])
show(s(1) if s(0) else s(2)); show(s(0) or s("") or s(3) or s(4)); show(s(1) and s(0) and s(2)); show(not s(0) and s(1))
show(f"{s(1)}{s(2):{s(5)}}{log}{s(3)!r}"); show("%s %s" % (s(1), s(2))); show("{} {}".format(s(1), log[:]))
def f(*a, **k): return a, k
show(f(s(1), *[s(2)], s(3), k=s(4), **{"z": s(5)})); show(f(*s([1]), **s({"a": 2})))
show((lambda a=s(1), *, b=s(2): (a, b))()); show([s(i) for i in s([1, 2]) if s(i)]); show({s(i): s(-i) for i in [1]})
a = [0, 0, 0]
a[s(0)] = s(5); show(a)
a[s(1)], a[s(2)] = s(6), s(7); show(a)
a[s(0)] += s(1); show(a)
x = a[s(1)] = s(9); show((x, a))
i = 0
i, a[i] = 2, 8; show((i, a))
a[i], i = 4, 0; show((i, a))
d = {}
d[s("k")] = d[s("j")] = s(1); show(d)
for a[s(0)] in [s(1), s(2)]: pass
show(a)
for q, a[q] in [(0, 5), (1, 6)]: s(q)
show(a)
del a[s(0)], a[s(0)]; show(a)
y = 1
show(y + (y := 5) + y); show([y, (y := 6), y]); show((y, f(y := 7), y))
z = [1]
show(z + [s(2)] + (z.append(3) or z)); show([z, z.append(4), len(z), f(z.append(5)), len(z)])
def g():
    return s(1) + s(2) * s(3) ** s(2) - -s(4)
show(g())
assert s(1), s(2)
show(0)
try:
    assert s(0), s("m")
except AssertionError as e: show(e.args)
try:
    raise s(ValueError(s(1))) from s(KeyError(2))
except ValueError as e: show((e.args, e.__cause__))
match s([1, s(2)]):
    case [a0, b0] if s(a0) > 5: show("no")
    case [a0, b0] if s(b0): show((a0, b0))
print([(i, j) for i in range(3) for j in range(s(i))], log); log.clear()
print(any(s(i) > 1 for i in range(5)), log, all(s(i) for i in [1, 0, 2]), log); log.clear()
print(sorted([3, 1, 2], key=s), log, max([1, 3], key=s), log); log.clear()
it = (s(i) for i in s(range(3)))
show("made"); show(next(it)); show(list(it))
m = map(s, [1, 2]); show("m"); show(next(m)); show(list(zip(m, [s(9)])))
print(dict(a=s(1), b=s(2)), dict([(s(1), s(2))], c=s(3)), log); log.clear()
with_default = lambda v, w=[]: (w.append(v), list(w))
print(with_default(1), with_default(2), with_default(3, []))
print([lambda: i for i in range(3)][0](), [f() for f in [lambda i=i: i for i in range(3)]])
t(lambda: s(1)[s(0)]); show(0); t(lambda: s([])[s(0)].x(s(3))); show(0); t(lambda: {}[s("k")](s(2))); show(0); t(lambda: s(5)(s(6))); show(0); t(lambda: number(s(1), s(2))); show(0); t(lambda: f(**s(1), x=s(2))); show(0); t(lambda: f(*s(1), *s(2))); show(0)

def pop(d, k):
    return d.pop(k)
d = {"a": 1, "b": 2}
print({**d, "c": pop(d, "a")}, f(**d, x=pop(d, "b")))
it = iter([1, 2, 3])
nx = lambda: next(it)
print([*it, s(1)], f(*iter([1]), *[s(2)], 3)); log.clear()
q = [1]
def grow(): q.append(len(q)); return q[-1]
print([*q, grow(), *q, grow()], f(*q, k=grow()), f(0, *q, grow()), f"{q}{grow()}{q}{grow():>{grow()}}{q!r:.3}{len(q)}")
t(lambda: f"{[1]:5}{s(1)}"); show(0); t(lambda: f(**five, x=s(1))); show(0); t(lambda: len(**five, x=s(1))); show(0); t(lambda: [*five, s(1)]); show(0); t(lambda: {**five, 1: s(1)}); show(0); t(lambda: f(1, *five, s(2))); show(0); t(lambda: f(*five, k=s(2))); show(0); t(lambda: {*five, s(1)}); show(0); t(lambda: (*five, s(1))); show(0)
