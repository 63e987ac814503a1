import json
from collections import ChainMap, OrderedDict, defaultdict, deque, namedtuple

P = namedtuple("P", "x y")
for v in (deque([1]), ChainMap({}), {1}, b"x", 1j, range(2), len, P, {}.keys(), iter([]), ValueError("v")):
    for f in (json.dumps, json.loads):
        try:
            print(f(v))
        except (TypeError, ValueError) as e:
            print(e)
print(json.dumps([OrderedDict(a=1), defaultdict(int, b=2), P(1, 2)]), json.dumps(deque([1, 2]), default=list))
for args in [(b"a", "x"), ("a", "x"), ("a", "big"), ([1, 2], "little"), (5, 5)]:
    try:
        print(int.from_bytes(*args))
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
