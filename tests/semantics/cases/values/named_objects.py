# What a module holds under a name is itself on both sides: sentinels, singletons, registries.
# file: kinds.py
import enum
class Missing:
    def __repr__(self): return "<missing>"
MISSING = Missing()
NOTHING = object()
class Colour(enum.Enum):
    RED = object()
    GREEN = 2
class Flags(enum.Flag):
    A = 1; B = 2
class Unit:
    _known = {}
    def __new__(cls, name):
        if name not in cls._known:
            made = cls._known[name] = super().__new__(cls)
            made.name = name
        return cls._known[name]
    def __reduce__(self): return Unit, (self.name,)
METRE = Unit("m")
class Slotted:
    __slots__ = ("level",)
    def __init__(self, level): self.level = level
LOW, HIGH = Slotted(1), Slotted(9)
# file: work.py
import dataclasses
import functools
import inspect
import time
import kinds
from kinds import HIGH, LOW, METRE, MISSING, NOTHING, Colour
DEFAULT = object()
class Registry:
    def __init__(self): self.known = {}
    def add(self, name): self.known[name] = len(self.known); return self
REGISTRY = Registry().add("a").add("b")
def which(x):
    time.sleep(0.001)
    for name in ("MISSING", "NOTHING", "DEFAULT", "METRE", "LOW", "HIGH", "REGISTRY"):
        if globals()[name] is x: return name
    if x is Colour.RED: return "red"
    if x is dataclasses.MISSING: return "dataclasses"
    if x is inspect.Parameter.empty: return "empty"
    if x is NotImplemented or x is Ellipsis: return str(x)
    return type(x).__name__
def give(name): return globals()[name]
def find(d, key, default=DEFAULT):
    found = d.get(key, DEFAULT)
    return ("none" if default is DEFAULT else default) if found is DEFAULT else found
def among(x): return [x is MISSING, [y is NOTHING for y in [x, NOTHING]]], MISSING, {"k": NOTHING}
# file: main.py
import dataclasses, inspect
import kinds, work
for x in [kinds.MISSING, kinds.NOTHING, work.DEFAULT, kinds.METRE, kinds.LOW, kinds.HIGH, work.REGISTRY,
          kinds.Colour.RED, dataclasses.MISSING, inspect.Parameter.empty, ..., NotImplemented,
          kinds.Missing(), kinds.Slotted(1), object(), [kinds.NOTHING], work.Registry()]:
    print(work.which(x))
for name in ["MISSING", "NOTHING", "METRE", "LOW", "HIGH"]:
    print(work.give(name) is getattr(kinds, name))
print(work.give("DEFAULT") is work.DEFAULT, work.give("REGISTRY") is work.REGISTRY)
print(work.find({"a": 1}, "a"), work.find({}, "a"), work.find({}, "a", None), work.find({}, "a", work.DEFAULT))
told, missing, d = work.among(kinds.MISSING)
print(told, missing is kinds.MISSING, d["k"] is kinds.NOTHING)
print(work.among(kinds.NOTHING)[0])
