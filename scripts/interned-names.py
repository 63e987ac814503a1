"""Writes src/lang/value/interned-names.generated.ts: texts that a fresh CPython 3.11 has interned before a program runs.

Run with the interpreter to be modelled, without site packages:  python3.11 -I -S scripts/interned-names.py
The order of a set display of constants depends on them (see src/lang/value/set.ts, frozenSetOfConstants).
Candidates are the words of the standard library's sources; each is asked whether an equal text, made just now, is the
interned one.
"""
import io, os, re, sys

# `site` imports these in every ordinary start.
import os.path, stat, _sitebuiltins, codecs, encodings.utf_8, io as _io, abc, genericpath, posixpath, _collections_abc

here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
library = os.path.dirname(os.__file__)
word = re.compile(r"[A-Za-z0-9_]+")
already = set()
seen = set()
paths = []
for folder, _, files in os.walk(library):
    if "site-packages" in folder or "/test" in folder or "/idlelib" in folder:
        continue
    paths += [os.path.join(folder, f) for f in files if f.endswith(".py")]
header = os.path.join(sys.prefix, "include/python3.11/internal/pycore_global_strings.h")
for path in paths + [header]:
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    for m in word.finditer(text):
        w = m.group()
        if len(w) > 40 or w in seen:
            continue
        seen.add(w)
        fresh = "".join(list(w))
        if sys.intern(fresh) is not fresh:
            already.add(w)
# Words this script itself brought in are asked of a child that has not read it.
import subprocess
child = "import sys\nfor l in sys.stdin:\n  f=''.join(list(l[:-1]))\n  if sys.intern(f) is not f: print(f)\n"
out = subprocess.run([sys.executable, "-I", "-S", "-c", "import os,stat,_sitebuiltins,codecs,encodings.utf_8,io,abc\n" + child], input="\n".join(sorted(already)) + "\n", capture_output=True, text=True, check=True).stdout
names = sorted(set(out.split()) - {"l", "f"} | ({"f"} if "f" in already else set()))
lines, line = [], ""
for n in names:
    if len(line) + len(n) + 1 > 118:
        lines.append(line)
        line = ""
    line += (" " if line else "") + n
lines.append(line)
with open(os.path.join(here, "src/lang/value/interned-names.generated.ts"), "w", encoding="utf-8") as f:
    f.write("// Written by scripts/interned-names.py. Do not edit.\n/** Texts a fresh CPython 3.11 has interned, space apart. */\nexport const INTERNED_NAMES =\n")
    f.write(" +\n".join('  "%s"' % (l + " " if i < len(lines) - 1 else l) for i, l in enumerate(lines)) + ";\n")
print(len(names), "names")
