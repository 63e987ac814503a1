# The types of values that served modules make are the modules' own.
import functools
import itertools
import json
import re
import statistics
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

for make in (
    lambda: statistics.mean([]),
    lambda: json.loads("["),
    lambda: re.compile("("),
):
    try:
        make()
    except Exception as e:
        print(type(e), type(e).__name__, isinstance(e, ValueError), type(e) in (statistics.StatisticsError, json.JSONDecodeError, re.error))
chained = itertools.chain([1], [2])
print(type(chained), type(chained) is itertools.chain, isinstance(chained, itertools.chain), type(chained) == type(itertools.chain()))
print(type(itertools.islice([], 0)) is itertools.islice, type(itertools.product()), type(itertools.groupby([])))
print([type(v) for v in (Counter(), OrderedDict(), defaultdict(int), deque())])
print(type(Counter()) is Counter, type(deque()) is deque, type(functools.partial(len)) is functools.partial)
P = namedtuple("P", "x")
print(type(P(1)) is P, type(P(1)).__name__)
