x = ValueError("x")
for bad in ({}, [], 3):
    try:
        try:
            bad["k"]
        except (KeyError, TypeError):
            raise x
    except ValueError:
        print(repr(x.__context__), x.__cause__, x.__suppress_context__)
try:
    try:
        1 / 0
    except ZeroDivisionError as a:
        try:
            raise KeyError("b") from a
        except KeyError as b:
            raise a
except ZeroDivisionError as e:
    print(repr(e), repr(e.__context__), e.__context__.__context__, repr(e.__context__.__cause__))
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise RuntimeError("r") from None
except RuntimeError as e:
    print(repr(e.__context__), e.__cause__, e.__suppress_context__)
for kinds in [(ValueError, 42), ((ValueError, KeyError), TypeError), 42, (KeyError, "a")]:
    try:
        try:
            raise ValueError("v")
        except kinds:
            print("caught")
    except TypeError as e:
        print(e, repr(e.__context__))
e = ValueError("a", 2)
try:
    e.__notes__
except AttributeError as x:
    print(x)
e.add_note("one")
e.add_note("two")
print(e.__notes__, e.args, repr(e))
for bad in (3, None, b"x"):
    try:
        e.add_note(bad)
    except TypeError as x:
        print(x)
try:
    e.add_note()
except TypeError as x:
    print(x)
