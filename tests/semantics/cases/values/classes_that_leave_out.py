# What a class's pickles leave out is not left out: whatever it says of pickling, a call sees it all.
# file: shapes.py
import threading
class Mol:
    def __init__(self, name): self.name, self.props = name, {}
    def __getstate__(self): return {"name": self.name}
    def __setstate__(self, state): self.name, self.props = state["name"], {}
class Cached:
    def __init__(self, n): self.n, self._cache = n, None
    def value(self):
        if self._cache is None: self._cache = self.n * 2
        return self._cache
    def __getstate__(self):
        state = self.__dict__.copy(); state["_cache"] = None; return state
class Locked:
    def __init__(self, n): self.n, self.lock = n, threading.Lock()
    def __getstate__(self): return {"n": self.n}
    def __setstate__(self, state): self.n, self.lock = state["n"], threading.Lock()
class Reduced:
    def __init__(self, a): self.a, self.later = a, 0
    def __reduce__(self): return Reduced, (self.a,)
class Slots:
    __slots__ = ("a", "b", "__weakref__")
    def __init__(self, a, b): self.a, self.b = a, b
    def __getstate__(self): return (None, {"a": self.a})
    def __setstate__(self, state): self.a = state[1]["a"]; self.b = "lost"
class Rows(list):
    def __reduce__(self): return Rows, (list(self),)
class Table(dict):
    def __reduce__(self): return Table, (), None, None, iter(self.items())
class Name(str):
    def __new__(cls, text, tag=None): made = super().__new__(cls, text); made.tag = tag; return made
    def __getnewargs__(self): return (str(self),)
    def __getstate__(self): return {}
class Sometimes:
    def __init__(self, a): self.a, self.extra = a, None
    def __getstate__(self): return {"a": self.a, "extra": self.extra if self.a % 2 else None}
class Version(tuple):
    def __new__(cls, *parts): made = tuple.__new__(cls, parts); made.note = ""; return made
    def __reduce__(self): return Version, tuple(self)
class Error(Exception):
    def __init__(self, a, b): super().__init__(a); self.a, self.b = a, b
# file: work.py
import time
import shapes
def look(x):
    time.sleep(0.001)
    attributes = getattr(x, "__dict__", {})
    shown = {k: v for k, v in sorted(attributes.items()) if k != "lock"}
    if isinstance(x, shapes.Slots): shown = {"a": x.a, "b": x.b}
    return type(x).__name__, shown, list(x) if isinstance(x, (list, dict, tuple)) else str(x)[:5] if isinstance(x, str) else ""
def made(kind):
    if kind == "mol": m = shapes.Mol("x"); m.props["p"] = 1; return m
    if kind == "cached": c = shapes.Cached(4); c.value(); return c
    if kind == "rows": r = shapes.Rows([1]); r.tag = "t"; return r
    if kind == "slots": return shapes.Slots(1, 2)
    if kind == "error": e = shapes.Error(1, 2); e.c = 3; return e
# file: main.py
import shapes, work
def all_of():
    m = shapes.Mol("ethanol"); m.props["id"] = 3; yield m
    c = shapes.Cached(3); c.value(); yield c
    yield shapes.Locked(5)
    r = shapes.Reduced(1); r.later = 2; yield r
    yield shapes.Slots("a", "b")
    rows = shapes.Rows([1, 2]); rows.title = "rows"; yield rows
    table = shapes.Table(a=1); table.title = "table"; yield table
    yield shapes.Name("long name", "tag")
    for a in range(4):
        s = shapes.Sometimes(a); s.extra = a; yield s
    v = shapes.Version(1, 2); v.note = "beta"; yield v
    e = shapes.Error(1, 2); e.c = 3; yield e
for x in all_of():
    print(work.look(x))
    print(work.look(x))
print([work.look([x])[2][0].__class__.__name__ for x in all_of()])
for kind in ["mol", "cached", "rows", "slots", "error"]:
    for x in (work.made(kind), work.made(kind)):
        print(type(x).__name__, vars(x) if hasattr(x, "__dict__") else (x.a, x.b))
