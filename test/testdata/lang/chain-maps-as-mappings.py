from collections import ChainMap, defaultdict, Counter, OrderedDict
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e, e.args)
c = ChainMap({"b": 2, "a": 1}, {"c": 3, "b": 9})
print(c | {"q": 1}, {"q": 1, "b": 7} | c, c | ChainMap({"z": 1}), c, OrderedDict(b=5) | c, Counter(a=5) | c, defaultdict(int, a=7) | c)
c |= {"n": 0}
c |= [("m", 1)]
print(c)
d = {"b": 0}
d |= c
print(d)
t(lambda: c | [("m", 1)]); t(lambda: [1] | c); t(lambda: c | 3); t(lambda: {1} | c)
def f(**k): return k
print(f(**c), {**c, "t": 1}, dict(c, u=5), "%(a)s-%(b)s" % c, "{a}{c}".format_map(c), "{0[a]}".format(c), "{a}".format(**c))
match c:
    case {"a": 1, "b": x, **rest}:
        print("map", x, rest)
match ChainMap({}):
    case {"a": 1}: print("no")
    case []: print("seq")
    case {}: print("empty ok")
k = c.keys()
print(k, c.values(), c.items(), len(k), "a" in k, "zz" in k, 3 in c.values(), ("a", 1) in c.items(), ("a", 2) in c.items(), ("zz", 1) in c.items())
print(sorted(k & {"a", "zz"}), sorted(k | ["zz"]), sorted(k - {"a"}), sorted(k ^ {"a", "zz"}), sorted({"a", "zz"} & k), sorted({"a", "zz"} - k), sorted({"a"} | k), sorted({"a", "q"} ^ k), sorted({"a": 1}.keys() | k), sorted({"a": 1}.keys() & k), sorted({"a": 1, "q": 1}.keys() - k), type(k & k))
print(k == {"a", "b", "c", "n", "m"}, {"a", "b", "c", "n", "m"} == k, k == dict(c).keys(), dict(c).keys() == k, k >= {"a"}, k > {"a"}, {"a"} < k, k <= set("abcnm"), k < set("abcnm"), {"a"} >= k, frozenset("a") <= k, k.isdisjoint("zq"), k.isdisjoint("a"), c.items() == dict(c).items(), c.values() == c.values())
t(lambda: 5 in c.items()); t(lambda: (1, 2, 3) in c.items()); t(lambda: k + k); t(lambda: k < [1]); t(lambda: k & 5); t(lambda: hash(k)); t(lambda: reversed(k)); t(lambda: k[0]); t(lambda: k.isdisjoint()); t(lambda: c.values() & {1}); t(lambda: k.foo); t(lambda: c.foo)
for key, v in c.items():
    c["added" + key] = v
print(len(c), sorted(c), max(c, key=str), [x for x in c.values()], sum(c.values()), set(c), list(enumerate(c))[:2], list(zip(c, c.values()))[:2])
dd = ChainMap(defaultdict(list), {"k": 1})
print(dd["k"], dd["new"], dd, dd.get("zz"), dd)
cc = ChainMap(Counter("ab"), {"z": 5})
print(cc["z"], cc["a"], cc["q"], cc)
nested = ChainMap(ChainMap({"i": 1}, {"j": 2}), {"k": 3})
print(nested, nested["j"], nested["k"], list(nested), len(nested), nested == {"i": 1, "j": 2, "k": 3}, nested.parents, nested.maps[0].maps)
nested["j"] = 7
print(nested)
m = {}
s = ChainMap(m)
m["self"] = s
print(s, m)
c.maps.append({"last": 1})
c.maps.insert(0, {"first": 0})
print("last" in c, list(c)[0], c.maps[0])
e = ChainMap(); e.maps.clear()
t(lambda: len(e)); t(lambda: e.__setitem__("a", 1)); t(lambda: e.popitem()); t(lambda: e["a"]); print(e, list(e))
print(dict.fromkeys(c, 0), list(c.copy().items())[:2], c.__len__(), c.__contains__("a"), c.__getitem__("a"), repr(c) == str(c), f"{ChainMap({1: 2})!r:>20}|")
g = iter(c.keys()); print(next(g), type(g), type(iter(c)))
