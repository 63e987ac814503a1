from collections import ChainMap, defaultdict, Counter, OrderedDict
import json, re
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e, e.args, repr(e.__context__))
a, b = {"x": 1, "y": 2}, {"y": 3, "z": 4}
c = ChainMap(a, b)
print(c, len(c), list(c), dict(c), c["y"], c.get("q"), c.get("q", 9), "z" in c, bool(c), bool(ChainMap()), bool(ChainMap({}, {})))
print(c.maps, c.parents, c.new_child(), c.new_child({"n": 1}), c.new_child(k=1), c.new_child({"m": 1}, k=2), ChainMap(), ChainMap().maps)
c["z"] = 5; c["w"] = 6
print(a, b, c, list(c.items()), list(c.keys()), list(c.values()))
del c["z"]
print(c, a)
t(lambda: c.__delitem__("z"))
t(lambda: c.pop("z")); t(lambda: c.pop("z", "dflt")); t(lambda: c.pop("x")); t(lambda: c.popitem()); t(lambda: c.popitem()); t(lambda: c.popitem()); t(lambda: c["none"]); t(lambda: c[[]])
b["late"] = 1
print(c["late"], c.copy() == c, c.copy().maps[0] is a, c.copy().maps[1] is b, c == {"y": 3, "z": 4, "late": 1}, {"y": 3, "z": 4, "late": 1} == c, c != {}, c == [1], c == OrderedDict(c), Counter(c) == c, c == Counter(c))
print(c.setdefault("y", 10), c.setdefault("s", 11), c.setdefault("s2"), a, c.update({"u": 1}), c.update([("v", 2)], w=3), c.update(q=4), a)
t(lambda: c.update(5)); t(lambda: c.update([1])); t(lambda: c.update([(1, 2, 3)])); t(lambda: c.update([(1,)])); t(lambda: c.update({}, {})); t(lambda: c.get()); t(lambda: c.keys(1)); t(lambda: c.setdefault()); t(lambda: c.pop()); t(lambda: c.copy(1)); t(lambda: c.new_child(1, 2)); t(lambda: ChainMap(a=1)); t(lambda: hash(c)); t(lambda: {c: 1}); t(lambda: reversed(c)); t(lambda: c < c); t(lambda: c + c); t(lambda: c & c); t(lambda: json.dumps(c)); t(lambda: len(ChainMap(1))); t(lambda: ChainMap(1)["x"]); t(lambda: ChainMap([5])[0]); t(lambda: list(ChainMap("ab")))
print(c.clear(), c, a)
print(type(c), type(c.keys()), type(c.values()), type(c.items()), isinstance(c, ChainMap), isinstance(c, dict), type(c).__name__, ChainMap)
print(ChainMap.fromkeys("ab"), ChainMap.fromkeys("ab", 0), c.fromkeys([1]), c.fromkeys(iterable="q") if False else 0)
