def counter(start):
    total = [start]
    def add(n=1):
        total[0] += n
        return total[0]
    def peek():
        return total[0]
    return add, peek

add, peek = counter(10)
print(add(), add(5), peek())
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
gs = [lambda i=i: i * 10 for i in range(3)]
print([g() for g in gs])
def outer(a):
    b = a * 2
    def middle(c):
        def inner(d):
            return a + b + c + d
        return inner
    return middle
print(outer(1)(2)(3))
def late():
    def g():
        return x
    x = 5
    return g()
print(late())
def unbound():
    def g():
        return y
    try:
        return g()
    except NameError as e:
        return type(e).__name__ + ": " + str(e)
    y = 1
print(unbound())
def local_unbound(flag):
    if flag:
        z = 1
    try:
        return z
    except UnboundLocalError as e:
        return str(e)
print(local_unbound(True), local_unbound(False))
compose = lambda f, g: lambda x: f(g(x))
inc = lambda x: x + 1
dbl = lambda x: x * 2
print(compose(inc, dbl)(5), compose(dbl, inc)(5), compose(compose(inc, inc), dbl)(1))
print((lambda *a, **k: (a, sorted(k.items())))(1, 2, z=3, y=4))
acc = []
for n in range(3):
    def h(m, n=n):
        return m + n
    acc.append(h)
print([h(100) for h in acc])
print([[(i, j) for j in range(i)] for i in range(4)])
print({k: [v for v in range(k)] for k in range(3)})
x = 7
print([x for x in range(3)], x)
print([y := 1, y ** 2, (z := y + 3)], y, z)
total = 0
print([total := total + v for v in [1, 2, 3]], total)
print(any((hit := v) > 2 for v in [1, 2, 3, 4]), hit)
def default_once(a, acc=[]):
    acc.append(a)
    return acc
print(default_once(1), default_once(2))
