"""What CPython 3.11 answers for the value layer: PYTHONHASHSEED=0 python3.11 -S test/testdata/value/record.py

Writes outcomes.jsonl (one line a section, each case an expression with its repr or its exception) and set-histories.jsonl
(random operations on one set, with the order after each). Recorded, never typed in.
"""
import json, os, random, warnings

warnings.simplefilter("ignore")
here = os.path.dirname(os.path.abspath(__file__))
nan, inf = float("nan"), float("inf")

ARGUMENTS = """
[].append() ; [].append(1, 2) ; [].append(x=1) ; [].extend() ; [].extend(5) ; [].insert(1) ; [].insert('a', 1) ; [].pop() ; [].pop('a') ; [1].pop(5) ; [1].pop(1, 2)
[1].remove(2) ; [1].index(2) ; [1].index(1, 'a') ; [1].index() ; [].sort(1) ; [].sort(foo=1) ; [1].sort(key=5) ; [].reverse(1) ; [].copy(1) ; [].clear(1) ; [].count()
(1,).index(2) ; (1,).index() ; (1,).count() ; (1,).count(1, 2) ; (1, 2).append(3) ; {}.get() ; {}.get(1, 2, 3) ; {}.pop() ; {}.pop(1) ; {}.popitem() ; {}.keys(1)
{}.update(1) ; {}.update([1]) ; {}.update([(1, 2, 3)]) ; {}.update(1, 2) ; {}.setdefault() ; {}.fromkeys() ; dict.fromkeys(5) ; dict(1) ; dict(1, 2) ; {}[1] ; {'a': 1}['b'] ; {}[[]]
set().add() ; set().add([]) ; {1}.remove(2) ; {1}.discard(1, 2) ; set().pop() ; set().union(1) ; set().union(x=1) ; {1} | [1] ; {1} < [1] ; frozenset().add(1) ; {1}.issubset(5)
range() ; range(1, 2, 3, 4) ; range(1.5) ; range(1, 2, 0) ; range(x=1) ; range(3)[5] ; range(3)['a'] ; range(3).index(7) ; range(3).index('a') ; slice() ; slice(1).indices(-1)
zip(1) ; zip(x=1) ; list(zip([1], [1, 2], strict=True)) ; list(zip([1, 2], [1], strict=True)) ; map() ; map(1) ; list(map(1, [1])) ; filter(1) ; enumerate() ; enumerate([1], 2, 3) ; enumerate([], x=1)
reversed() ; reversed({1}) ; bool(1, 2) ; bool(x=1) ; int(1, 2, 3) ; int(x=1) ; int(base=3) ; int(5, 3) ; int([]) ; float([]) ; float(1, 2) ; complex([]) ; complex('1', '2') ; complex(1, '2')
str(1, 2, 3, 4) ; str('a', 'utf-8') ; str(5, 'utf-8') ; str(foo=1) ; bytes(-1) ; bytes('a') ; bytes([300]) ; bytes(1.5) ; bytes(['a']) ; bytes(5, 'utf-8') ; list(1, 2) ; list(x=1) ; set(1)
isinstance(1) ; isinstance(1, 5) ; isinstance('a', (int, 5)) ; issubclass(1, int) ; issubclass(int, 5) ; type() ; type(1, 2) ; abs() ; abs('a') ; all(5) ; any([1], 2) ; bin(1.5)
chr(-1) ; chr(10**20) ; chr('a') ; ord('ab') ; ord(5) ; ord(b'ab') ; divmod(1) ; divmod(1, 'a') ; format(1, 2) ; format() ; hash() ; hash([]) ; hash(({},)) ; iter() ; iter(5) ; next() ; next([], 1) ; next(iter([]))
len() ; len(5) ; max() ; max([]) ; max(1) ; max(1, 2, default=3) ; max([1], foo=1) ; max(1, 'a') ; min(1, 'a') ; max('a', 'b', key=5) ; pow() ; pow(1) ; pow(1, 2, 3, 4) ; pow(2, -1, 0)
repr() ; round() ; round(1, 2, 3) ; round('a') ; round(1.5, 'a') ; sorted() ; sorted(1) ; sorted([1], lambda x: x) ; sorted([1], foo=2) ; sorted([1, 'a']) ; sorted([3, None, 1]) ; sum() ; sum(['a'], '') ; sum([b'a'], b'') ; sum(['a']) ; sum([1], foo=2)
ValueError(x=1) ; str.upper() ; str.upper(5) ; str.foo ; (5).foo ; [].foo ; None.foo ; [1]['a'] ; (1,)['a'] ; 'a'['b'] ; 'a'[1.0] ; b'a'['x'] ; [1][10**30] ; [1] * 1.5 ; 'a' * 10**30 ; [1] + (1,) ; (1,) + [1] ; 'a' + 1 ; b'a' + 'a'
5 in 5 ; 1 in 'a' ; 'a' in b'a' ; 300 in b'a' ; {}.keys() | 5 ; {} < {} ; None < None ; [1] < (1,) ; [[1], [2]] < [[1], 'a'] ; int['a'] ; (1)[0] ; {1}[0] ; len(range(10**30)) ; [1, 2][::0]
"""

VALUES = """
{1: 'a', True: 'b', 1.0: 'c'} ; {1, True, 1.0} ; {True, 1} ; [nan == nan, [nan] == [nan], nan in [nan], {nan: 1}[nan]] ; {0.0: 1, -0.0: 2} ; {2**53: 1}[float(2**53)] ; {1: 2} == {1.0: 2.0} ; hash(1) == hash(1.0) == hash(True)
{(1, 2): 3}[(1.0, 2)] ; frozenset({1, 2}) in {frozenset({2, 1})} ; {1} in {frozenset({1})} ; {'\\x01s': 1, 's': 2} ; len({'\\x01', '\\x01s\\x01', '\\x01b', b'', 's'}) ; {range(3): 1}[range(0, 3, 1)] ; range(0) == range(2, 1) ; {1j: 1, 0j: 2}[0]
type(1) ; type('a') ; type(None) ; type([]) ; type(int) ; type(len) ; type([].append) ; type(lambda: 1) ; type(iter([])) ; type(iter('a')) ; type(iter('\\xe9')) ; type(iter({})) ; type({}.items()) ; type(iter({}.items())) ; type(reversed([])) ; type(reversed('a')) ; type(reversed({})) ; type(reversed(range(3))) ; type(iter(range(10**30))) ; type(zip()) ; type(map(int, [])) ; type(enumerate([])) ; type(...) ; type(ValueError()) ; type(slice(1)) ; type(iter(b'')) ; type(iter(set())) ; type(x for x in [])
repr([[], (), {}, set(), frozenset()]) ; (1,) ; {1: {2: [3]}} ; [1, 'a', None, True, 1.5, 2j, b'x', ...] ; slice(1, None, 2) ; range(1, 10, 2) ; range(3) ; {'a': 1}.keys() ; {'a': 1}.values() ; {'a': 1}.items() ; ValueError('x') ; ValueError('x', 2) ; KeyError('k') ; str(KeyError('k')) ; str(ValueError('k')) ; str(ValueError()) ; str(ValueError(1, 'b')) ; [ValueError([1])] ; int ; str ; NotImplementedError
issubclass(bool, int) ; issubclass(KeyError, LookupError) ; issubclass(int, (str, int)) ; isinstance(True, int) ; isinstance(1, bool) ; isinstance(KeyError(1), Exception) ; isinstance([], (int, (str, list))) ; int | None ; int | str | int ; int | int ; isinstance(1, int | str) ; isinstance(None, int | None) ; isinstance('a', int | None) ; issubclass(bool, int | str) ; int | 5 ; None | None ; (int | str) == (str | int) ; slice(1) < slice(2) ; slice(1, 2) >= slice(1, 1) ; bool.from_bytes(b'a', 'big') ; type(int | str).__name__ ; isinstance(1.5, (str, int | float)) ; int | list | None ; {int | str: 1}[str | int] ; True.from_bytes(b'', 'big') ; isinstance(int, type) ; callable(len) ; callable(5) ; callable(int) ; type(5) is int ; type('') == str ; int == float ; type(5)('7')
list({'b': 1, 'a': 2}) ; list(reversed({'b': 1, 'a': 2})) ; list(reversed({'b': 1}.items())) ; {'a': 1} | {'b': 2} ; {'a': 1}.items() & {('a', 1)} ; {'a': 1, 'b': 2}.keys() - {'a'} ; {'a': 1}.keys() ^ {'b'} ; {'a': 1}.keys() == {'a'} ; {'a': 1}.items() == {('a', 1)} ; ('a', 1) in {'a': 1}.items() ; {'a': 1}.keys().isdisjoint({'b'}) ; {1: 2}.keys() <= {1, 2} ; dict(a=1, b=2) ; dict([('a', 1)], a=3) ; dict({'x': 1}, y=2) ; dict.fromkeys('ab', 0)
max('apple', 'fig', key=len) ; min([3, 1, 2], default=0) ; max([], default=None) ; max([(1, 'b'), (1, 'a')]) ; min(1.0, 1) ; max(1, 1.0, True) ; max(nan, 1) ; max(1, nan) ; sum([0.1] * 10) ; sum([1, 2.5, True]) ; sum([[1], [2]], []) ; sum([], 5) ; sum((1, 2), start=10) ; all([]) ; any([]) ; all([1, 0]) ; any([0, 'a'])
list(zip('ab', [1, 2, 3])) ; list(zip()) ; list(map(lambda a, b: a + b, [1, 2], [10, 20, 30])) ; list(filter(None, [0, 1, '', 'a'])) ; list(filter(lambda x: x > 1, [1, 2, 3])) ; list(enumerate('ab', 5)) ; list(enumerate('ab', start=2**60)) ; list(reversed('abc')) ; list(reversed(range(10**30, 10**30 + 3))) ; next(iter([]), 'd') ; list(range(10**20, 10**20 + 3)) ; range(0, 10**30, 10**29)[3] ; range(10)[::-1] ; range(10)[2:8:3] ; range(5).index(3) ; 10**25 in range(10**30) ; range(3).count(True) ; len(range(0, 10**10, 7))
sorted([3, 1, 2], reverse=True) ; sorted('hello') ; sorted({'b': 1, 'a': 2}) ; sorted([(1, 'b'), (0, 'z'), (1, 'a')]) ; sorted(['b', 'A', 'a', 'B'], key=str.lower) ; sorted([0.0, -0.0, 0], reverse=True) ; sorted([True, 1, 0, False]) ; sorted(['\\uffff', '\\U00010000', 'a']) ; sorted([b'b', b'a']) ; sorted([[2], [1, 5], [1]]) ; sorted([inf, -inf, 1]) ; sorted([2**70, 1, -2**70, 1.5])
"""


def outcome(source):
    try:
        return repr(eval(source, {"nan": nan, "inf": inf}))
    except Exception as e:
        return f"{type(e).__name__}: {e}"


def cases(text):
    return [c.strip() for line in text.strip().split("\n") for c in line.split(" ; ")]


r = random.Random(20240611)


def number():
    return r.choice([
        lambda: str(r.randrange(-3, 12)), lambda: str(r.randrange(-(2**70), 2**70)),
        lambda: str(r.choice([2**61 - 1, 2**61 - 2, 2**62, -(2**61), -(2**61) + 1, 2**53, 2**63, 2**64, -1, -2])),
        lambda: repr(r.choice([r.random(), r.uniform(-1e3, 1e3), r.uniform(-1, 1) * 10 ** r.randrange(-300, 300), 0.5, 2.0**60, 5e-324, -1.0])),
        lambda: "complex(%r, %r)" % (r.choice([0.0, 1.5, -1.0, 1e20]), r.choice([0.0, 1.0, -1.0, 2.5])),
    ])()


def text():
    return repr("".join(r.choice("abcxyz 0é日😀") for _ in range(r.choice([0, 1, 2, 3, 7, 8, 9, 16, 20]))))


def hashable(depth=0):
    k = r.random()
    if depth > 2 or k < 0.6:
        return r.choice([number, number, text, lambda: repr(bytes(r.randrange(256) for _ in range(r.randrange(18))))])()
    inner = [hashable(depth + 1) for _ in range(r.randrange(0, 5))]
    return "(" + "".join(x + ", " for x in inner) + ")" if k < 0.85 else "frozenset([" + ", ".join(inner) + "])"


def unsorted_list():
    n = r.choice([2, 3, 5, 10, 30, 63, 64, 65, 130])
    kind = r.choice("nan sets runs mixed tuples zeros".split())
    if kind == "nan":
        xs = [r.choice(["nan", str(r.randrange(20)), str(r.randrange(50))]) for _ in range(n)]
    elif kind == "sets":
        xs = ["{%s}" % ", ".join(str(r.randrange(4)) for _ in range(r.randrange(1, 4))) for _ in range(n)]
    elif kind == "runs":
        xs = []
        while len(xs) < n:
            a, step = r.randrange(50), r.choice([1, 1, -1])
            xs += ["nan" if r.random() < 0.03 else str(a + i * step) for i in range(r.randrange(1, 60))]
    elif kind == "mixed":
        xs = [text() if r.random() < 0.03 else str(r.randrange(9)) for _ in range(n)]
    elif kind == "tuples":
        xs = ["(%d, %s)" % (r.randrange(4), r.choice(["nan", "2.5", "1", "3"])) for _ in range(n)]
    else:
        xs = [r.choice(["0.0", "-0.0", "1.5", "0", "False"]) for _ in range(n)]
    return "sorted([%s]%s)" % (", ".join(xs), r.choice(["", ", reverse=True"]))


def operands():
    def one():
        return r.choice([number, lambda: "nan", lambda: "{%s}" % ", ".join(str(r.randrange(5)) for _ in range(r.randrange(1, 4))),
                         lambda: "(%s,)" % number(), lambda: "[%s]" % r.randrange(4), text, lambda: "True", lambda: "None"])()
    return "%s %s %s" % (one(), r.choice(["<", "<=", ">", ">=", "==", "!=", "in", "not in"]), one())


def display():
    def one():
        return r.choice([lambda: str(r.randrange(40)), lambda: str(r.randrange(40)), lambda: "-%d" % r.randrange(1, 9),
                         lambda: "(1, %d)" % r.randrange(9), lambda: "%d.5" % r.randrange(9), lambda: repr("é%d" % r.randrange(99))])()
    d = "{%s}" % ", ".join(one() for _ in range(r.choice([1, 2, 3, 4, 5, 6, 8, 12, 20, 30, 31, 50])))
    return r.choice(["list(%s)", "[x for x in %s]"]) % d


sections = {
    "arguments": cases(ARGUMENTS), "values": cases(VALUES), "hash": ["hash(%s)" % hashable() for _ in range(300)],
    "sort": [unsorted_list() for _ in range(120)], "compare": [operands() for _ in range(300)],
    "set display": [display() for _ in range(200)],
}
with open(os.path.join(here, "outcomes.jsonl"), "w") as f:
    for name, sources in sections.items():
        f.write(json.dumps({"section": name, "cases": [[s, outcome(s)] for s in sources]}) + "\n")


def element():
    k = r.random()
    if k < 0.6:
        return r.randrange(-3, r.choice([8, 20, 64, 1000, 10**12, 2**70]))
    if k < 0.9:
        return r.choice("abcdefghijklmnop") * r.randrange(0, 3) + str(r.randrange(r.choice([3, 30])))
    return r.choice([1.5, 2.0, True, False, (1, 2), (), ("a", 3), b"xy", 2.5e300, frozenset({1, 2}), 1j])


OPERATIONS = ("add add add discard discard pop update |= &= -= ^= & | - ^ r& r| r- r^ copy clear fromkeys intersection difference "
              "symmetric_difference union difference_update intersection_update symmetric_difference_update").split()
BINARY = {"&": "__and__", "|": "__or__", "-": "__sub__", "^": "__xor__"}


def history():
    s, log = set(), []
    for _ in range(r.randrange(1, 40)):
        values = [element() for _ in range(r.choice([1, 1, 2, 3, 5, 9, 30]))]
        op = r.choice(OPERATIONS)
        if op == "clear" and r.random() < 0.7:
            op = "add"
        if s and r.random() < 0.5 and op not in ("add", "update"):
            values = r.sample(list(s), min(len(s), len(values))) + values[: r.randrange(3)]
        other = set(values)
        if op in ("add", "discard"):
            getattr(s, op)(values[0])
        elif op == "pop":
            s and s.pop()
        elif op == "clear":
            s.clear()
        elif op == "copy":
            s = s.copy()
        elif op == "fromkeys":
            s.update(dict.fromkeys(values))
        elif op.endswith("="):
            s = {"|": s.__ior__, "&": s.__iand__, "-": s.__isub__, "^": s.__ixor__}[op[0]](other)
        elif op[0] == "r":
            s = getattr(other, BINARY[op[1]])(s)
        elif op in BINARY:
            s = getattr(s, BINARY[op])(other)
        else:
            changed = getattr(s, op)(values)
            s = s if changed is None else changed
        log.append([op, "[" + ", ".join(map(repr, values)) + "]", repr(list(s))])
    return log


with open(os.path.join(here, "set-histories.jsonl"), "w") as f:
    for _ in range(80):
        f.write(json.dumps(history()) + "\n")
