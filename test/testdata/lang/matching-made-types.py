from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

Point = namedtuple("Point", "x y z", defaults=[None, 0])
Pair = namedtuple("Pair", ["left", "right"])
Nothing = namedtuple("Nothing", "")


def told(v):
    match v:
        case Point(0, None):
            return "origin"
        case Point(x, y=None, z=z) if z:
            return f"above {x} by {z}"
        case Point(Point(a), b) | Pair(Point(a), b):
            return f"nested {a} {b}"
        case Point(x, y, z):
            return f"point {x} {y} {z}"
        case Pair(left, right=None):
            return f"half {left}"
        case Pair(_, [first, *_]):
            return f"pair with {first}"
        case Nothing():
            return "nothing"
        case Counter(c) if c:
            return f"counts {dict(c)}"
        case OrderedDict(d) | defaultdict(d):
            return f"dict {dict(d)}"
        case deque():
            return f"deque {list(v)}"
        case (a, b):
            return f"two {a} {b}"
        case tuple(t):
            return f"tuple {len(t)}"
    return "other"


for v in [Point(0), Point(1, None, 5), Point(1, 2), Point(Point(7), 3), Pair(Point(8), 9), Pair(1, None), Pair(1, "ab"), Pair(1, 2), Nothing(),
          Counter("aab"), Counter(), OrderedDict(a=1), defaultdict(int, b=2), deque([1]), (1, 2), (1, 2, 3), [1], {}]:
    print(type(v).__name__, told(v))


def wrong0(v):
    match v:
        case Point(a, b, c, d):
            return "matched"
    return "no"


def wrong1(v):
    match v:
        case Point(a, x=b):
            return "matched"
    return "no"


def wrong2(v):
    match v:
        case Point(a, w=b):
            return "matched"
    return "no"


def wrong3(v):
    match v:
        case Nothing(a):
            return "matched"
    return "no"


def wrong4(v):
    match v:
        case deque(a):
            return "matched"
    return "no"


def wrong5(v):
    match v:
        case int(a, b):
            return "matched"
    return "no"


def wrong6(v):
    match v:
        case defaultdict(a, b):
            return "matched"
    return "no"


def wrong7(v):
    match v:
        case Counter(a, b):
            return "matched"
    return "no"


def wrong8(v):
    match v:
        case tuple(a, b):
            return "matched"
    return "no"


for f, v in [(wrong0, Point(1)), (wrong1, Point(1)), (wrong2, Point(1)), (wrong3, Nothing()), (wrong4, deque()), (wrong5, 5), (wrong6, defaultdict(int)), (wrong7, Counter()), (wrong8, Point(1))]:
    try:
        print(f(v))
    except TypeError as e:
        print(e)
