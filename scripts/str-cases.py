#!/usr/bin/env python3.11
"""Records what CPython 3.11 answers for methods of str and bytes (test/testdata/str-methods.jsonl), and one number for
each table of Unicode over every code point (test/testdata/unicode-digest.json).

    python3.11 scripts/str-cases.py

One case a line: [method, self, args, kwargs, answer]. Values: texts, ints, true, null as in JSON; {"i": digits} a big
int, {"f": text} a float, {"b": hex} bytes, {"t": […]} a tuple, {"d": [[k, v]…]} a dict, a list a list.
An answer is {"v": value} or {"e": [class, message]}. Seeded, so that a second run writes the same file.
"""
import ast
import json
import random
import unicodedata
from pathlib import Path

random.seed(14)
TEXTS = [
    "", "a", "abc", "Hello World", "hello hello", " \t lead and trail \n", "a,b,,c", "aXbXc", "line1\nline2\r\nline3\rline4\x0b\x0cx\u2028y\x85z",
    "ß", "ŉ", "ﬁn", "Ǆ ǅ ǆ", "Σίσυφος", "ΑΣ", "ΑΣ.", "Σ", "aΣb", "AΣ\u0301", "A\u0301Σ", "İstanbul", "ıI", "ÀÉÎ", "x\u0301y", "😀", "a😀b😀c", "😀😀a😀",
    "\U00010400\U00010428", "\u00a0x\u3000", "\x1c\x1dab\x1e\x1f", "٣٤", "²³½", "一二三", "a_b1", "1a", "_", "def", "tab\tsep\tend", "\t", "a\tb\r\tc\n\td",
    "+42", "-7", "--5", "'", "\"", "'\"", "\\", "\x00\x7f\x80\xad\u0378\ue000\uffff", "don't stop", "they're bill's", "\u02b0a", "\u1d2cB",
    "a" * 70, "ab" * 40 + "😀" + "cd" * 40, ("x😀" * 50) + "end", "Ⅷⅷ", "ʰ", "ª", "ⓐⒶ", "{} {a}", "\ufdfa", "Å", "\u1e9e", "ͅα", "ᾳ", "\u0345",
]
BYTES = [b"", b"a", b"abc", b"Hello World", b" \t lead \n", b"a,b,,c", b"l1\nl2\r\nl3\rl4\x0b\x0c\x85", b"\x00\xff\x80'\"\\", b"tab\tx\r\ty", b"+42", b"-7",
         b"aXbXc", b"123", b"a1B2", b"don't", b"\xe2\x82\xac", b"\xff\xfe", b"a" * 40]
SUBS = ["", "a", "b", "l", "lo", "x", "😀", " ", "X", "Σ", "\n", ",", "abc", "\u0301", "😀c", "e"]
BSUBS = [b"", b"a", b"b", b"l", b"lo", b" ", b"X", b"\n", b",", b"abc", 97, 0, 255]
INTS = [-3, -1, 0, 1, 2, 3, 5, 8, 13, 100, None]
PLAIN = "capitalize casefold isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper lower swapcase title upper".split()
BPLAIN = "capitalize isalnum isalpha isascii isdigit islower isspace istitle isupper lower swapcase title upper".split()
cases = []
seen = set()


def put(v):
    if v is None or isinstance(v, (bool, str)):
        return v
    if isinstance(v, int):
        return v if abs(v) < 2**53 else {"i": str(v)}
    if isinstance(v, float):
        return {"f": repr(v)}
    if isinstance(v, bytes):
        return {"b": v.hex()}
    if isinstance(v, tuple):
        return {"t": [put(x) for x in v]}
    if isinstance(v, list):
        return [put(x) for x in v]
    if isinstance(v, dict):
        return {"d": [[put(k), put(x)] for k, x in v.items()]}
    raise TypeError(v)


def add(name, self, *args, **kwargs):
    key = repr((name, self, args, kwargs))
    if key in seen:
        return
    seen.add(key)
    try:
        # A call as a program writes it: through `*args` CPython words some complaints otherwise.
        told = [f"args[{i}]" for i in range(len(args))] + [f"{k}=kwargs[{k!r}]" for k in kwargs]
        answer = {"v": put(eval(f"self.{name}({', '.join(told)})", {"self": self, "args": args, "kwargs": kwargs}))}
    except Exception as e:
        answer = {"e": [type(e).__name__, str(e)]}
    cases.append([name, put(self), [put(a) for a in args], {k: put(v) for k, v in kwargs.items()}, answer])


def any_text():
    if random.random() < 0.6:
        return random.choice(TEXTS)
    return "".join(random.choice("aAbB zZ1_,\t\nΣσßéÉ😀\u0301İ\u00a0l") for _ in range(random.randrange(9)))


def any_bytes():
    if random.random() < 0.6:
        return random.choice(BYTES)
    return bytes(random.choice(b"aAbB zZ1_,\t\n\r\xe9\xff") for _ in range(random.randrange(9)))


def any_bounds():
    return [random.choice(INTS) for _ in range(random.randrange(3))]


for text in TEXTS:
    for name in PLAIN:
        add(name, text)
    for name in ("split", "rsplit", "splitlines", "strip", "lstrip", "rstrip", "expandtabs"):
        add(name, text)
    add("splitlines", text, True)
for data in BYTES:
    for name in BPLAIN:
        add(name, data)
    for name in ("split", "rsplit", "splitlines", "strip", "lstrip", "rstrip", "expandtabs", "hex", "decode"):
        add(name, data)
    add("splitlines", data, True)
for _ in range(330):
    text = any_text()
    sub = random.choice([random.choice(SUBS), text[1:3], any_text()[:2]])
    name = random.choice("find rfind index rindex count startswith endswith".split())
    add(name, text, sub, *any_bounds())
    add(random.choice(["startswith", "endswith"]), text, (sub, random.choice(SUBS)), *any_bounds())
    add(random.choice(["split", "rsplit"]), text, random.choice([sub, None]), random.choice([-1, 0, 1, 2, 5]))
    add(random.choice(["partition", "rpartition", "removeprefix", "removesuffix", "strip", "lstrip", "rstrip"]), text, sub)
    add("replace", text, sub, random.choice(SUBS), *random.choice([[], [-1], [0], [1], [2], [9]]))
    add(random.choice(["center", "ljust", "rjust"]), text, random.choice([-1, 0, 3, 4, 7, 8, 12]), *random.choice([[], ["*"], ["😀"]]))
    add("zfill", text, random.choice([0, 2, 5, 6]))
    add("expandtabs", text, random.choice([-1, 0, 1, 4, 8]))
    add("join", sub, [any_text()[:3] for _ in range(random.randrange(4))])
    add("translate", text, {ord(random.choice("aAbΣ😀l")): random.choice([None, "zz", 98, 0x1F600, ""]), 32: "_"})
    for name in random.sample(PLAIN, 2):
        add(name, text)
for _ in range(160):
    data = any_bytes()
    sub = random.choice([random.choice(BSUBS), data[1:3]])
    name = random.choice("find rfind index rindex count".split())
    add(name, data, sub, *any_bounds())
    sub = sub if isinstance(sub, bytes) else b"a"
    add(random.choice(["startswith", "endswith"]), data, random.choice([sub, (sub, b"b")]), *any_bounds())
    add(random.choice(["split", "rsplit"]), data, random.choice([sub, None]), random.choice([-1, 0, 1, 2, 5]))
    add(random.choice(["partition", "rpartition", "removeprefix", "removesuffix", "strip", "lstrip", "rstrip"]), data, sub)
    add("replace", data, sub, random.choice([b"", b"Q", b"xyz"]), *random.choice([[], [-1], [0], [1], [2]]))
    add(random.choice(["center", "ljust", "rjust"]), data, random.choice([-1, 0, 3, 4, 7, 8, 12]), *random.choice([[], [b"*"]]))
    add("zfill", data, random.choice([0, 2, 5, 6]))
    add("expandtabs", data, random.choice([-1, 0, 1, 4, 8]))
    add("hex", data, *random.choice([[":"], [b"-"], ["-", 2], ["-", -2], [" ", 3], ["_", -4], [":", 0], [], [":", 100]]))
    add("join", sub, [any_bytes()[:3] for _ in range(random.randrange(4))])
    add("translate", data, None, delete=sub)
ENCODINGS = ["utf-8", "ascii", "latin-1", "utf-16", "utf-16-le", "utf_16_be", "utf-32", "UTF 32 LE", "utf-32-be", "utf-8-sig", "U8", "iso8859-1", "nope", "hex", ""]
for _ in range(130):
    text = random.choice([any_text(), "é€", "a€😀é", "plain"])
    add("encode", text, random.choice(ENCODINGS), random.choice(["strict", "ignore", "replace", "xmlcharrefreplace", "backslashreplace", "nope"]))
for _ in range(420):
    size = random.randrange(7)
    data = bytes(random.choice(b"a\xc0\xc2\xe0\xe2\x82\xac\xed\x9f\xa0\xbf\x80\xf0\x90\x9f\x98\x80\xf4\x8f\xf5\xff\xfe\x00\x00\xd8\xdc") for _ in range(size))
    encoding = random.choice(ENCODINGS + ["utf-8"] * 12)
    errors = random.choice(["strict", "strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "nope"])
    add("decode", data, encoding, errors)
ERRORS = r'''
'a'.upper(1)|'a'.upper(x=1)|'a'.join()|'a'.join(1)|'a'.join(1,2)|'a'.join(x=1)|'a'.join([1])|'a'.join(['a',None])|'a'.center()|'a'.center(1,'a',3)|'a'.center('a')|'a'.center(2**70)
'a'.center(5,'ab')|'a'.center(5,1)|'a'.center(1.5)|'a'.ljust(5,b'a')|'a'.rjust(5,'')|'a'.count()|'a'.count(1)|'a'.count('a',1,2,3)|'a'.count('a','b')|'a'.count('a',x=1)|'a'.find()
'a'.find('a',2**70)|'a'.find('a',-2**70,2**70)|'a'.find('a',None,1.5)|'a'.find(1,'x')|'a'.index('b')|'a'.rindex('b')|'a'.rindex()|'a'.startswith()|'a'.startswith(1)|'a'.startswith((1,))
'a'.startswith('a',1,2,3)|'a'.endswith(1)|'a'.endswith(('b',1))|'a'.endswith(['a'])|'a'.startswith(1,'x')|'a'.encode(1)|'a'.encode('utf-8','x','y')|'a'.encode(foo=1)|'a'.encode(None)
'a'.encode('utf-8',encoding='x')|'a'.encode('a\0')|'a'.expandtabs('a')|'a'.expandtabs(2**40)|'a'.expandtabs(1,2)|'a'.expandtabs(tabsize=1,foo=2)|'a'.expandtabs(foo=2)|'a'.expandtabs(1.5)
'a'.partition()|'a'.partition(1)|'a'.partition('')|'a'.rpartition('')|'a'.rpartition(None)|'a'.removeprefix(1)|'a'.removeprefix(None)|'a'.removesuffix()|'a'.removesuffix(None)|'a'.replace('a')
'a'.replace('a','b','c')|'a'.replace(1,'b')|'a'.replace(None,'b')|'a'.replace('a',1)|'a'.replace('a',None)|'a'.replace('a','b',1,2)|'a'.replace('a','b',count=1)|'a'.replace('a','b',1.5)
'a'.replace('a','b',2**70)|'a'.split(1)|'a'.split('')|'a'.split('a','b')|'a'.split('a',1,2)|'a'.split(foo=1)|'a'.split('a',sep=1)|'a'.split(a=1,b=2,c=3)|'a'.split('a',1.0)|'a'.rsplit('')
'a'.rsplit(None,'a')|'a'.split(maxsplit=2**70)|'a b c'.split(maxsplit=1)|'a b c'.rsplit(maxsplit=1)|'a,b'.split(sep=',')|'a'.splitlines(1,2)|'a'.splitlines('a')|'a\nb'.splitlines(keepends=1)
'a'.splitlines(foo=1)|'a'.splitlines(True,keepends=True)|'a'.strip(1)|'a'.strip('a','b')|'a'.lstrip(b'a')|'a'.strip(chars='a')|'a'.strip(None)|'a'.translate()|'a'.translate(1)|'a'.translate({97:-1})
'a'.translate({97:0x110000})|'a'.translate({97:1.5})|'a'.translate({97:b'a'})|'a'.translate([])|'a'.translate('b'*98)|'a'.translate(None)|'a'.translate({97:True})|'a'.zfill()|'a'.zfill('a')|'a'.zfill(1.0)
'a'.zfill(2**70)|''.maketrans()|''.maketrans(1)|''.maketrans({'ab':1})|''.maketrans({'😀':1,5:None})|''.maketrans({1.5:1})|''.maketrans('a',1)|''.maketrans(1,'a')|''.maketrans('a','bc')
''.maketrans('a😀','b😀')|''.maketrans('ab','ba','c')|''.maketrans('a','b',1)|''.maketrans('a','b',None)|''.maketrans('a','b','c','d')|''.maketrans(x=1)|'a'.isidentifier(1)|'a'.splitlines(keepends=True,x=1)
b'a'.find()|b'a'.find('a')|b'a'.find(256)|b'a'.find(-1)|b'a'.find(1.5)|b'a'.count(256)|b'a'.index(b'b')|b'a'.rindex(b'b')|b'a'.startswith('a')|b'a'.startswith(('a',))|b'a'.join('a')|b'a'.join([1])
b'a'.join(1)|b'a'.join(['a'])|b'a'.split('a')|b'a'.split(b'')|b'a'.replace('a','b')|b'a'.replace(b'a','b')|b'a'.strip('a')|b'a'.center(3,'a')|b'a'.center(3,b'ab')|b'a'.center(3,1)|b'a'.translate('a')
b'a'.translate(b'a')|b'a'.translate(1)|b'a'.translate(None,'a')|b'a'.translate()|b'a'.translate(bytes(256),b'a',1)|b''.maketrans(b'a',b'ab')|b''.maketrans('a',b'ab')|b''.maketrans(b'a')|b'a'.hex(1)
b''.maketrans(b'ab',b'cd')|b'abc'.translate(b''.maketrans(b'ab',b'cd'))|b'a'.hex('ab')|b'a'.hex('é')|b'a'.hex(sep=':')|b'a'.hex(':',1.5)|b'a'.hex(':',1,2)|b''.fromhex('a')|b''.fromhex('zz')|b''.fromhex('aa zz')
b''.fromhex(1)|b''.fromhex('aaé')|b''.fromhex('zzé')|b''.fromhex(' 0A ff\n00 ')|b''.fromhex('a a')|b'a'.removeprefix('a')|b'a'.partition('a')|b'a'.partition(b'')|b'a'.zfill('a')|b'a'.upper(1)|b'a'.expandtabs('a')
b'a'.endswith(1)|b'a'.ljust(3,b'')|b'a'.decode('utf-8','strict','x')|b'a'.decode(foo=1)|b'a'.decode(1)|b'\xff'.decode('utf-8','xmlcharrefreplace')|b'a'.rsplit(1)|b'a'.rsplit(None,1.5)|b'a'.hex(':',2**40)
b'a'.hex([])|b'a'.hex(['a'])|b''.fromhex(None)|b''.decode('nope')
'''

for line in ERRORS.strip().split("\n"):
    for source in line.split("|"):
        call = ast.parse(source, mode="eval").body
        value = eval(compile(ast.Expression(call.func.value), "", "eval"))
        args = [eval(compile(ast.Expression(a), "", "eval")) for a in call.args]
        kwargs = {k.arg: eval(compile(ast.Expression(k.value), "", "eval")) for k in call.keywords}
        add(call.func.attr, value, *args, **kwargs)

out = Path(__file__).parent.parent / "test/testdata/str-methods.jsonl"
out.parent.mkdir(exist_ok=True)
with out.open("w") as f:
    for case in cases:
        f.write(json.dumps(case, separators=(",", ":")) + "\n")
print(len(cases), out.stat().st_size)


def digest(of) -> int:
    """A polynomial over the code points of what `of` gives for each character, modulo 2^32."""
    h = 0
    for code in range(0x110000):
        if not 0xD800 <= code <= 0xDFFF:
            for c in of(chr(code)):
                h = (h * 31 + ord(c)) & 0xFFFFFFFF
    return h


def bit(test):
    return lambda c: "\x01" if test(c) else "\x00"


digests = {name: digest(bit(getattr(str, name))) for name in PLAIN if name.startswith("is")}
digests |= {name: digest(getattr(str, name)) for name in ("upper", "lower", "title", "casefold", "swapcase", "capitalize")}
digests |= {"repr": digest(repr), "ascii": digest(ascii), "continue": digest(bit(lambda c: ("a" + c).isidentifier()))}
digests |= {"lines": digest(bit(lambda c: len((c + "b").splitlines()) > 1)), "sigma": digest(lambda c: ("A" + c + "Σ").lower())}
digests |= {"nfkc": digest(lambda c: unicodedata.normalize("NFKC", c)), "decimal": digest(lambda c: chr(unicodedata.decimal(c, 10)))}
digests |= {"after": digest(lambda c: (c + "b").title())}
(out.parent / "unicode-digest.json").write_text(json.dumps(digests, indent=1) + "\n")
