"""Programs at random over the served library: what is done to a counter, a deque, a namedtuple, one thing after another, and what it
is after each. A JSON list of sources on stdout, one a seed, filled in from library-templates.txt.

    python3.11 library_programs.py <first seed> <count>
"""
import json
import random
import re
import sys
from pathlib import Path

POOLS = {
    "v": "None|0|1|2|-1|''|'a'|'b'|'ab'|()|(1, 2)|False|True|1.5|frozenset([1])|b'a'|[None]|P(1)|Q(None, 0)|Counter('a')".split("|"),
    "k": "'a'|'b'|0|1|None|(1, 2)|-1|True|''|1.0|k|i".split("|"),
    "s": "[]|[None]|[1, 2, 3]|'abc'|(0, None, '')|range(4)|{'a': 1, 'b': None}|{'a': 2, None: 3}|[(1, 2), ('a', None)]|(x for x in [0, None, 1])|iter('ba')|"
    "map(lambda v: v, [3, 0])|{1}|set()|Counter('aab')|deque([1, None])|OrderedDict(a=None)|ChainMap({'a': 0}, {'b': None})|defaultdict(int, a=5)|P(1)|"
    "[[1], []]|zip('ab', [1, 2])|filter(None, [0, 1, 2])|(v for v in 'aabb')".split("|"),
    "f": "(lambda v: v)|(lambda v: None)|(lambda v: str(v))|(lambda v: bool(v))|None|repr|(lambda v: (v is None, str(v)))|len|type".split("|"),
    "g": "(lambda a, b: b)|(lambda a, b: None)|(lambda a, b: (a, b))|(lambda a, b: str(a) + str(b))|max|operator.add".split("|"),
    "obj": "Counter('aab')|Counter()|defaultdict(int)|defaultdict(list, a=[1])|OrderedDict(a=1, b=None)|ChainMap({'a': 1}, {'b': 2, 'a': 3})|deque([1, 2, 3])|"
    "deque('abc', 3)|{'a': 1, 'b': None}|[1, None, 'a']|{}|[]|[[1], [2]]|{'a': {'b': [0]}}|P(1, [2])|'abc'|(1, [2], 3)|range(4)|{1, 2}|b'ab'|"
    "ChainMap(Counter('aa'))|defaultdict(Counter)|deque([[1], {}])".split("|"),
    "op": "+ - * // % ** | & ^ << >> /".split(),
    "cmp": "<|<=|==|!=|>|>=|in|not in|is|is not".split("|"),
    "at": "0|-1|5|1:|::-1|:1|0:2|::2|-2:".split("|"),
    "args": ["", "§v", "§v, §v", "x=§v", "§v, y=§v", "§v, §v, §v", "*(1, None)", "**{'y': None}", "§v, z=3"],
}

HEAD = """import functools, itertools, json, operator, re, statistics, string
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
P = namedtuple('P', 'x y z', defaults=[None, 0])
Q = namedtuple('Q', ['x', 'y'])
S = namedtuple('S', 'x, y', defaults=('', False))
E = namedtuple('E', '')
def f(x, y=None, *z, w=0, **k):
    return x, y, z, w, k
def g(x, /, y=0, *, w=None):
    return x, y, w
F = [f, g, lambda x=None, y=None: (x, y), lambda x, y=None, *z, w=0: (x, y, z, w)]
def fn(*a, **k):
    return a, k
def match_it(v):
    match v:
        case P(x=None): return 'px none'
        case P(x, y, z) if z: return ('pxyz', x, y, z)
        case Q(x, y=0): return ('q', x)
        case Counter(c) if c: return ('counter', dict(c))
        case (a, b): return ('two', a, b)
        case {'x': None, **r}: return ('map', r)
        case int(n) | float(n): return ('num', n)
        case str(s): return s
        case [None]: return 'one none'
        case tuple() | list(): return ('seq', len(v))
    return 'other'
def show(v):
    return dict(v) if isinstance(v, defaultdict) else v
def t(i, f, o):
    try:
        s = repr(show(f(o)))
    except Exception as e:
        s = type(e).__name__ + ' ' + str(e)
    print(i, s if 'object>' not in s and ' at 0x' not in s and 'function' not in s else '-', show(o))
k, i, x = 'a', 0, None
"""


def kinds():
    found = {}
    for line in (Path(__file__).parent / "library-templates.txt").read_text().split("\n"):
        if line.startswith("## "):
            inits, lines = found.setdefault(line[3:], ([], []))
        elif line.startswith("= "):
            inits.append(line[2:])
        elif line and not line.startswith("#"):
            lines.append(line)
    return found


KINDS = kinds()


def program(seed):
    pick = random.Random(seed)

    def filled(template):
        while "§" in template:
            template = re.sub(r"§(args|obj|cmp|op|at|[vksfg])", lambda m: pick.choice(POOLS[m[1]]), template)
        return template

    kind = pick.choice(sorted(KINDS))
    inits, lines = KINDS[kind]
    out = [HEAD + f"o = {filled(pick.choice(inits))}"]
    for i in range(10):
        line = filled(pick.choice(lines))
        if kind.endswith("!"):
            body = "\n".join("    " + part.replace("→", "    ") for part in line.split("↵"))
            out.append(f"try:\n{body}\nexcept Exception as e:\n    print(type(e).__name__, e)\nprint({i}, show(o), x)")
        else:
            out.append(f"t({i}, lambda o: ({line}), o)")
    return "\n".join(out)


first, count = int(sys.argv[1]), int(sys.argv[2])
json.dump([program(seed) for seed in range(first, first + count)], sys.stdout)
