# The list is made first, then it is sorted: what is wrong with the keywords is found then.
def told(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


print(told(lambda: sorted(5, key=str, reverse={})))
print(told(lambda: sorted(5, nokey=1)))
print(told(lambda: sorted([2, 1], nokey=1)))
print(told(lambda: sorted([2, 1], reverse={})))
print(told(lambda: sorted([2, 1], key=5)))
print(told(lambda: sorted((1 // x for x in [0]), reverse={})))
print(told(lambda: sorted((x for x in [3, 1]), key=5)))
print(told(lambda: sorted()))
print(told(lambda: sorted(key=1)))
print(told(lambda: sorted([1], 2)))
print(told(lambda: sorted((x * 7919 % 10007 for x in range(5000)), key=lambda x: -x)[:5]))
print(told(lambda: sorted(x * 7919 % 10007 for x in range(5000))[:5]))
