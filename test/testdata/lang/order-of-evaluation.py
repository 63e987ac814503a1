def t(f, *a):
    try: print(f(*a))
    except Exception as e: print(type(e).__name__, e)
log = []
one, five, number = [1, 5, len][0:3]

def say(x):
    log.append(x)
    return x
# what is evaluated before what fails
for f in [lambda: one.nope(say(1)), lambda: {log: say(2), 3: say(3)}, lambda: str(one).join(say(4), say(5)), lambda: [1][say(6)], lambda: number(say(7), say(8))]:
    t(f)
    print(log)
    log.clear()
print(say(1) + 2, log)
t(lambda: one.nope([say(10) for _ in range(2)]))
print(log)
try:
    print("written", 1, 10 ** 5000)
except ValueError as e:
    print("|", type(e).__name__)
print(set({1: 2}.keys()) & frozenset([1]), {1: 2}.keys() & frozenset([1, 5]))
t(lambda: "ab" * 10 ** 20); t(lambda: b"ab" * 2 ** 63)
t(lambda: {**{1: 2}, log: 4}); t(lambda: {1: 2, **five})
t(lambda: {i: i for i in [[]]})
def outer():
    def inner(a, *, k): return a
    return inner
t(lambda: outer()()); t(lambda: outer()(1)); t(lambda: outer()(1, 2)); t(lambda: outer()(1, z=1)); t(lambda: outer()(*five)); t(lambda: outer()(**five)); t(lambda: outer()(1, k=1, **{"k": 2}))
print(outer().__qualname__, outer.__name__, (lambda: 0).__qualname__)
