from string import Template
import string
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e, e.args)
s = Template("$who likes ${what}ish, costs $$5 and $_x1 $Who")
print(s.substitute(who="tim", what="kung", _x1=[1], Who=None), s.safe_substitute(who="tim"), s.get_identifiers(), s.is_valid(), s.template, s.delimiter)
print(s.substitute({"who": 1, "what": 2, "_x1": 3, "Who": 4}), s.substitute({"who": 1, "what": 2, "_x1": 3, "Who": 4}, who="over"), s.safe_substitute({}, what=7), s.safe_substitute())
t(lambda: s.substitute()); t(lambda: s.substitute(who=1)); t(lambda: s.substitute({}, {})); t(lambda: s.substitute(None)); t(lambda: s.substitute([1])); t(lambda: s.safe_substitute(5)); t(lambda: s.is_valid(1)); t(lambda: s.get_identifiers(x=1)); t(lambda: Template()); t(lambda: Template(1, 2)); t(lambda: Template(x=1)); t(lambda: Template(5).substitute()); t(lambda: Template(b"$x").substitute(x=1)); t(lambda: Template(template="$a").substitute(a=1))
for bad in ["$", "100$", "a $ b", "$1x", "${a", "${}", "${1}", "${a b}", "$é", "$aé", "l1\nl2 $- x", "a\r\nb\rc$", "日本😀$!", "$$$", "${a$b}", "$$a", "$a$b$a", "no marks", ""]:
    t(lambda: Template(bad).substitute(a="A", b="B"))
    t(lambda: Template(bad).safe_substitute(a="A", b="B"))
    print(Template(bad).is_valid(), Template(bad).get_identifiers())
print(type(s), type(s).__name__, isinstance(s, Template), string.Template is Template, s == s, s == Template(s.template), len({s, s}), Template)
from collections import ChainMap, defaultdict
d = defaultdict(lambda: "?", a=1)
print(Template("$a $b $c").substitute(d), dict(d), Template("$a $b").substitute(ChainMap({"a": 1}, {"b": 2})), Template("$a $b").safe_substitute(ChainMap({"a": 1}), c=1), Template("$mapping $self").substitute(mapping=1, self=2) if False else "", Template("$a").substitute(a="$b"))
t(lambda: s.foo)
class_ = [Template(x).substitute for x in ("$x",)]
print(class_[0](x=5), [f(x=1) for f in map(lambda t: t.substitute, [Template("$x-$x")])])
