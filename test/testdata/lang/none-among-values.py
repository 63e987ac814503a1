from collections import namedtuple, Counter, OrderedDict, defaultdict, ChainMap
from itertools import compress, zip_longest, accumulate, chain, groupby, product, starmap
from functools import reduce, partial
import json, operator, re, statistics
P = namedtuple("P", "x y z", defaults=[0, 5])
print(P(None), P(1, None), P(1, None, None), P(1, z=None), P._make([None, None, None]), P(1)._replace(y=None), P(None)._asdict())
c = Counter({"a": None})
print(c == Counter(), c == Counter(a=0), c["a"], c.pop("a"), c, c.pop("q", None))
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
t(lambda: json.loads(None)); t(lambda: json.loads(s=None)); t(lambda: json.dumps(None)); t(lambda: json.dumps(obj=None))
d = OrderedDict(a=None); print(d.pop("a"), d.pop("b", None), d.setdefault("k"), d.get("k", 1), d.popitem())
dd = defaultdict(lambda: None); print(dd["x"], dict(dd), dd.get("x", 3), dd.pop("x"), dd.setdefault("y", None), dict(dd))
e = {"a": None}; print(e.get("a", 1), e.setdefault("a", 2), e.pop("a", 3), e.pop("a", None), {None: None}.get(None, 0), dict.fromkeys([None]), {**{"a": None}})
cm = ChainMap({"a": None}, {"a": 1}); print(cm["a"], cm.get("a", 5), cm.pop("a"), cm["a"], cm.setdefault("b"), cm)
print(list(compress([None, 1, None, 2], [1, 1, 1, 0])), list(zip_longest([None], [1, 2], fillvalue=None)), list(accumulate([None, 1], lambda a, b: b)), list(accumulate([1, 2], initial=None)), reduce(lambda a, b: None, [1, 2]), reduce(lambda a, b: b, [], None))
print(next(iter([None]), 1), next(iter([]), None), max([None], default=1), min([], default=None), list(filter(None, [None, 0, 1])), sorted([None]), [None].index(None), [None, None].count(None), (None,).index(None), None in [None], {None}, max([None, None], key=lambda v: 0))
print(list(map(lambda v: None, [1])), list(chain([None], [1])), [(k, list(g)) for k, g in groupby([None, None, 1])], list(product([None], repeat=2)), list(starmap(lambda *a: None, [(1,)])), partial(lambda *a, **k: (a, k), None, x=None)(None), operator.itemgetter("k")({"k": None}), operator.attrgetter("x")(P(None)), operator.methodcaller("get", "a", None)({}))
m = re.match(r"(a)?(b)?", "b"); print(m.groups(), m.groups(None), m.group(1), m[1], m.groupdict(), m.lastgroup, re.sub(r"(a)?b", lambda m: str(m[1]), "b ab"))
for a, b in [(None, None)]: print(a, b)
a, *b = [None, None]; print(a, b)
print([x for x in [None, 1] if x is None], {k: v for k, v in [(None, None)]}, any([None]), all([None]), bool(None), None == None, None is None, (lambda x=None: x)(), (lambda x=1: x)(None), str(None), f"{None}", f"{None!s:>6}", "%s" % None, "%s" % (None,), "{}".format(None), [None] * 2, None or None, (None and 1))
match {"k": None}:
    case {"k": None}: print("none")
match [None]:
    case [x]: print(x)
s = [3, None]; print(s.pop(), s.pop()); s = {None}; print(s.pop(), s)
def f(a, b=None, *c, d=None, **e): return a, b, c, d, e
print(f(None), f(None, None, None, d=None, e=None), f(**{"a": None}))
print(statistics.mode([None, None, 1]), statistics.multimode([None]), list(reversed([None])), list(enumerate([None])), list(zip([None], "a")), dict(a=None), [*[None]], print(None), isinstance(None, type(None)))
it = iter([None, None]); print([*it], list(it))
g = (None for _ in range(2)); print(next(g), list(g), next(g, "end"))
c = Counter(a=3, b=1); c &= {"a": 2, "b": 5}; print(c)
t(lambda: Counter(a=1).__class__ and Counter({}).pop([])); t(lambda: Counter({}).pop([], 0)); t(lambda: OrderedDict().pop((1, 2))); t(lambda: OrderedDict().pop((1,))); t(lambda: OrderedDict().move_to_end([]))
t(lambda: b"ab".hex([1, 2])); t(lambda: b"ab".hex({})); t(lambda: b"ab".hex([1])); t(lambda: re.compile("a").match(5, "x")); t(lambda: re.compile("a").search("xa", -5, None)); t(lambda: re.compile("a").search("xa", -5, 9).span())
c = Counter({"a": None, "b": 2, "c": 2})
for n in (0, -1, 1, True, 1.0, 2, 3, 9, "x", 1.5, None):
    t(lambda: c.most_common(n)); t(lambda: Counter(a=1, b=3, c=3, d=0).most_common(n)); t(lambda: Counter().most_common(n))
t(lambda: json.dumps("a", indent=())); t(lambda: json.dumps(["a"], indent=()))
