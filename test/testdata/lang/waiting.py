# Builtins that run code of the program: callbacks, generators, lazy iterators, one inside another.
import collections
import functools
import itertools
import math
import operator
import re
import statistics
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from functools import cmp_to_key, partial, reduce

seen = []


def note(x):
    seen.append(x)
    if x == 3:
        seen.append("three")
    return x


def half(x):
    y = x // 2
    note(y)
    return y


def even(x):
    r = x % 2 == 0
    note(r)
    return r


def gen(n):
    return (note(i) for i in range(n))


def show(label, value):
    print(label, value, len(seen), seen[-3:])
    seen.clear()


xs = [5, 3, 9, 1, 4, 1, 8]

show("sum", sum(gen(5)))
show("sum start", sum((half(x) for x in xs), 100))
show("any", any(x > 4 for x in map(half, xs)))
show("all", all(note(x) < 9 for x in xs))
show("list", list(gen(4)))
show("tuple", tuple(map(half, xs)))
show("set", sorted(set(half(x) for x in xs)))
show("frozenset", sorted(frozenset(gen(4))))
show("dict", dict((note(k), half(k)) for k in xs))
show("dict kw", dict(((str(note(k)), k) for k in xs), z=1))
show("sorted key", sorted(xs, key=half))
show("sorted gen", sorted(half(x) for x in xs))
show("sorted both", sorted((half(x) for x in xs), key=lambda v: -note(v), reverse=True))
show("min", min(xs, key=half))
show("max", max((note(x) for x in xs), key=half, default=0))
show("min args", min(5, 2, 9, key=half))
show("max empty", max(gen(0), default="none"))
show("join", ",".join(str(note(x)) for x in xs))
show("bytes", bytes(note(x) for x in xs))
show("bytes join", b"-".join(bytes([note(x)]) for x in xs))
show("enumerate", list(enumerate(map(half, xs), 10)))
show("zip", list(zip(gen(3), map(half, xs), "abc")))
show("filter", list(filter(even, xs)))
show("filter none", list(filter(None, map(half, xs))))
show("reversed", list(reversed(list(gen(3)))))
show("nested", sum(sum(half(y) for y in range(x)) for x in map(half, xs)))
it = map(half, xs)
show("next", [next(it), next(it, None), next(it)])
show("rest", list(it))
show("next default", next(it, "over"))

ys = list(xs)
ys.sort(key=half)
show("list.sort", ys)
ys.sort(key=lambda v: (even(v), -v), reverse=True)
show("list.sort 2", ys)
ys.extend(half(x) for x in xs)
show("extend", ys)
s = {1, 2, 3}
s.update((half(x) for x in xs), gen(2))
show("set.update", sorted(s))
s.difference_update(half(x) for x in [2, 4])
show("difference_update", sorted(s))
s.intersection_update(note(x) for x in xs)
show("intersection_update", sorted(s))
s.symmetric_difference_update(note(x) for x in [1, 77])
show("symmetric_difference_update", sorted(s))
show("union", sorted({1}.union(gen(3), map(half, xs))))
show("intersection", sorted({0, 1, 2}.intersection(gen(2))))
show("difference", sorted({0, 1, 2}.difference(gen(2))))
show("issubset", {0, 1}.issubset(gen(5)))
show("issuperset", {0, 1}.issuperset(gen(5)))
show("isdisjoint", {3, 8}.isdisjoint(gen(9)))
d = {1: 2}
d.update((note(x), half(x)) for x in xs)
show("dict.update", d)
show("fromkeys", dict.fromkeys(gen(3), "v"))
show("keys isdisjoint", d.keys().isdisjoint(note(x) for x in [70, 5]))

show("reduce", reduce(lambda a, b: note(a) * 2 + b, xs))
show("reduce gen", reduce(operator.add, gen(5), 10))
show("partial", list(map(partial(lambda a, b: note(a) - b, 100), xs)))
show("partial sum", partial(sum, gen(4))())
show("cmp_to_key", sorted(xs, key=cmp_to_key(lambda a, b: note(b) - a)))
words = ["pear", "fig", "apple", "kiwi", "date"]


def by_length(a, b):
    note(a)
    if len(a) != len(b):
        return len(a) - len(b)
    return (a > b) - (a < b)


show("cmp words", sorted(words, key=cmp_to_key(by_length)))
words.sort(key=cmp_to_key(by_length), reverse=True)
show("cmp sort", words)
show("cmp max", max(words, key=cmp_to_key(by_length)))

show("accumulate", list(itertools.accumulate(xs, lambda a, b: note(a) + b)))
show("accumulate gen", list(itertools.accumulate(gen(4), initial=7)))
show("chain", list(itertools.chain(gen(2), map(half, xs), [1])))
show("from_iterable", list(itertools.chain.from_iterable(gen(i) for i in range(4))))
show("compress", list(itertools.compress(gen(7), map(even, xs))))
show("dropwhile", list(itertools.dropwhile(lambda x: note(x) > 2, xs)))
show("takewhile", list(itertools.takewhile(lambda x: note(x) > 2, xs)))
show("filterfalse", list(itertools.filterfalse(even, xs)))
show("starmap", list(itertools.starmap(lambda a, b: note(a) ** b, [(2, 3), (3, 2)])))
show("islice", list(itertools.islice(gen(20), 2, 11, 3)))
show("pairwise", list(itertools.pairwise(map(half, xs))))
show("zip_longest", list(itertools.zip_longest(gen(2), map(half, xs), fillvalue="-")))
show("groupby", [(k, list(g)) for k, g in itertools.groupby(xs, key=even)])
show("groupby keys", [k for k, g in itertools.groupby(map(half, xs))])
show("product", list(itertools.product(gen(2), map(half, [4, 6]))))
show("permutations", list(itertools.permutations(gen(3), 2)))
show("combinations", list(itertools.combinations(gen(4), 2)))

show("Counter", Counter(half(x) for x in xs))
c = Counter("aab")
c.update(ch for ch in "abc" if note(ch))
show("Counter.update", c)
c.subtract(ch for ch in "abb" if note(ch))
show("Counter.subtract", c)
q = deque(gen(5), maxlen=3)
q.extendleft(half(x) for x in xs)
show("deque", q)
show("OrderedDict", OrderedDict((note(x), 1) for x in xs))
show("defaultdict", defaultdict(list, ((note(x), [x]) for x in xs)))
Point = namedtuple("Point", "x y")
show("_make", Point._make(gen(2)))
Box = namedtuple("Box", "work")
show("attribute", Box(half).work(9))

show("re.sub", re.sub(r"\d+", lambda m: str(half(int(m.group()))), "a10 b21 c3"))
show("re.subn", re.subn("[aeiou]", lambda m: note(m.group()).upper(), "programme"))
show("pattern.sub", re.compile("o").sub(lambda m: note("0"), "foo boo", count=3))
show("mean", statistics.mean(half(x) for x in xs))
show("median", statistics.median(map(half, xs)))
show("mode", statistics.mode(note(x) for x in xs))
show("stdev", round(statistics.stdev(map(half, xs)), 6))
show("prod", math.prod(note(x) for x in xs))
show("fsum", math.fsum(half(x) / 10 for x in xs))
show("dist", math.dist(gen(2), (note(x) for x in [3, 5])))
show("countOf", operator.countOf((note(x) for x in xs), 1))
show("indexOf", operator.indexOf((note(x) for x in xs), 1))

# Exceptions on the way, and what has been done by then.
for make in (
    lambda: sum(note(x) if x != 9 else "nine" for x in xs),
    lambda: sorted(xs, key=lambda v: 1 / (v - 3)),
    lambda: ys.extend(10 // (x - 9) for x in xs),
    lambda: s.update([x] if x == 9 else x for x in xs),
    lambda: d.update((x, 1 // (x - 9)) for x in xs),
    lambda: ys.sort(key=lambda v: ys.append(v)),
    lambda: list(map(half, ["a"])),
    lambda: max(x if x < 9 else "nine" for x in xs),
    lambda: re.sub("b", lambda m: 5, "abc"),
    lambda: ",".join(note(x) for x in ["a", 5]),
):
    try:
        show("made", make())
    except Exception as e:
        show(type(e).__name__, e)
show("extended", ys)
show("updated", sorted(s))
show("updated dict", d)

# An iterator that failed goes on.
m = map(lambda v: 12 // note(v), [1, 0, 3])
out = []
for _ in range(5):
    try:
        out.append(next(m))
    except ZeroDivisionError as e:
        out.append(str(e))
    except StopIteration:
        out.append("stop")
show("map goes on", out)

# Statements of all kinds over what waits.
total = 0
for i, (a, b) in enumerate(zip(gen(4), map(half, xs))):
    total += i * a + b
else:
    total += 1000
show("for", total)
a, b, *rest = (note(x) for x in xs)
show("unpack", (a, b, rest))
show("in", 9 in (note(x) for x in xs))
show("not in", 2 not in map(half, xs))
zs = [1]
zs += (half(x) for x in xs)
show("in place", zs)
show("star", [*gen(2), *map(half, xs)])
show("star call", max(*(half(x) for x in xs)))
print(*(note(x) for x in xs), sep=":")
show("star print", None)
dd = defaultdict(lambda: note(len(seen)) + 1)
dd["a"] += 5
show("factory", (dd["b"], dd["a"], dict(dd)))
show("comprehension", [half(x) for x in map(half, xs) if any(note(y) == x for y in range(3))])
show("nested keys", sorted(xs, key=lambda x: sorted(range(x), key=lambda y: -note(y))))
show("conditional", sum(gen(2)) if any(gen(3)) else list(gen(1)))
show("and or", sum(gen(0)) or max(gen(2)) and min(gen(3)) or "none")
try:
    for x in map(half, xs):
        if x == 4:
            raise ValueError(sum(gen(x)))
except ValueError as e:
    show("raised", str(e))
finally:
    show("finally", list(gen(2)))
match [half(x) for x in [2, 4]]:
    case [p, r] if sum(gen(p)) == 0:
        show("match", (p, r))
f = f"{sum(gen(3))} {max(map(half, xs))!r:>4}"
show("fstring", f)

# An end raised inside a generator is an error there.
for make in (lambda: list(next(iter([])) for _ in range(2)), lambda: sum(next(filter(None, [0])) for x in [1]), lambda: list(map(next, [iter([])]))):
    try:
        show("ended", make())
    except RuntimeError as e:
        show("RuntimeError", (e, type(e.__cause__)))
