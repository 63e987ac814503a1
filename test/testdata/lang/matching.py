def f(v):
    match v:
        case 0 | 1:
            return "small"
        case int(n) if n > 100:
            return f"big {n}"
        case int():
            return "int"
        case str() as s if len(s) > 3:
            return "long " + s
        case "a" | "b":
            return "ab"
        case [x]:
            return f"one {x}"
        case [x, y]:
            return f"two {x} {y}"
        case [x, *rest, z]:
            return f"many {x} {rest} {z}"
        case {"type": "point", "x": px, **more}:
            return f"point {px} {more}"
        case {}:
            return "dict"
        case None:
            return "none"
        case True:
            return "true"
        case float(q):
            return f"float {q}"
        case _:
            return "other"
for v in [0, 1, 5, 500, "abcd", "a", "zz", [1], (1, 2), [1, 2, 3, 4], [], {"type": "point", "x": 3, "c": 1}, {"q": 1}, None, 2.5, {1}, True]:
    print(repr(v), f(v))
def g(cmd):
    match cmd.split():
        case ["go", ("north" | "south") as d]:
            return d
        case ["take", *items]:
            return items
        case [a, b] if a == b:
            return "same"
        case _:
            return None
print(g("go north"), g("go up"), g("take a b"), g("x x"), g("x y"))
match (1, (2, [3, 4])):
    case (a, (b, [c, *d])):
        print(a, b, c, d)
match {"a": {"b": [1, 2]}}:
    case {"a": {"b": [_, second]}}:
        print(second)
match 3:
    case -3 | 3:
        print("three")
match 1.0:
    case 1:
        print("equal")
match "x":
    case str(y):
        print(y)
match [1, 2, 3]:
    case [1, x] | [1, x, 3]:
        print(x)
