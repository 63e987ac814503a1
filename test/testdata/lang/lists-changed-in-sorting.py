from functools import cmp_to_key
import re
def there_and_back(x, y):
    L.append(3)
    L.pop()
    return (x > y) - (x < y)
def away(x, y):
    L.append(3)
    del L[:]
    return (x > y) - (x < y)
def looks(x, y):
    return len(L) + (x > y) - (x < y)
def nothing(x, y):
    L.clear()
    L.reverse()
    L.extend([])
    L[:] = []
    return (x > y) - (x < y)
def put(x, y):
    L.append(x)
    return 0
for cmp in (there_and_back, away, looks, nothing, put):
    L = [2, 1, 3]
    try:
        L.sort(key=cmp_to_key(cmp))
        print(L)
    except ValueError as e:
        print(e, L)
L = [3, 1, 2]
L.sort(key=lambda x: (L[:] == [], x))
print(L, [*L], L.index(3))
L.append(9)
M = L
L.sort(key=lambda x: -x)
print(M is L, M)
print(repr(re.compile("a").groupindex), re.compile("a").groupindex)
def nested(x):
    L.sort()
    return x
L = [2, 1]
L.sort(key=nested)
print(L)
