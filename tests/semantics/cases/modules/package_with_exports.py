# A package with relative imports, star imports and a remote module inside.
# file: app/__init__.py
from .core.engine import run as run
from . import util
__all__ = ["run", "util", "VERSION"]
VERSION = "1.0"
print("app init", __name__)
# file: app/util.py
from .core import engine
def label(x): return f"{engine.PREFIX}{x}"
# file: app/core/__init__.py
"""Core."""
# file: app/core/engine.py
from . import heavy
from .heavy import *
PREFIX = "#"
def run(n):
    from ..util import label
    out = []
    for i in range(n):
        out.append((label(i), crunch(i), heavy.crunch(-i), heavy._private(i)))
    return out
# file: app/core/heavy.py
__all__ = ["crunch", "LIMIT"]
LIMIT = 10
def crunch(x):
    return _private(x) + LIMIT
def _private(x):
    return x * 2
def hidden(x):
    return x
# file: main.py
import app
from app import *
import app.core.heavy as h
print(run(3), util.label(4), VERSION, h.LIMIT, h.hidden(3))
import importlib
mod = importlib.import_module("app.core.heavy")
print(mod is h, [mod.crunch(i) for i in range(3)])
# file: cord.toml
[remote."app.core.heavy"]
replicas = 2
callstyle = "async"
pure = true
