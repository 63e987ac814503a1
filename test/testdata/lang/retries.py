# retry with backoff
def flaky(fail_times, error):
    state = {"n": 0}
    def call():
        state["n"] += 1
        if state["n"] <= fail_times:
            raise error(f"attempt {state['n']}")
        return f"ok after {state['n']}"
    return call

def retry(f, attempts=3, retry_on=(ConnectionError, TimeoutError)):
    delays = []
    for i in range(attempts):
        try:
            return f(), delays
        except retry_on as e:
            delays.append(2 ** i)
            last = e
            print(f"  {type(e).__name__}: {e}; wait {delays[-1]}")
    raise RuntimeError(f"gave up after {attempts}") from last

for times, err in [(0, TimeoutError), (2, ConnectionResetError), (5, TimeoutError), (1, PermissionError)]:
    try:
        print(retry(flaky(times, err)))
    except RuntimeError as e:
        print("failed:", e, "cause", repr(e.__cause__))
    except OSError as e:
        print("not retried:", type(e).__name__, e, e.errno)
FILES = {"/etc/hosts": "127.0.0.1 localhost", "/secret": None}
def read(path):
    if path not in FILES:
        raise FileNotFoundError(2, "No such file or directory", path)
    if FILES[path] is None:
        raise OSError(13, "Permission denied", path)
    return FILES[path]
for p in ["/etc/hosts", "/nope", "/secret"]:
    try:
        print(read(p))
    except FileNotFoundError as e:
        print("missing", e, e.filename)
    except OSError as e:
        print(type(e).__name__, e, e.args, e.strerror)
def parse(src):
    depth = 0
    for i, ch in enumerate(src, 1):
        depth += {"(": 1, ")": -1}.get(ch, 0)
        if depth < 0:
            raise SyntaxError("unmatched ')'", ("<expr>", 1, i, src))
    if depth:
        raise SyntaxError(f"{depth} never closed")
    return True
for s in ["(a)", "(()", "a)"]:
    try:
        print(parse(s))
    except SyntaxError as e:
        print(e, e.msg, e.lineno, e.offset, e.text)
