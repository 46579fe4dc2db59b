# A script without functions, all at module level, with everything in globals.
# file: work.py
def f(x):
    return x * 2
# file: main.py
import work
data = [3, 1, 2]
result = {}
for d in data:
    if d > 1:
        result[d] = work.f(d)
    else:
        result[d] = None
i = 0
while i < 3:
    data[i] = work.f(data[i])
    i = i + 1
print(result, data, i, d)
a = b = work.f(i); c = work.f(a) if a else 0; print(a, b, c)
try: e = work.f(None)
except TypeError as problem: print(problem)
print(__name__, __doc__, __package__, __spec__, "problem" in globals())
