# A StopIteration that a function raises is the end of the iterator that called it; the function can be called again.
import functools
import itertools


def gen(*x):
    raise StopIteration


def deep(*x):
    return gen(*x)


def later(x):
    for i in range(3):
        if i == 2:
            raise StopIteration
    return x


def two(x):
    if x == 2:
        raise StopIteration
    return x


def shown(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
    for g in (gen, deep, later):
        try:
            g(1)
        except StopIteration as e:
            print(repr(e))


for g in (gen, deep, later):
    shown(lambda: list(map(g, [1])))
    shown(lambda: list(map(lambda x: g(x), [1])))
    shown(lambda: list(filter(g, [1])))
    shown(lambda: sorted([1, 2], key=g))
    shown(lambda: max([1, 2], key=g))
    shown(lambda: [g(1)])
    shown(lambda: list(g(1) for x in [1]))
    shown(lambda: next(map(g, [1])))
    shown(lambda: next(map(g, [1]), "default"))
    shown(lambda: list(zip([1], map(g, [1]))))
    shown(lambda: sum(map(g, [1])))
    shown(lambda: ",".join(map(g, [1])))
    shown(lambda: dict(map(g, [1])))
    shown(lambda: [x for x in map(g, [1])])
    shown(lambda: [*map(g, [1])])
    shown(lambda: 1 in map(g, [1]))
    shown(lambda: list(itertools.takewhile(g, [1])))
    shown(lambda: list(itertools.dropwhile(g, [1])))
    shown(lambda: list(itertools.starmap(g, [(1,)])))
    shown(lambda: list(itertools.groupby([1], g)))
    shown(lambda: functools.reduce(lambda a, b: g(a), [1, 2]))
    shown(lambda: list(itertools.filterfalse(g, [1])))
    shown(lambda: sorted([1, 2], key=functools.cmp_to_key(lambda a, b: g(a))))
    shown(lambda: list(itertools.chain(map(g, [1]), [2])))
    shown(lambda: list(itertools.zip_longest(map(g, [1]), [2])))
    shown(lambda: list(itertools.islice(map(g, [1]), 2)))
print(list(map(two, [1, 2, 3])), list(map(two, [1, 1])), list(itertools.accumulate([1, 2, 3], lambda a, b: two(b))))
for x in map(two, [0, 1, 2, 3]):
    print(x)
