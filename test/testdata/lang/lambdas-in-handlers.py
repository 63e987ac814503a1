for f in [lambda: b"a" + "b", lambda: len(3), lambda: "a" < 1, lambda: [1][0.5], lambda: {}[[]], lambda: int([]), lambda: "a" * 2.0, lambda: None.x, lambda: (3)(4), lambda: sorted([1, "a"])]:
    try:
        print(f())
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
