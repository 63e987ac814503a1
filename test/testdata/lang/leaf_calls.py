def add(a, b):
    return a + b


def pick(a, b=2, *rest):
    if a > b:
        return a
    c = a + b
    return c


def maybe(x):
    if x > 2:
        y = x
    return y


def half(x):
    return 10 // x


def apply(f, xs):
    out = []
    for x in xs:
        out.append(f(x))
    return out


def outer(n):
    def inner(x):
        return x * n
    return inner


def three(a, b, c):
    return (a, b, c)


def key(x):
    return -x


print(add(1, 2), add("a", "b"), pick(1), pick(5, 3, 4), add(add(1, 2), add(3, 4)))
for x in [3, 1, 4]:
    try:
        print(maybe(x))
    except UnboundLocalError as e:
        print("unbound", e)
for x in [5, 0, 2]:
    try:
        print(half(x))
    except ZeroDivisionError as e:
        print(e)
print(apply(outer(3), [1, 2]), apply(lambda v: v + 1, [1, 2]), apply(half, [1, 2]))
print(three(add(1, 1), sorted([3, 1, 2], key=key), max([1, 2], key=key)))
print(add(*[1, 2]), add(a=1, b=2), add(1, b=3))
try:
    apply(add, [1])
except TypeError as e:
    print(e)
try:
    add(1, "x")
except TypeError as e:
    print(e)
print(sorted([3, 1, 2], key=key), list(map(key, [1, 2])), add(max([1, 2, 3], key=key), key(7)))
t = [three(i, add(i, i), key(i)) for i in range(4)]
print(t)
def deep(n):
    if n in (1, 2):
        return n
    m = n
    m += 1
    return m
print(deep(1), deep(5))
total = 0
for i in range(50):
    total = add(total, half(add(i, 1)))
    if total % 3 == 0:
        continue
    total = pick(total, 100)
print(total)


# An operation of a leaf may take the rest of the slice.
def long(p, q):
    t = (p + 7) * -3
    return 3 * p + q


def longer(p):
    t = p**40
    u = t * t
    return u % 1000


total = 0
for i in range(12):
    total += long(4503599627370496 + i, i) + longer(2**50 + i)
print(total)
print([long(2**52, n) for n in range(3)], list(map(longer, [2**60, 3**40])))
