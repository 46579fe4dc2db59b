# Exception classes that a remote function defines keep name, bases, arguments and attributes.
# file: work.py
class Base(Exception):
    code = 7
    def __str__(self): return f"base {self.args}"
def make(parent, **extra):
    class Local(parent):
        def __init__(self, *args):
            super().__init__(*args)
            self.extra = extra
    return Local
def f(n):
    if n == 0: raise make(ValueError, k=1)("zero", n)
    if n == 1: raise make(Base)(n)
    if n == 2: raise make(make(KeyError))("deep")
    if n == 3:
        class Shown(LookupError):
            def __str__(self): return f"shown {self.args[0]}"
        try: raise Shown(3)
        except Shown as e: raise make(OSError)(2, "gone", "file") from e
    if n == 4:
        class Many(ExceptionGroup): pass
        raise Many("many", [make(TypeError)("t"), ValueError("v")])
    if n == 5: raise type("Odd", (StopIteration,), {})(5)
    raise make(Base)("last", n)
# file: main.py
from work import f, Base
for n in range(6):
    try: f(n)
    except Base as e: print("base", e, e.code, e.extra)
    except (ValueError, KeyError) as e: print(type(e).__name__, type(e).__mro__[1].__name__, e, e.args, e.extra)
    except OSError as e: print(e, e.filename, repr(e.__cause__), e.__cause__, isinstance(e.__cause__, LookupError))
    except ExceptionGroup as e: print(repr(e), e.split(TypeError)[0])
    except Exception as e: print(type(e), e.value)
f(6)
