# What a sequence pattern takes.
import collections

Point = collections.namedtuple("Point", "x y")


def parts(v):
    match v:
        case []:
            return "nothing"
        case [a]:
            return f"one {a!r}"
        case [1, *rest]:
            return f"1 and {rest!r}"
        case [a, [b, *c], *d]:
            return f"{a!r}, {b!r}, {c!r}, {d!r}"
        case [*most, last]:
            return f"{most!r} then {last!r}"
        case {"a": n, **others}:
            return f"a is {n!r}, {others!r}"
        case _:
            return "no sequence"


q = collections.deque([1, 2, 3])
rotated = collections.deque([9, 8, 1, 2])
rotated.popleft()
rotated.popleft()
front = collections.deque([5])
front.appendleft(1)
for v in [[], (), [7], (1, 2), [3, [4, 5], 6], [2, 3], q, rotated, front, collections.deque(), collections.deque([0, q]), Point(1, 2),
          Point(4, "ab"), range(1, 4), range(0), "ab", b"ab", {1, 2}, frozenset(), iter([1]), {"a": 1}, collections.Counter("aab"),
          collections.OrderedDict(a=1, b=2), collections.defaultdict(int), q.copy(), map(str, [1]), zip([1]), {}.keys(), None, 5]:
    print(parts(v))
