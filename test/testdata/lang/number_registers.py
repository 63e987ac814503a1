def grow(n: int) -> int:
    x = 1
    y = 3
    for i in range(n):
        x = x * 3 - y * i
        y = y + x // 7
    return x + y


def shrink(n: int) -> int:
    x = 7 ** 3
    big = 9007199254740991
    for i in range(n):
        big = big * 2 + 1
    for i in range(n):
        big = big // 2
    return big - x


def faults() -> list:
    told = []
    zero = 0
    fz = 0.0
    one = 1
    huge = 10000000000
    for i in range(3):
        try:
            a = one + 2 * one // zero + one * 3
        except ZeroDivisionError as e:
            told.append(str(e))
        try:
            b = 1.5 + 2.0 / fz * 3.0 - one
            told.append(b)
        except ZeroDivisionError as e:
            told.append(str(e))
        try:
            c = (one % zero) < 3 + one
            told.append(c)
        except ZeroDivisionError as e:
            told.append(str(e))
        huge = huge * huge * huge * huge * huge * huge * huge
        try:
            d = huge * 1.5 + one // zero
            told.append(d)
        except (OverflowError, ZeroDivisionError) as e:
            told.append(str(e))
        try:
            d = one // zero + huge * 1.5
            told.append(d)
        except (OverflowError, ZeroDivisionError) as e:
            told.append(str(e))
    return told


def signs() -> list:
    out = []
    z = 0
    n = -5
    fz = 0.0
    for i in range(-3, 4):
        m = i * z
        q = i // 2
        r = i % 3
        s = n % 4
        t = n // 4
        u = -z
        f = fz * i
        g = -fz
        h = i / 2
        out.append((m, q, r, s, t, u, f, g, h, -i, i - -3, i & 6, i | 8, i ^ 5))
    return out


def identity() -> list:
    inf = 1e308 * 10.0
    nan = inf - inf
    other = nan
    l = [nan]
    out = [nan in l, other in l, nan == nan, other is nan, l.count(nan), nan != nan, nan < 1.0]
    nan = nan * 1.0
    out += [nan in l, other in l, l.count(nan)]
    a = 1.5
    b = a
    out += [a is b, a is a, b in [a]]
    return out


def compare_all() -> list:
    big = 9007199254740993
    small = 3
    f = 2.5
    g = 9007199254740992.0
    inf = 1e308 * 10.0
    nan = inf - inf
    out = []
    for i in range(4):
        out.append((i < small, i <= small, i > small, i >= small, i == small, i != small))
        out.append((i < f, i <= f, i > f, i >= f, i == f, i != f, f == i))
        out.append((big < g, big > g, big == g, big != g, small < big, big <= big, g == big))
        out.append((nan < f, nan <= f, nan > f, nan >= f, nan == f, nan != f))
        big += i
    return out


def late(n: int) -> int:
    for i in range(n):
        k = i * 2
    try:
        return i + k
    except UnboundLocalError as e:
        print(e)
        return -1


def make(base: float, inner):
    def go(n: int) -> float:
        total = 0.0
        step = 1
        for i in range(n):
            step = step + 1
            total = total + step * 0.5
            if inner is not None:
                total = total + inner(n) * 0.25
        return total + base
    return go


def mixed(n: int):
    v = 0
    for i in range(n):
        if i % 2 == 0:
            v = i * 1.5
        else:
            v = i
    return v


def unpack() -> list:
    a, b = 1, 2
    c = 0
    for i in range(5):
        a, b = b, a + b
        c += a
    (x := 5)
    y = x + (x := 6) * x
    c += y
    return [a, b, c, x, y]


s = 0
f = 0.5
for i in range(20):
    s += i * i
    f = f * 1.25 + i
    if s % 7 == 3:
        continue
    s = s - 1
print(s, f, i)
print(grow(10), grow(100))
print(shrink(3), shrink(70))
print(faults())
for row in signs():
    print(row)
print(identity())
for row in compare_all():
    print(row)
print(late(3), late(0))
print(make(1.0, make(2.0, make(3.0, None)))(4))
print(mixed(4), mixed(5))
print(unpack())
print([i * 2 + 1 for i in range(6)], {i: i * 0.5 for i in range(3)}, sum(i * i for i in range(10)))
for i in range(10**18, 10**18 + 3):
    t = i * 2
    print(t, i)
for i in range(0):
    w = 1
print([(-7) // 2, (-7) % 2, 7 // -2, 7 % -2])
c = 4503599627370497
for i in range(3):
    c = c + 1
    print(c % 3, c // 3, c % 4503599627370496, c // 4503599627370496, -c % 10, -c // 10)
