def t(f, *a):
    try: print(f(*a))
    except Exception as e: print(type(e).__name__, e)
def u(f, *a):
    try: print(f(*a))
    except Exception as e: print(type(e).__name__, e)
def bad(z):
    x = 1
    return 3 % z
def caller(z):
    y = bad(z)
    return y
for i in range(3):
    t(bad, 0); t(caller, 0); t(bad, 2); t(caller, 2)
def fin(z):
    try:
        return caller(z)
    finally:
        print("fin", bad(2))
t(fin, 0); t(fin, 0); t(fin, 2)
def nested(z):
    try:
        try:
            caller(z)
        finally:
            caller(0)
    except ZeroDivisionError as e:
        return repr(e.__context__), repr(e.__context__.__context__)
t(nested, 0); t(nested, 1)
try:
    try:
        [][1]
    except IndexError:
        {}["k"]
except KeyError as e:
    print(repr(e.__context__), e.__cause__)
try:
    try:
        raise ValueError(1)
    except ValueError as v:
        raise KeyError(2) from v
except KeyError as e:
    print(repr(e.__context__), repr(e.__cause__))
def g():
    try:
        return caller(0)
    except ZeroDivisionError:
        return caller(5)
    finally:
        u(caller, 0)
print(g(), g())
def loop():
    out = []
    for i in range(4):
        try:
            out.append(caller(i % 2))
        except ZeroDivisionError:
            continue
        finally:
            out.append(i)
    return out
print(loop())
try:
    raise
except RuntimeError as e:
    print(e)
def reraise():
    try:
        bad(0)
    except ZeroDivisionError:
        u(caller, 0)
        raise
t(reraise); t(reraise)
