# Context managers that open remotely, kept by an exit stack.
# file: work.py
def open_thing(n):
    if n == 3: raise OSError(2, "No such thing", f"thing{n}")
    return {"n": n}
# file: main.py
from contextlib import ExitStack, contextmanager, suppress, closing, redirect_stdout
import io
from work import open_thing
@contextmanager
def thing(n):
    print("opening", n)
    t = open_thing(n)
    try:
        yield t
    except ValueError as e:
        print("swallowed", e, "in", n)
    finally:
        print("closing", n)
def use(numbers, fail=None):
    with ExitStack() as stack:
        stack.callback(print, "callback")
        things = [stack.enter_context(thing(n)) for n in numbers]
        print([t["n"] for t in things])
        if fail: raise fail
        return len(things)
print(use([1, 2]))
print(use([1, 2], ValueError("boo")))
try:
    use([1, 3, 2])
except OSError as e:
    print(type(e).__name__, e.errno, e.filename, e)
with suppress(FileNotFoundError), thing(5):
    open_thing(3)
buf = io.StringIO()
with redirect_stdout(buf):
    print(open_thing(7))
print(repr(buf.getvalue()))
with thing(1) as a, thing(2) as b:
    open_thing(3)
