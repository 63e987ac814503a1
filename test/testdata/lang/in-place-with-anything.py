from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
import re
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
def imul(a, b):
    a *= b
    return a
def ior(a, b):
    a |= b
    return a
def iadd(a, b):
    a += b
    return a
def isub(a, b):
    a -= b
    return a
def iand(a, b):
    a &= b
    return a
for a in (ChainMap({}), re.compile("a"), re.match("a", "a"), deque([1]), ChainMap({}).keys(), {}.keys(), {1}, None, len, iter([1])):
    for b in ("xy", [1], 2, (1,), b"z", deque([2])):
        t(lambda: imul(a, b))
for other in ("ab", [5, 6], {}, {"a": 1}, 5, None, {"a": 9, "b": 0}, Counter("ab")):
    t(lambda: iand(Counter("aab"), other)); t(lambda: iand(Counter(), other)); t(lambda: iand(Counter({0: 3, 1: 7}), other))
for other in ([1], [5], ["ab"], {"a": 1}, "ab", None, [("k", 1)]):
    t(lambda: [f(OrderedDict(a=1), other) for f in (lambda a, b: a | b,)]); t(lambda: ior(OrderedDict(a=1), other)); t(lambda: ior({}, other)); t(lambda: ior(defaultdict(int), other) == {})
for other in ({"a": None}, {"b": "x"}, {"a": 2}):
    t(lambda: iadd(Counter("a"), other)); t(lambda: isub(Counter("a"), other)); t(lambda: ior(Counter("a"), other))
