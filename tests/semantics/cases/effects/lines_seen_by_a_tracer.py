# A trace function sees the program's own lines.
# file: work.py
def f(x): return x + 1
# file: main.py
import sys
from work import f
seen = []
def tracer(frame, event, arg):
    if frame.f_code.co_filename.endswith("main.py"):
        seen.append((event, frame.f_code.co_name, frame.f_lineno))
        return tracer
def body(n):
    t = 0
    for i in range(n):
        t += f(i)
    return t
sys.settrace(tracer)
r = body(3)
sys.settrace(None)
print(r)
for s in seen: print(*s)
