# A name of the top level hides a builtin from its first binding on, and until it is deleted.
sum = sum([1, 2, 3])
print(sum)
max, min = max(1, 2), min(1, 2)
print(max, min)
print(pow(2, 3))
from math import pow

print(pow(2, 3))
abs = abs
print(abs(-1))
del abs
print(abs(-2))
len = 3
del len
print(len([1]), [len := len([i]) for i in range(1)], len)


def smallest(xs):
    return sorted(xs)[0]


print(smallest([3, 1]))
sorted = reversed
try:
    print(smallest([3, 1]))
except TypeError as e:
    print(e)
for i in range(3):
    print(i, str(i))
    if i == 1:
        str = repr
print(str("a"))
if i > 5:
    hex = oct
print(hex(17))
for round in [round(1.5), round(2.5)]:
    print(round)
bin = str
if i == 2:
    print(bin(5))
    del bin
    print(bin(5))
print(bin(5))
try:
    print(ord("a"))
    ord = 5
    ord("a")
except TypeError as e:
    print(e)
try:
    print(late)
except NameError as e:
    print(e)
late = 1
try:
    del chr
except NameError as e:
    print(e)
print(chr(97), [any(x) for x in [[0], [1]]])
any = all
print([any(x) for x in [[0, 1], [1]]], (lambda: any([]))())


def power():
    return pow(2, 3), (lambda: oct(8))()


def tau():
    return math.tau > 6, floor(2.5)


try:
    print(tau())
except NameError as e:
    print(e)
import math

try:
    print(tau())
except NameError as e:
    print(e)
from math import floor

print(tau(), power())


def divided():
    return divmod(7, 2), format(3)


print(divided())
from math import fmod as divmod, ceil as format

print(divided())
