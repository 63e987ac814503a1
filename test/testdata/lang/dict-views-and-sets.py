from collections import Counter, defaultdict, OrderedDict
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for w in ["hello world", "the quick brown fox jumps", "a1b2c3d4e5", "zyxwvu"]:
    c = Counter(w); d = dict(c); o = OrderedDict(c)
    print(set(c), set(d), set(o), set(c.keys()), set(d.keys()))
    s = set("quick brown")
    print(s | set(c), s.union(c), s.union(d), s ^ set(c), s.symmetric_difference(c), s.symmetric_difference(d), s.difference(c), s.difference(d), s.intersection(c))
    print(d.keys() | s, d.keys() & s, d.keys() - s, d.keys() ^ s, s & d.keys(), s | d.keys(), s - d.keys(), s ^ d.keys())
    f = frozenset("the fox")
    print(d.keys() & f, f & d.keys(), d.items() & set(o.items()), d.keys() & o.keys(), c.keys() & "fox", d.keys() | c.keys(), d.items() ^ c.items(), d.items() | c.items(), d.items() - [("a", 1)])
    print(c.keys() | s, c.keys() ^ s, c.keys() - f)
t(lambda: list(range(10**20))); t(lambda: [*range(10**20)]); t(lambda: tuple(range(10**20))); t(lambda: sorted(range(-10**20, 10**20)))
t(lambda: len(range(10**20)))
