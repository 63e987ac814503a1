x = 12345
xs = []
for i in range(500):
    x = (x * 1103515245 + 12345) % 2147483648
    xs.append(x % 97 - 48)
ps = [(k, i) for i, k in enumerate(xs)]
print(sorted(xs), sorted(xs, reverse=True))
print(sorted(ps, key=lambda p: p[0]))
print(sorted(ps, key=lambda p: p[0], reverse=True))
print(sorted(ps, key=lambda p: p[0] * 9007199254740))
print(sorted(ps, key=lambda p: p[0] * 90071992547409920, reverse=True)[:20])
print(sorted(ps, key=lambda p: 0)[:5], sorted([], key=lambda p: 0), sorted([3], key=lambda p: p), sorted([3, 1], key=lambda p: -p, reverse=True))
