def f(kind):
    log = []
    try:
        log.append("body")
        if kind == "value":
            int("x")
        elif kind == "key":
            {}["k"]
        elif kind == "zero":
            1 / 0
        elif kind == "return":
            return log
        log.append("end")
    except ValueError as e:
        log.append(f"value {e}")
    except (KeyError, IndexError) as e:
        log.append(f"lookup {e!r} {e}")
    else:
        log.append("else")
    finally:
        log.append("finally")
    return log

for k in ["", "value", "key", "return"]:
    print(k, f(k))
try:
    f("zero")
except ZeroDivisionError as e:
    print("out", e, e.args)
def g():
    for i in range(5):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            print("loop", i)
        finally:
            print("fin", i)
    else:
        print("no break")
    return "done"
print(g())
def h():
    try:
        return "try"
    finally:
        return "finally"
print(h())
def nested():
    try:
        try:
            raise ValueError("inner")
        finally:
            print("inner finally")
    except ValueError as e:
        try:
            raise KeyError("second") from e
        except KeyError as k:
            return str(k), k.args
print(nested())
def reraise():
    try:
        try:
            raise ValueError("a", 1)
        except ValueError:
            raise
    except Exception as e:
        return type(e).__name__, e.args, str(e)
print(reraise())
try:
    raise RuntimeError
except RuntimeError as e:
    print(repr(e), str(e) == "")
try:
    assert 1 == 2, "no " + "way"
except AssertionError as e:
    print(repr(e))
try:
    assert []
except AssertionError as e:
    print(repr(e))
try:
    e = 5
    try:
        raise ValueError("x")
    except ValueError as e:
        pass
    print(e)
except NameError as err:
    print("NameError", err)
for exc in [ValueError, KeyError, IndexError, TypeError]:
    try:
        raise exc("m")
    except LookupError as e:
        print("lookup", type(e).__name__, e)
    except Exception as e:
        print("other", type(e).__name__, e)
def deep(n):
    out = []
    for i in range(n):
        try:
            try:
                out.append(10 // (i - 1))
            except ZeroDivisionError:
                out.append("z")
                raise ValueError(i)
            finally:
                out.append("f")
        except ValueError as v:
            out.append(str(v))
    return out
print(deep(3))
try:
    [][5]
except IndexError as e:
    print(e)
try:
    (1, 2)[7]
except IndexError as e:
    print(e)
try:
    "abc".nope
except AttributeError as e:
    print(e)
try:
    len(5)
except TypeError as e:
    print(e)
try:
    a, b = 1, 2, 3
except ValueError as e:
    print(e)
try:
    a, b, *c = [1]
except ValueError as e:
    print(e)
try:
    a, b = 5
except TypeError as e:
    print(e)
