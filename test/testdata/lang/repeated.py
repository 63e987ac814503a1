from itertools import repeat

for args in [(), (1, 2, 3), (1, "a"), (1, -3), (1, True), (1, 2.0), (1, 10**30), (1, None)]:
    try:
        print(args, list(repeat(*args)))
    except (TypeError, OverflowError) as e:
        print(args, type(e).__name__, e)
print(type(repeat(1, 2)), isinstance(repeat(1, 2), repeat), list(repeat(object=1, times=2)), repeat([1], 2), repeat("é", 0))
print(list(zip("abc", repeat(0, 5))), dict(zip("ab", repeat(None, 2))), sum(repeat(2, 10)), sum(map(pow, [1, 2, 3], repeat(2, 9))))
r = repeat("x", times=2)
print(next(r), r, list(r), next(r, "end"))
