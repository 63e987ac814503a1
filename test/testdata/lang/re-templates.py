# What is no template: unhashable first, then what it is.
import re
for r in ({}, [], 5, None, (1,), {1}):
    try: print(re.sub("a", r, "abc"))
    except Exception as e: print(type(e), e)
