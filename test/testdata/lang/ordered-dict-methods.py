from collections import OrderedDict, defaultdict, Counter, deque
import json, re
o = OrderedDict(a=1, b=2)
print(o.fromkeys("xy", 0), OrderedDict.fromkeys(value=3, iterable="z"), defaultdict(int).fromkeys([1]), {}.fromkeys("ab"), {1: 2}.fromkeys([3], 4))
print(o.pop(key="a"), o.pop("q", default=5), o.setdefault("c", default=9), o.setdefault(key="b"), o)
for f in [lambda: o.pop(), lambda: o.pop("zz"), lambda: o.pop([]), lambda: o.setdefault(), lambda: o.setdefault(1, 2, 3), lambda: o.fromkeys(), lambda: o.fromkeys("a", x=1), lambda: {}.fromkeys(), lambda: {}.fromkeys(1), lambda: Counter().fromkeys("a"), lambda: deque() * (1,), lambda: (1,) * deque()]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(repr(json.loads('"a\tb\x01"', strict=False)), json.loads('{"k\n": 1}', strict=0))
try:
    json.loads('"a\tb"', strict=True)
except ValueError as e:
    print(e)
print(re.compile("a", 1), list(map({}.fromkeys, ["a", "b"])), dict.fromkeys("a"))
print(Counter("a") | defaultdict(int, z=1), Counter("a") | {"b": 1}, Counter("a") | OrderedDict(q=2), {"b": 1} | Counter("a"))
for a in ({}, Counter(), {1}, frozenset(), range(3), {}.keys(), [1], (1,), "a", 1.5, None, deque("a")):
    for b in ("x", [1], deque("b"), 2):
        try:
            c = a
            c *= b
            print(repr(c))
        except TypeError as e:
            print(e)
        try:
            print(repr(a * b))
        except TypeError as e:
            print(e)
