import math
import json
import re
from collections import Counter, defaultdict, deque, namedtuple
from itertools import chain, groupby, combinations
import functools as ft
import statistics
import operator
import string

print(math.pi, math.sqrt(16), math.floor(-2.5), math.gcd(12, 18))
data = json.loads('{"a": [1, 2.5, null, true], "b": {"c": "x"}}')
print(data, json.dumps(data, sort_keys=True, indent=1))
try:
    json.loads("{bad")
except json.JSONDecodeError as e:
    print(e.msg, e.pos, isinstance(e, ValueError))
m = re.search(r"(\d+)-(\w+)", "id 42-abc")
print(m.group(0), m.groups(), re.sub(r"\d", "#", "a1b22"), re.findall(r"[a-z]+", "ab 12 cd"))
c = Counter("mississippi")
print(c, c.most_common(2))
d = defaultdict(list)
for w in ["apple", "avocado", "bean"]:
    d[w[0]].append(w)
print(dict(d), sorted(d))
q = deque([1, 2, 3], maxlen=3)
q.append(4)
q.rotate(1)
print(q, len(q))
P = namedtuple("P", "x y")
p = P(1, y=2)
print(p, p.x + p.y, p._replace(x=9), p == (1, 2))
print(list(chain([1], (2, 3))), [(k, len(list(g))) for k, g in groupby("aabccc")], list(combinations("abc", 2)))
print(ft.reduce(lambda a, b: a * b, range(1, 6)), ft.partial(pow, 2)(5), sorted([3, 1, 2], key=ft.cmp_to_key(lambda a, b: b - a)))
print(statistics.mean([1, 2, 3, 4]), statistics.median([5, 1, 3]), statistics.stdev([1.0, 2.0, 4.0]))
print(sorted([("b", 2), ("a", 3)], key=operator.itemgetter(1)), operator.add(2, 3), string.ascii_lowercase[:5])
def apply(f, *xs):
    return [f(x) for x in xs]
print(apply(math.factorial, 3, 4), apply(str.upper, "a", "b"), apply(P._make, [5, 6]))
match p:
    case P(x=a, y=b):
        print("point", a, b)
