# A flag of re is an int, of which the usual is there: what is not is refused by name.
import operator
import re

F = re.I
print(int(F), hex(F), bin(F), oct(F), repr(chr(F)), range(F), [1, 2, 3][:F], operator.index(F))
print(isinstance(F, int), isinstance(F, str), F is re.IGNORECASE, (re.I | re.M) is (re.M | re.I), F == 2, 2 == F, F != 2)
print(hash(F), {2: 1}[F], {F: 1}[2], F in (2,), {F, 2}, F.value, F.name, bool(F), not F)
print(int.bit_length(F), "abcabc".find("c", F + 0 if False else F), [5, 6, 7].index(7, F), [5, 6, 7].pop(F), (1, 2, 3)[F:])
print(f"{F}", str(F), repr(F), "%s" % F, ~F)
try:
    int(F, 2)
except TypeError as e:
    print(e)
match F:
    case int():
        print("an int")
for f in [re.A, re.I, re.M, re.S, re.X]:
    flags = f | re.U
print(flags)
