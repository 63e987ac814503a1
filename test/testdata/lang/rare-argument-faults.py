# Complaints about wrong arguments are those of the type that has the method.
import collections
import json
import math
import re
import statistics


def told(f):
    try:
        return repr(f())
    except Exception as e:
        return f"{type(e).__name__}: {e!s} {e.args}"


O = collections.OrderedDict(a=1)
D = collections.defaultdict(int)
C = collections.Counter("aab")
M = re.match("a", "ab")
for f in [
    lambda: O.copy(1), lambda: O.copy(x=1), lambda: O.clear(1), lambda: O.keys(1), lambda: O.values(x=1), lambda: O.items(1, 2),
    lambda: O.update(1, 2), lambda: O.update("a"), lambda: O.update(["abc"]), lambda: O.update([(1, 2)], z=3), lambda: O.update(5),
    lambda: O.pop(None), lambda: O.pop("q"), lambda: O.move_to_end(None), lambda: O.pop(None, 2), lambda: O.popitem(1, 2),
    lambda: D.copy(1), lambda: D.copy(x=1), lambda: D.pop(None), lambda: {}.pop(None), lambda: C.pop(x=1), lambda: C.pop("q", 7),
    lambda: C.most_common(2.5), lambda: C.most_common(1.0), lambda: C.most_common(1.5), lambda: C.most_common("a"), lambda: C.most_common(0),
    lambda: C.most_common(-1), lambda: C.most_common(True), lambda: C.most_common(99), lambda: C.most_common(None),
    lambda: json.loads(x=1), lambda: json.loads(), lambda: json.loads("1", s="2"), lambda: json.loads(s="2"), lambda: json.loads("1", x=1),
    lambda: math.prod(1, 2, 3, 4, 5), lambda: math.prod(1, 2), lambda: math.prod(), lambda: math.prod([2], start=3), lambda: math.prod([2], x=3),
    lambda: math.isclose(1, 2, 3, 4, 5), lambda: math.isclose(1, 2, 3), lambda: math.isclose(1), lambda: math.isclose(1, 1, rel_tol=0.1),
    lambda: statistics.StatisticsError(x=1), lambda: statistics.StatisticsError(1),
    lambda: re.compile([]), lambda: re.match([1], "a"), lambda: re.compile(5), lambda: re.compile({}),
    lambda: M.group(1, x=1), lambda: M.group(x=1), lambda: M.group(0), lambda: M.expand(1, 2), lambda: M.expand(), lambda: M.expand("b"),
]:
    print(told(f))
print(O, list(O.keys()), O.copy())
