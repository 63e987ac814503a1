from itertools import accumulate, takewhile, filterfalse, starmap


def stop(x):
    if x > 1:
        raise StopIteration(x, "why")
    return x


for it in [map(stop, [0, 5, 1]), filter(stop, [1, 7, 1]), accumulate([0, 1, 9], lambda a, b: stop(b)), takewhile(stop, [1, 4]), starmap(stop, [(1,), (3,)])]:
    try:
        for _ in range(4):
            print(next(it))
    except StopIteration as e:
        print(repr(e), e.value, e.args)
    print(next(it, "default"))
it = map(stop, [5, 6])
for x in it:
    print(x)
try:
    next(it)
except StopIteration as e:
    print(repr(e))
try:
    next(it)
except StopIteration as e:
    print(repr(e), e.value)
try:
    map(stop, [3]).__next__()
except StopIteration as e:
    print(repr(e), e.value)
print(list(map(stop, [1, 0, 2, 1])), sum(filter(stop, [1, 1, 8, 1])))
try:
    next(iter([]))
except StopIteration as e:
    print(repr(e), e.value)
