"""Runs programs as CPython does: a JSON list of sources in, a JSON list of [output, ending] out. PYTHONHASHSEED=0."""
import contextlib, io, json, resource, signal, sys, warnings

warnings.simplefilter("ignore")
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


class TooLong(BaseException):
    pass


def alarm(_signal, _frame):
    raise TooLong


signal.signal(signal.SIGALRM, alarm)


def run(source):
    out = io.StringIO()
    try:
        code = compile(source, "program", "exec")
    except SyntaxError as e:
        return ["", f"SyntaxError: {e.msg} line {e.lineno}"]
    signal.alarm(3)
    try:
        with contextlib.redirect_stdout(out):
            exec(code, {"__name__": "m"})
        ending = "completed"
    except TooLong:
        ending = "too long"
    except BaseException as e:
        text = str(e)
        ending = type(e).__name__ + (f": {text}" if text else "")
    finally:
        signal.alarm(0)
    return [out.getvalue(), ending]


json.dump([run(s) for s in json.load(sys.stdin)], sys.stdout)
