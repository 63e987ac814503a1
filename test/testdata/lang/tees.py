import itertools
from itertools import tee


def told(f):
    try:
        return repr(f())
    except Exception as e:
        return f"{type(e).__name__}: {e}"


a, b = tee([1, 2, 3])
print(next(a), next(a), next(b), list(a), list(b), list(a), next(b, "over"))
a, b, c = tee((x * x for x in range(5)), 3)
print(list(zip(a, b)), list(c))
print(tee([], 0), len(tee("ab", 1)), [list(t) for t in tee("ab", 4)])
a, b = tee(iter("abc"))
next(a)
c, d = tee(a)
print(c is a, list(c), list(d), list(b))
print(told(lambda: tee()), told(lambda: tee([1], -1)), told(lambda: tee([1], 2, 3)), told(lambda: tee(5)), told(lambda: tee([1], n=2)))
print(told(lambda: tee([1], "a")), told(lambda: tee([1], 2.0)), told(lambda: tee([1], True)) == "x")
seen = []
a, b = tee(map(lambda x: seen.append(x) or x, [1, 2, 3]))
print(seen, next(a), seen, next(b), seen, sum(a), seen, sum(b), seen)


def pairs(xs):
    a, b = tee(xs)
    next(b, None)
    return list(zip(a, b))


print(pairs([1, 2, 3, 4]), pairs([]), pairs("a"), type(tee([1])[0]))
a, b = tee(1 // x for x in [1, 0, 2])
print(next(a), told(lambda: next(a)), told(lambda: next(b)), told(lambda: next(b, "end")))
xs = [1]
it = iter(xs)
a, b = tee(it)
print(next(a))
xs.append(2)
print(list(b), list(a))
print(list(itertools.islice(tee(itertools.chain([1], [2, 3]))[1], 2)), max(tee([3, 9, 2])[0]), 9 in tee([3, 9])[1])
