#!/usr/bin/env python3.11
"""Records what CPython 3.11 answers for the expressions of test/testdata/library/*.txt: beside each, a .jsonl.

    PYTHONHASHSEED=0 python3.11 scripts/library-cases.py [name …]

One expression a line; `#` opens a comment line. One case a line: [expression, outcome], the outcome being repr of the
value, or `ValueError: message`.
"""
import collections
import functools
import itertools
import json
import math
import operator
import re
import statistics
import string
import sys
from pathlib import Path

NAMES = {m.__name__: m for m in (collections, functools, itertools, json, math, operator, re, statistics, string)}


def outcome(source: str) -> str:
    try:
        return repr(eval(source, dict(NAMES)))
    except Exception as e:
        return f"{type(e).__name__}: {e}"


folder = Path(__file__).parent.parent / "test/testdata/library"
for path in sorted(folder.glob("*.txt")):
    if sys.argv[1:] and path.stem not in sys.argv[1:]:
        continue
    cases = [line for line in path.read_text().split("\n") if line and not line.startswith("#")]
    with path.with_suffix(".jsonl").open("w") as out:
        for source in cases:
            out.write(json.dumps([source, outcome(source)]) + "\n")
    print(path.stem, len(cases))
