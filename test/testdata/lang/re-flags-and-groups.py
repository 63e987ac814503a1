import re
print(re.I | re.S | re.U, re.compile("a", re.I | re.S | re.U | re.X), 1191936 | re.I, repr(re.I | re.S | re.X | 1 << 20), ~re.I, ~(re.I | re.S | re.X), repr(~(re.I | re.S | re.X | 1 << 20)))
print((re.I | re.M) & ~re.I, re.A, re.NOFLAG, re.I ^ re.I, bool(re.I & re.M), int(re.I | re.M) if False else (re.I | re.M).value, re.I.name, (re.I | re.U | re.S).name)
print(re.sub("(?P<a>x)", "[\\g<+1>]", "xx"), re.sub("()" * 10, "\\g<1_0>", "xx"), re.sub("(x)", "\\g< 1 >", "x"), re.compile("()(?(+1)a|b)"))
for p in ["(a)b(?<=(?(2)b|x))(c)", "(?<=a*)b", "(?(-1)a)", "(?(1__0)a)", "(?(a b)c)"]:
    try:
        print(re.compile(p))
    except re.error as e:
        print(e, e.pos, e.pattern, e.lineno, e.colno)
for t in ["\\g<-1>", "\\g<1_>", "\\g<x y>", "\\g<2>"]:
    try:
        print(re.sub("(x)", t, "x"))
    except re.error as e:
        print(e)
m = re.compile('(?P<a>x)(?P<b>y)?').groupindex
print(m['a'], dict(m), len(m), list(m), 'a' in m, m.get('z'), sorted(m.items()), m)
print(m == {'a': 1, 'b': 2}, type(m))
try:
    m['z'] = 1
except TypeError as e:
    print(e)
