# What functions with effects leave in libraries is there in the program: that makes their calls.
# file: cord.toml
[remote.ends]
[remote.codes]
[remote.finds]
[remote.bases]
[remote.paths]
[remote.signals]
# file: ends.py
import atexit
def note(x): atexit.register(print, "the end", x)
# file: codes.py
import codecs, copyreg
class Thing: pass
def error(x):
    codecs.register_error("mine", lambda e: (f"?{x}", e.end))
    copyreg.pickle(Thing, lambda one: (Thing, ()))
# file: finds.py
import sys
class Finder:
    def find_spec(self, *args): return None
def find(x):
    sys.meta_path.insert(0, Finder())
    sys.path_hooks.append(Finder)
# file: bases.py
class A: name = "A"
class B: name = "B"
class Box(A): pass
def change(): Box.__bases__ = (B,)
# file: paths.py
import os.path
def joined(*parts): return "+".join(parts)
def patch(): os.path.join = joined
# file: signals.py
import signal, sys
def handle(*args): print("handled")
def look(*args): pass
def handled():
    signal.signal(signal.SIGUSR1, handle)
    sys.setprofile(look)
# file: main.py
import copyreg, os, signal, sys, tempfile
import bases, codes, ends, finds, paths, signals

ends.note(1)
codes.error(3)
print("\xe9".encode("ascii", "mine"), codes.Thing in copyreg.dispatch_table)
finds.find(1)
print(type(sys.meta_path[0]).__name__, sys.path_hooks[-1].__name__)
bases.change()
print(bases.Box().name)
signals.handled()
os.kill(os.getpid(), signal.SIGUSR1)
print(sys.getprofile().__name__)
sys.setprofile(None)
before = os.path.join
paths.patch()
print(os.path.join("a", "b"))
os.path.join = before
