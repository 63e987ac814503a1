for i in range(10, 0, -3):
    print(i, end=" ")
else:
    print("else")
xs = [1, 2, 3]
for x in xs:
    if x < 3 and len(xs) < 6:
        xs.append(x + 10)
print(xs)
d = {"a": 1, "b": 2}
try:
    for k in d:
        d["c" + k] = 1
except RuntimeError as e:
    print(e)
for (a, b), c in [((1, 2), 3), ((4, 5), 6)]:
    print(a, b, c)
for i, (x, y) in enumerate(zip("ab", [1, 2]), start=5):
    print(i, x, y)
it = iter([1, 2, 3, 4, 5])
print(next(it), list(zip(it, it)), next(it, "none"))
g = (n * n for n in range(5) if n % 2 == 0)
print(next(g), sum(g), list(g))
print(sum(i * j for i in range(4) for j in range(i)), max((len(w), w) for w in "the quick brown".split()))
rows = [[1, 2], [3, 4], [5, 6]]
print([cell for row in rows for cell in row if cell % 2], [list(c) for c in zip(*rows)])
print({n % 3: n for n in range(7)}, {n // 2 for n in range(7)})
for i in range(3):
    for j in range(3):
        if j == 1:
            continue
        if i == 2:
            break
        print(i, j)
n = 0
for _ in range(1000):
    n += 1
    if n * n > 500:
        break
print(n)
def first(pred, items, default=None):
    for item in items:
        if pred(item):
            return item
    return default
print(first(lambda v: v > 2, [1, 2, 3, 4]), first(lambda v: v > 9, [1]))
def total(rows):
    t = 0
    for r in rows:
        for v in r:
            t += v
            if t > 10:
                return "over", t
    return t
print(total([[1, 2], [3]]), total([[5, 6], [7]]))
for ch in "añ€😀":
    print(ch, ord(ch), len(ch))
for i in reversed(range(3)):
    print(i)
for k, v in sorted({"b": 1, "a": 2}.items(), key=lambda kv: kv[1]):
    print(k, v)
print([i for i in range(20) if i % 2 if i % 3])
print([(lambda q: q + i)(10) for i in range(3)])
def gen_args(*gs):
    return [list(g) for g in gs]
print(gen_args((i for i in range(2)), (c for c in "ab")))
del d["a"]
print(d)
z = list(range(5))
del z[1:3], z[0]
print(z)
