def f0(*a, **k):
    return a, k
def say(x):
    print("say", x)
    return x
for call in [lambda: f0(*3, **{"y": [].q}), lambda: f0(*3, y=[].setdefault(1)), lambda: f0(*say([1, 2]), y=say(3)), lambda: f0(*map(say, [1, 2]), y=say(3)), lambda: f0(*map(say, [1, 2]), **say({"z": 1}), w=say(4)), lambda: f0(1, *map(say, [1, 2]), y=say(3)), lambda: f0(*[1], **{"a": 1}, a=say(2)), lambda: f0(*say(5), y=say(6)), lambda: dict(*say([[("a", 1)]]), b=say(2)), lambda: "x".join(*map(say, [["a", "b"]]), **say({})), lambda: sorted(*say([[3, 1, 2]]), key=(say("key"), lambda v: -v)[1]), lambda: [3, 1].sort(*say([]), reverse=say(True)), lambda: f0(*(say(i) for i in range(2)), k=say("k")), lambda: f0(*say(None), **say(7))]:
    try:
        print(call())
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
args = [1, 2]
kw = {"a": 1}
print(f0(*args, **kw), f0(*args, a=1), f0(*args, a=len(args)), max(*args, key=lambda v: -v))
