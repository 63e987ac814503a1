"""Runs one program in CPython: compile and run, CPU time, one line of JSON."""
import contextlib, io, json, sys, time

source = open(sys.argv[1]).read()
out = io.StringIO()
start = time.process_time()
code = compile(source, sys.argv[1], "exec")
with contextlib.redirect_stdout(out):
    exec(code, {"__name__": "__main__"})
print(json.dumps({"cpuMs": (time.process_time() - start) * 1000, "out": out.getvalue()}))
