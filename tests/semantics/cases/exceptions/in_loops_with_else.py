# Exceptions in loops with else, retries, and collected for later.
# file: work.py
def f(x):
    if x % 3 == 0: raise ValueError(f"v{x}")
    if x % 5 == 0: raise KeyError(f"k{x}")
    return x
# file: main.py
from work import f
bad, good = [], []
for x in range(1, 20):
    try: y = f(x)
    except ValueError as e: bad.append(str(e)); continue
    except KeyError as e:
        bad.append(e.args[0])
        if len(bad) > 5: break
    else: good.append(y)
    finally:
        if x == 7: good.append("seven")
else: print("not here")
print(bad, good)
def safe(x, default=None):
    try: return f(x)
    except Exception as e:
        try: return f(x + 1)
        except Exception as e2:
            return (type(e2).__name__, str(e2.__context__))
print([safe(x) for x in range(12)])
results = []
for x in range(4, 8):
    while True:
        try: results.append(f(x)); break
        except ValueError: x += 1
print(results)
errors = []
for x in (3, 5, 9):
    try: f(x)
    except (ValueError, KeyError) as e: errors.append(e)
try: raise ExceptionGroup("all", errors)
except* KeyError as eg: print(eg.exceptions)
except* ValueError as eg: print([str(e) for e in eg.exceptions])
raise errors[-1]
