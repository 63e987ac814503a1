print({(1, 2), (3, 4), (5, 6), (7, 8)}, {1 + 2, 11, 19, 27}, {"b", "a", "zeta", "name"})
name = 5
for x in {"name", "beta", "gamma", "x", "delta"}:
    print(x)
print([y for y in {30, 1, 17, 8}], {-2, -5, 2305843009213693951, (1, 2)})
a = {5, 1, 40}
print({*a, 9, *[33, 8]}, {*"hello", "z"})
print({1, 2} | {3}, frozenset([3, 1, 2]), set("mississippi"))
s = set()
for i in range(50, 0, -7):
    s.add(i)
s.discard(8)
s |= {100, 3}
print(s, s & {1, 43, 100}, s - {100}, s ^ {3, 4}, len(s))
print(sorted({"b": 1, "a": 2}), {k for k in {"b": 1, "a": 2}})

# A set joined with itself is copied slot by slot, not added to again.
a = {0, -1, 8, 16}
print(list(a | a), list(a), list(a & a), list(a ^ {5}), list(a - {99}))
b = {"x", "yy", "zzz"}
b = b | b
print(b, b | b | {"q"})
a |= a
print(list(a), list(a.union(a)))
