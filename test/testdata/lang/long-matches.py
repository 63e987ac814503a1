# A match shows 50 characters of what it matched, a pattern 200 of itself.
import re

for text in ["a" * 47, "a" * 48, "a" * 49, "a" * 90, "é" * 90, "\U0001F600" * 60, "\n" * 60, "'" * 60]:
    print(re.match("(?s).*", text))
    print([re.match("(?s).*", text)])
print(re.match(b".*", b"\xff" * 30))
print(re.compile("b" * 199), re.compile("é" * 250))
