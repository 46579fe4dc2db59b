# Returns, breaks and raises inside finally.
# file: work.py
def f(x):
    if x < 0: raise ValueError(x)
    return x
# file: main.py
from work import f
def a(x):
    try: return f(x)
    finally:
        if x == -1: return "finally"
def b():
    for i in (1, -1, 2):
        try:
            f(i)
        except ValueError: raise KeyError("inner")
        finally:
            if i == -1: break
    return i
print(a(1), a(-1), b())
def c():
    try:
        try: f(-2)
        finally: f(-3)
    except ValueError as e:
        return e.args, e.__context__.args, e.__cause__
print(c())
def d():
    for i in range(3):
        try:
            if f(i): continue
            print("zero")
        except ValueError: pass
        else: print("else", i)
        finally: print("fin", i)
    while True:
        try: return f(7)
        finally: print("leaving")
print(d())
try: f(-9)
except ValueError as e:
    try: f(-10)
    except ValueError as e2: print(repr(e2.__context__), e2.__context__ is e)
a(-5)
