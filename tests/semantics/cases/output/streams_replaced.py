# Output goes where the program lets it go: files, buffers, nowhere.
# file: work.py
def f(x): print("r", x); return x
# file: main.py
import sys, contextlib, io, os
from work import f
with open("out.txt", "w") as fh, contextlib.redirect_stdout(fh):
    for i in range(3): f(i); print("m", i)
print(open("out.txt").read())
s = io.StringIO()
with contextlib.redirect_stdout(s), contextlib.redirect_stderr(sys.__stdout__): f(9); print("err", file=sys.stderr)
print(repr(s.getvalue()))
sys.stdout.flush()
saved = os.dup(1)
fd = os.open("low.txt", os.O_WRONLY | os.O_CREAT); os.dup2(fd, 1)
f(5); print("low"); sys.stdout.flush(); os.dup2(saved, 1)
print(open("low.txt").read())
sys.stdout = None
f(1); print("nothing")
sys.stdout = sys.__stdout__
s2 = io.StringIO(); s2.close(); sys.stdout = s2
try: f(2)
except ValueError as e: sys.stdout = sys.__stdout__; print("closed:", e)
