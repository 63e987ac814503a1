def t(f, *a):
    try: print(f(*a))
    except Exception as e: print(type(e).__name__, e)
# attributes & methods of every builtin type
vals = [1, True, 1.5, 2j, "s", b"b", [1], (1,), {1: 2}, {1}, frozenset({1}), range(3), slice(1), None, ValueError("x"), iter([]), iter(()), iter(""), iter({}), iter(set()), iter(range(3)), enumerate([]), zip(), map(str, []), filter(None, []), reversed([]), {}.keys(), {}.items(), {}.values(), int, len, [].append, lambda: 0, (x for x in []), ..., iter(b""), reversed({}), reversed(range(3)), str.upper]
for v in vals:
    print(type(v).__name__, type(v))
    for bad in ["nope"]:
        try:
            v.nope
        except AttributeError as e:
            print(e)
    try:
        v[0]
    except Exception as e:
        print(type(e).__name__, e)
    try:
        v[0] = 1
    except Exception as e:
        print(type(e).__name__, e)
    try:
        del v[0]
    except Exception as e:
        print(type(e).__name__, e)
    try:
        len(v)
    except Exception as e:
        print(type(e).__name__, e)
    try:
        v()
    except Exception as e:
        print(type(e).__name__, e)
    try:
        v + v
    except Exception as e:
        print(type(e).__name__, e)
    try:
        -v
    except Exception as e:
        print(type(e).__name__, e)
    try:
        v < v
    except Exception as e:
        print(type(e).__name__, e)
    try:
        1 in v
    except Exception as e:
        print(type(e).__name__, e)
    try:
        a, b = v
    except Exception as e:
        print(type(e).__name__, e)
    try:
        for q in v: pass
    except Exception as e:
        print(type(e).__name__, e)
    try:
        print(*v)
    except Exception as e:
        print(type(e).__name__, e)
    try:
        {**v}
    except Exception as e:
        print(type(e).__name__, e)
    try:
        {v: 1}
    except Exception as e:
        print(type(e).__name__, e)
    try:
        print(int(v))
    except Exception as e:
        print(type(e).__name__, e)
    try:
        print(f"{v:5}")
    except Exception as e:
        print(type(e).__name__, e)
    try:
        print("%d" % v)
    except Exception as e:
        print(type(e).__name__, e)
    try:
        print([0, 1, 2][v])
    except Exception as e:
        print(type(e).__name__, e)
    try:
        "a" * v
    except Exception as e:
        print(type(e).__name__, e)
    try:
        "a".join(v)
    except Exception as e:
        print(type(e).__name__, e)
    try:
        isinstance(1, v)
    except Exception as e:
        print(type(e).__name__, e)
    try:
        raise v
    except TypeError as e:
        print(type(e).__name__, e)
    except Exception as e:
        pass
    try:
        match v:
            case [x]: print("seq", x)
            case {1: y}: print("map", y)
            case int(): print("int")
            case _: print("other")
    except Exception as e:
        print(type(e).__name__, e)
