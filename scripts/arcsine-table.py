"""Writes src/lang/value/asin-table.generated.ts: python3 scripts/arcsine-table.py > src/lang/value/asin-table.generated.ts

The arc sine from 1/8 to 31/32 as the C library under CPython has it: the range is cut in pieces of 1/256, and a piece has
the polynomial in the distance from its middle that errs least over it (minimax, of degree 6 to 10). It is found here by
Remez's exchange in 80 digits, and rounded. A row: the coefficients from the first power on, then the constant in two
parts, the rest before the head; the head is rounded to 51 fraction bits.

The library's own fit was made with fewer digits: LATER says by how many units in the last place its last coefficients (and
a few rests) are off from the exact ones. They move a result only if all luck is against it, yet then by its last bit.
"""
import math
from decimal import Decimal, getcontext

getcontext().prec = 80

# By degree: the first piece above 1/8 (pieces of 1/256), and how many.
DEGREES = [(6, 0, 96), (7, 96, 64), (8, 160, 44), (9, 204, 8), (10, 212, 4)]
HALF_WIDTH = Decimal(2) ** -9
# By piece: place in the row, units in the last place.
LATER = {
    0: [(5, -18)], 1: [(5, -5)], 2: [(5, -16)], 3: [(5, -15)], 4: [(5, -21)], 5: [(5, -14)], 6: [(5, -21)], 7: [(5, -9)],
    8: [(5, -11)], 9: [(5, -11)], 10: [(5, -6)], 11: [(5, -2)], 12: [(5, -4)], 13: [(5, -7)], 14: [(5, 2)], 15: [(5, -2)],
    16: [(5, -7), (6, -14)], 17: [(5, -3)], 18: [(6, -1)], 19: [(5, -7)], 20: [(5, -5)], 22: [(6, -1)], 23: [(5, -4)],
    24: [(5, -3), (6, -1)], 25: [(5, -1)], 26: [(5, 2), (6, -1)], 27: [(5, -1)], 28: [(5, -7), (6, -1)], 29: [(5, -4)],
    30: [(5, -5)], 31: [(5, -2), (6, -1)], 33: [(5, 1)], 34: [(5, 1)], 35: [(5, -2)], 36: [(5, -3)], 37: [(5, -1), (6, -1)],
    40: [(5, -2)], 41: [(5, -2)], 43: [(5, -3)], 44: [(5, 3)], 45: [(5, -3), (6, -1)], 47: [(5, -3)], 48: [(5, -1), (6, -1)],
    49: [(5, 4)], 50: [(5, 1), (6, -1)], 51: [(5, 1)], 53: [(5, -1)], 54: [(5, -1), (6, -1)], 55: [(5, -1)], 56: [(5, -1)],
    57: [(6, -1)], 59: [(6, -1)], 60: [(5, 1)], 62: [(5, 1)], 63: [(5, -1), (6, -1)], 65: [(5, 2)], 67: [(6, -1)],
    68: [(5, 2), (6, -1)], 69: [(6, -2)], 70: [(5, 1)], 71: [(5, -1), (6, -1)], 72: [(5, -2)], 73: [(5, -2)], 74: [(5, -3)],
    75: [(5, -5)], 76: [(5, -4)], 77: [(5, -3)], 79: [(5, -1), (6, -2)], 80: [(5, -3)], 82: [(5, -1)], 83: [(5, -2), (6, -1)],
    85: [(5, -7)], 86: [(5, -6)], 87: [(5, -1)], 88: [(5, -6), (6, -1)], 89: [(5, 1)], 91: [(5, -5), (6, -1)],
    92: [(5, 1), (6, -1)], 93: [(5, -9)], 94: [(5, -4), (6, -1)], 95: [(5, -1)], 96: [(5, -5), (6, -72)],
    97: [(5, -6), (6, 281), (7, -1)], 98: [(5, -6), (6, 39)], 99: [(5, -3), (6, 2162), (7, -1)],
    100: [(4, 1), (5, -2), (6, -1827)], 101: [(5, -6), (6, 3035)], 102: [(5, -5), (6, 641)], 103: [(5, -5), (6, 1086), (7, -1)],
    104: [(5, -8), (6, 912)], 105: [(5, -4), (6, 4292)], 106: [(5, -1), (6, 4086)], 107: [(5, -3), (6, 2077), (7, -1)],
    108: [(4, -1), (5, -4), (6, 923)], 109: [(5, -2), (6, 1061)], 110: [(5, -1), (6, 2360)], 111: [(5, -2), (6, 1190)],
    112: [(5, -2), (6, 1629), (7, -1)], 113: [(5, -5), (6, 2114)], 114: [(5, -1), (6, -238)], 115: [(5, -2), (6, 1933)],
    116: [(5, -4), (6, 2788)], 117: [(5, -4), (6, 2212), (7, -1)], 118: [(5, -3), (6, 1373), (7, -1)],
    119: [(6, 1193), (7, -1)], 120: [(5, -1), (6, 501), (7, -1)], 121: [(5, -1), (6, 797)], 122: [(5, -1), (6, 834), (7, -1)],
    123: [(5, -1), (6, 1494), (7, -9)], 124: [(5, -1), (6, 527), (7, -1)], 125: [(5, -1), (6, 1029)], 126: [(5, -2), (6, 1336)],
    127: [(5, -2), (6, 1042)], 128: [(5, -2), (6, 758), (7, -42)], 129: [(5, -1), (6, 615)],
    130: [(4, -1), (5, -1), (6, 1105), (7, -1)], 131: [(5, -1), (6, 73)], 132: [(6, 530)], 133: [(5, -1), (6, 617)],
    134: [(5, -1), (6, 274)], 135: [(6, 603), (7, -1)], 136: [(5, -1), (6, 195), (7, -1)], 137: [(5, -1), (6, 454)],
    138: [(5, -1), (6, 514), (7, -6)], 139: [(5, -1), (6, 322)], 140: [(5, -1), (6, 180)], 141: [(6, 224), (7, -1)],
    142: [(5, -1), (6, 315), (7, -1)], 143: [(6, 199), (7, -1)], 144: [(6, 185)], 145: [(5, -1), (6, 415)],
    146: [(6, 341), (7, -1)], 147: [(6, 151)], 148: [(6, 199), (7, -4)], 149: [(6, 162)], 150: [(6, 106), (7, -1)],
    151: [(6, 121), (7, -1)], 152: [(6, 167)], 153: [(6, 205)], 154: [(6, 148)], 155: [(6, 194)], 156: [(6, 41)],
    157: [(5, -1), (6, 38), (7, -1)], 158: [(6, 60), (7, -1)], 159: [(6, 35), (7, -1)],
    160: [(5, 2), (6, 60), (7, -19765), (8, -3)], 161: [(5, 2), (6, 66), (7, -22317)],
    162: [(5, 1), (6, 84), (7, -11137), (8, -1)], 163: [(5, 1), (6, 24), (7, -22467), (8, -1)],
    164: [(5, 1), (6, 27), (7, -7544), (8, -5)], 165: [(5, 1), (6, 26), (7, -4894)], 166: [(6, 26), (7, -5490), (8, -1)],
    167: [(5, 1), (6, 41), (7, -9001), (8, -1)], 168: [(5, 1), (6, 27), (7, -8228), (8, -1)],
    169: [(6, 9), (7, -8078), (8, -1)], 170: [(6, 13), (7, -1957), (8, -1)], 171: [(6, 17), (7, -2607), (8, -1)],
    172: [(6, 14), (7, -3095), (8, -1)], 173: [(6, 10), (7, -1201)], 174: [(6, 16), (7, -3352), (8, -1)],
    175: [(6, 8), (7, -1502)], 176: [(6, 6), (7, -2077)], 177: [(6, 11), (7, -2551), (8, -24)],
    178: [(6, 13), (7, -656), (8, -1)], 179: [(6, 7), (7, -422), (8, -2)], 180: [(5, 1), (6, 5), (7, -615)],
    181: [(6, 4), (7, -1297)], 182: [(6, 3), (7, -88)], 183: [(6, 4), (7, -645)], 184: [(6, 2), (7, -328)],
    185: [(6, 3), (7, -608)], 186: [(6, 2), (7, -102)], 187: [(6, 2), (7, -213), (8, -1)], 188: [(6, 1), (7, -158), (8, -1)],
    189: [(6, 1), (7, -154)], 190: [(6, 1), (7, -143), (8, -2)], 191: [(6, 1), (7, -80)], 192: [(6, 1), (7, -76)],
    193: [(6, 1), (7, -87), (8, -1)], 194: [(7, -89)], 195: [(6, 1), (7, -53)], 196: [(7, -39), (8, -1)],
    197: [(7, -36), (8, -2)], 198: [(6, 1), (7, -21)], 199: [(7, -10)], 200: [(7, -11)], 201: [(7, -7)], 202: [(7, -2)],
    203: [(7, -2), (8, -1)], 204: [(7, -2), (8, 275)], 205: [(7, -1), (8, 84)], 206: [(7, -1), (8, 160)],
    207: [(8, 61), (9, -70)], 208: [(7, -1), (8, 46), (9, -1)], 209: [(8, 22), (9, -3)], 210: [(8, 9), (9, -1)],
    211: [(8, 2), (9, -1)], 212: [(8, 1), (9, -94)], 213: [(7, 1), (8, 2), (9, -101)], 214: [(8, 1), (9, -44), (10, -2)],
    215: [(9, -8)],
}


def arcsine(x):
    """By Newton's method on the sine, the reciprocal of the cosine as slope."""
    y, x = Decimal(math.asin(x)), Decimal(x)
    for _ in range(4):
        sine, cosine, term, n = Decimal(0), Decimal(0), Decimal(1), 0
        while abs(term) > Decimal(10) ** -82:
            sign = -1 if n % 4 > 1 else 1
            if n % 2:
                sine += sign * term
            else:
                cosine += sign * term
            n += 1
            term = term * y / n
        y += (x - sine) / cosine
    return y


def series(x, count):
    """Coefficients of the arc sine about x, the constant first: y' satisfies (1 - x**2) y'' = x y'."""
    x0 = Decimal(x)
    q = 1 - x0 * x0
    slope = [1 / q.sqrt()]
    for k in range(count - 1):
        slope.append((x0 * (2 * k + 1) * slope[k] + (k * slope[k - 1] if k else 0)) / (q * (k + 1)))
    return [arcsine(x)] + [slope[k] / (k + 1) for k in range(count)]


def solved(rows, right):
    rows = [row + [b] for row, b in zip(rows, right)]
    n = len(rows)
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            f = rows[r][i] / rows[i][i]
            rows[r] = [a - f * b for a, b in zip(rows[r], rows[i])]
    x = [Decimal(0)] * n
    for i in range(n - 1, -1, -1):
        x[i] = (rows[i][n] - sum(rows[i][c] * x[c] for c in range(i + 1, n))) / rows[i][i]
    return x


def at(coefficients, t):
    total = Decimal(0)
    for c in reversed(coefficients):
        total = total * t + c
    return total


def minimax(x, degree):
    """The polynomial that errs least over x ± HALF_WIDTH; its variable is the distance from x."""
    exact = [c * HALF_WIDTH**k for k, c in enumerate(series(x, degree + 22))]
    beyond = [Decimal(0)] * (degree + 1) + exact[degree + 1 :]
    points = [Decimal(-math.cos(math.pi * k / (degree + 1))) for k in range(degree + 2)]
    for _ in range(4):
        rows = [[t**k for k in range(degree + 1)] + [Decimal((-1) ** i)] for i, t in enumerate(points)]
        change = solved(rows, [at(beyond, t) for t in points])[:-1]
        error = [b - c for b, c in zip(beyond, change)] + beyond[degree + 1 :]
        first = [k * c for k, c in enumerate(error)][1:]
        second = [k * c for k, c in enumerate(first)][1:]
        for i in range(1, degree + 1):
            for _ in range(5):
                points[i] -= at(first, points[i]) / at(second, points[i])
    return [(exact[k] + change[k]) / HALF_WIDTH**k for k in range(degree + 1)]


def start(i):
    middle = (Decimal(i % 64) + Decimal("0.5") + 64) / (128 if i < 64 else 64)
    return float(round(1 / middle.sqrt(), 14))


def row_of(piece, degree):
    # From 1/4 on a piece is found by its place from 1/8 on all the same.
    fit = minimax(0.125 + (piece + 0.5) / 256, degree)
    head = float((fit[0] * 2**51).to_integral_value()) / 2**51
    row = [float(c) for c in fit[1:]] + [float(fit[0] - Decimal(head)), head]
    for place, units in LATER.get(piece, ()):
        row[place] += units * math.ulp(row[place])
    return row


if __name__ == "__main__":
    print("// Written by scripts/arcsine-table.py. Do not edit.")
    print("/** By piece of 1/256 from 1/8 on: coefficients of the arc sine from the first power on, rest and head of the constant. */")
    print("export const ASIN_ROWS: readonly (readonly number[])[] = [")
    for degree, first, count in DEGREES:
        for piece in range(first, first + count):
            print("  [" + ", ".join(repr(c) for c in row_of(piece, degree)) + "],")
    print("];")
    print("/** By piece of 1/128 from 1/2 to 2 of the number: its reciprocal square root, near enough to begin with. */")
    print("export const ROOT_STARTS = [")
    for k in range(0, 128, 8):
        print("  " + ", ".join(repr(start(i)) for i in range(k, k + 8)) + ",")
    print("];")
