from collections import deque, ChainMap, namedtuple
l = []
d = deque([l])
l.append(d)
print(l, d)
m = {}
d2 = deque([m]); m["d"] = d2
print(m, d2, [m])
c = ChainMap({"v": None})
c["v"] = c.values()
print(c, c.values())
x = deque([1])
for _ in range(50):
    x = deque([x, [x]][:1])
print(len(repr(x)), str(x)[:30])
P = namedtuple("P", "a"); q = []; p = P(q); q.append(p); print(p, q)
