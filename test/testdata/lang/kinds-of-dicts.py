from collections import OrderedDict, namedtuple, Counter, deque, defaultdict
o = OrderedDict(a=1, b=2, c=3)
print(o.keys(), o.items(), o.values(), iter(o).__class__.__name__, type(o.keys()), o.keys() & {'a'}, sorted(o.keys() | {'z'}), o.items() & {('a', 1)})
try:
    for k in o:
        o[k + 'x'] = 1
except RuntimeError as e:
    print(e)
o = OrderedDict(a=1, b=2)
for k in o:
    if k == 'b':
        o['z'] = 1
print(o)
try:
    for k in o:
        o.move_to_end(k)
except RuntimeError as e:
    print(e)
try:
    for k in o:
        del o[k]
        o[k] = 3
except RuntimeError as e:
    print(e)
for k in o:
    o[k] = 9
print(o)
try:
    for k in o.copy():
        o.clear()
    print(o)
except RuntimeError as e:
    print(e)
P = namedtuple('P', 'x y')
print(P, type(P(1, 2)), P.x if False else '', P._make, P(3, 4)._replace(x=1), P._replace(P(1, 2), x=5), P.index(P(1, 2), 2)) if False else print(P, type(P(1, 2)))
print(P._replace(P(1, 2), x=5), P.index(P(1, 2), 2), P._asdict(P(1, 2)))
c = Counter('aab')
Counter.update(c, 'zz')
print(c, Counter.most_common(c, 1), list(Counter.elements(c)), sorted(map(Counter.total, [c])))
d = deque([1])
deque.append(d, 2)
print(d, OrderedDict.popitem(OrderedDict(a=1)), deque.append)
Q = namedtuple('Q', 'a b', module='zz')
print(Q, Q(1, 2))
print(list(map(Counter.most_common, [c, c])))
