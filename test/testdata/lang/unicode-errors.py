for make in [lambda: "é".encode("ascii"), lambda: b"a\xff\xfe".decode("utf-8"), lambda: "a€".encode("latin-1")]:
    try:
        make()
    except UnicodeError as e:
        print(e.encoding, repr(e.object), e.start, e.end, e.reason, e.args, e)
u = UnicodeTranslateError("xyz", 1, 3, "why")
print(u, u.object, u.start, u.end, u.reason, repr(u))
print(UnicodeTranslateError("xyz", 1, 2, "why"), UnicodeTranslateError("x☃z", 1, 2, "why"), UnicodeTranslateError("x😀z", 1, 2, "why"))
try:
    ValueError("a").start
except AttributeError as e:
    print(e)
