from collections import deque
d = deque("ab")
d.extend(d)
print(d)
d += d
d.extendleft(d)
print(d, len(d))
d = deque([1, 2, 3], maxlen=4)
d.extend(d)
print(d)
