# Stacked decorators that trace, retry and raise anew.
# file: work.py
def area(w, h):
    if w < 0: raise ValueError("negative width")
    return w * h
# file: main.py
import functools, time
from work import area
log = []
def traced(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        log.append((fn.__name__, args, kwargs))
        try:
            r = fn(*args, **kwargs)
        except Exception as e:
            log.append(("raised", type(e).__name__, str(e)))
            raise
        log.append(("returned", r))
        return r
    return wrapper
def retry(times):
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*a, **k):
            for attempt in range(times):
                try:
                    return fn(*a, **k)
                except ValueError as e:
                    print("attempt", attempt, "failed:", e)
                    a = (abs(a[0]), *a[1:])
            raise RuntimeError("gave up") from e
        return wrapper
    return deco
@retry(2)
@traced
def compute(w, h=2):
    return area(w, h) + area(h, w)
print(compute(3), compute(-3), compute(2, h=5))
@retry(1)
@traced
def bad(w): return area(-abs(w), 1)
try:
    bad(1)
except Exception as e:
    print(repr(e))
for entry in log: print(entry)
