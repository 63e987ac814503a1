# Functions that ask nothing about their result, and those that do, at the ends of the doubles.
import math

BIG = math.nextafter(math.inf, 0)
for f in (math.degrees, math.radians, math.exp, math.expm1, math.cosh, math.gamma, math.lgamma, math.erf, math.erfc, math.sqrt, math.fabs, math.tanh, math.asinh):
    for x in (BIG, -BIG, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 0.0, -0.0):
        try:
            print(f.__name__, x, repr(f(x)))
        except (ValueError, OverflowError) as e:
            print(f.__name__, x, type(e).__name__, e)
