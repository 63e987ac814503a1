#!/usr/bin/env python3.11
"""Writes src/lang/value/unicode.generated.ts: what CPython 3.11 (Unicode 14) says of every code point; and
encoding-names.generated.ts: what CPython calls its text encodings.

    python3.11 scripts/unicode-tables.py

Everything is asked of CPython's own str methods, one code point at a time, so the tables are its answers and not a
reading of the standard. Two properties that CPython does not show are asked through what uses them: cased
through how `title()` writes the next letter, case-ignorable through how `lower()` writes a capital sigma after it.

Form. RUNS: for each run of code points of one class, its length in base 36 (left out where 1), then the class as one
upper-case letter, or as `_` and two. CLASSES: the property bits of each class. Case maps: `start,count,step,delta` in
base 36 for arithmetic runs, and `code:text` for the rest, over the code points whose map is not themselves.
"""
import codecs
import encodings
import encodings.aliases
import pkgutil
import sys
import unicodedata
from pathlib import Path

assert sys.version_info[:2] == (3, 11) and unicodedata.unidata_version == "14.0.0", "CPython 3.11 is the oracle"

BITS = [
    "ALPHA", "DECIMAL", "DIGIT", "NUMERIC", "LOWER", "UPPER", "TITLE", "SPACE", "PRINTABLE",
    "XID_START", "XID_CONTINUE", "LINE_BREAK", "CASE_IGNORABLE", "CASED", "ASSIGNED",
]


def properties(code: int) -> int:
    c = chr(code)
    surrogate = 0xD800 <= code <= 0xDFFF
    cased = (c + "b").title().endswith("b")
    told = {
        "ALPHA": c.isalpha(),
        "DECIMAL": c.isdecimal(),
        "DIGIT": c.isdigit(),
        "NUMERIC": c.isnumeric(),
        "LOWER": c.islower(),
        "UPPER": c.isupper(),
        "TITLE": c.istitle() and not c.isupper(),
        "SPACE": c.isspace(),
        "PRINTABLE": c.isprintable(),
        "XID_START": c.isidentifier(),
        "XID_CONTINUE": ("a" + c).isidentifier(),
        "LINE_BREAK": len(("a" + c + "b").splitlines()) > 1,
        "CASED": cased,
        # A sigma looks back over ignorable code points, to the A or to the edge of the text.
        "CASE_IGNORABLE": not (c + "Σ").lower().endswith("ς") if cased else ("A" + c + "Σ").lower().endswith("ς"),
        "ASSIGNED": unicodedata.category(c) != "Cn" and not surrogate,
    }
    return sum(1 << i for i, name in enumerate(BITS) if told[name])


def base36(n: int) -> str:
    if n < 0:
        return "-" + base36(-n)
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    out = ""
    while True:
        out = digits[n % 36] + out
        n //= 36
        if n == 0:
            return out


def runs() -> tuple[str, list[int]]:
    words = [properties(code) for code in range(0x110000)]
    found: list[list[int]] = []
    for word in words:
        if found and found[-1][0] == word:
            found[-1][1] += 1
        else:
            found.append([word, 1])
    uses: dict[int, int] = {}
    for word, _ in found:
        uses[word] = uses.get(word, 0) + 1
    classes = sorted(uses, key=lambda w: (-uses[w], w))
    names = {}
    for i, word in enumerate(classes):
        names[word] = chr(65 + i) if i < 26 else "_" + chr(65 + (i - 26) // 26) + chr(65 + (i - 26) % 26)
    return "".join(("" if n == 1 else base36(n)) + names[word] for word, n in found), classes


def case_map(of) -> tuple[str, str]:
    single = {}
    special = []
    for code in range(0x110000):
        if 0xD800 <= code <= 0xDFFF:
            continue
        mapped = of(chr(code))
        if mapped == chr(code):
            continue
        if len(mapped) == 1:
            single[code] = ord(mapped) - code
        else:
            special.append(f"{base36(code)}:{'.'.join(base36(ord(c)) for c in mapped)}")
    out = []
    left = dict(single)
    for code in sorted(single):
        if code not in left:
            continue
        delta = single[code]
        best, best_step = 1, 1
        for step in (1, 2):
            n = 1
            while left.get(code + n * step) == delta:
                n += 1
            if n > best:
                best, best_step = n, step
        for i in range(best):
            del left[code + i * best_step]
        out.append(",".join(base36(x) for x in (code, best, best_step, delta)))
    return ";".join(out), ";".join(special)


def decimal_zeros() -> str:
    zeros = [code for code in range(0x110000) if unicodedata.decimal(chr(code), -1) == 0]
    for zero in zeros:
        assert [unicodedata.decimal(chr(zero + i), -1) for i in range(10)] == list(range(10))
    assert len(zeros) * 10 == sum(chr(code).isdecimal() for code in range(0x110000))
    return ",".join(base36(zero) for zero in zeros)


SERVED = "ascii latin_1 utf_8 utf_8_sig utf_16 utf_16_le utf_16_be utf_32 utf_32_le utf_32_be".split()


def is_codec(name: str) -> bool:
    try:
        codecs.lookup(name)
        return True
    except LookupError:
        return False


def is_text_encoding(name: str) -> bool:
    return is_codec(name) and codecs.lookup(name)._is_text_encoding


def encoding_names() -> None:
    aliases = encodings.aliases.aliases
    modules = {module.name for module in pkgutil.iter_modules(encodings.__path__)}
    served = {name: target for name, target in aliases.items() if target in SERVED} | {name: name for name in SERVED}
    elsewhere = sorted(n for n in (set(aliases) | modules) - set(served) if is_text_encoding(n))
    not_text = sorted(n for n in (set(aliases) | modules) - set(served) - set(elsewhere) if is_codec(n))
    lines = [
        "/**",
        " * Names of CPython 3.11's text encodings, normalised. Written by `python3.11 scripts/unicode-tables.py`;",
        " * encoding.ts reads it.",
        " */",
        "/** Those served, as `name:encoding`. */",
        f'export const SERVED = "{" ".join(f"{name}:{served[name]}" for name in sorted(served))}";',
        "/** Those that CPython has and we do not. */",
        f'export const ELSEWHERE = "{" ".join(elsewhere)}";',
        "/** Codecs of CPython that are not text encodings. */",
        f'export const NOT_TEXT = "{" ".join(not_text)}";',
    ]
    out = Path(__file__).parent.parent / "src/lang/value/encoding-names.generated.ts"
    out.write_text("\n".join(lines) + "\n")
    print(out, out.stat().st_size)


def main() -> None:
    encoding_names()
    text, classes = runs()
    lines = [
        "/**",
        " * What CPython 3.11 (Unicode 14) says of every code point. Written by `python3.11 scripts/unicode-tables.py`;",
        " * its form is described there, and unicode.ts reads it.",
        " */",
    ]
    lines += [f"export const {name} = {1 << i};" for i, name in enumerate(BITS)]
    lines.append(f"export const CLASSES: readonly number[] = [{', '.join(map(str, classes))}];")
    lines.append(f'export const RUNS = "{text}";')
    lines.append(f'export const DECIMAL_ZEROS = "{decimal_zeros()}";')
    for name, of in (("UPPER", str.upper), ("LOWER", str.lower), ("TITLE", str.title), ("FOLD", str.casefold)):
        single, special = case_map(of)
        lines.append(f'export const TO_{name} = "{single}";')
        lines.append(f'export const TO_{name}_SPECIAL = "{special}";')
    out = Path(__file__).parent.parent / "src/lang/value/unicode.generated.ts"
    out.write_text("\n".join(lines) + "\n")
    print(out, out.stat().st_size, len(classes))


main()
