print(int | None, int | type(None), type(None) | str, isinstance(None, int | type(None)), (int | None) == (type(None) | int))
for kw in [{"x": 3}, {"start": 5}, {"start": 3, "x": 2}, {"iterable": [1], "start": 3}, {"iterable": [1]}]:
    try:
        print(list(enumerate(**kw)))
    except TypeError as e:
        print(e)
for v in (3, 3.0, "a", [1]):
    try:
        v.__format__(None)
    except TypeError as e:
        print(e)
