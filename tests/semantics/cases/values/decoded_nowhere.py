# An argument that a replica cannot decode: the program makes the call.
# file: work.py
import time
IN_PROGRAM = False
class Picky:
    def __init__(self, n): self.n = n
    def __setstate__(self, state):
        if not IN_PROGRAM: raise RuntimeError("not here")
        self.__dict__.update(state)
class Wants:
    def __new__(cls, n): made = object.__new__(cls); made.n = n; return made
class Wrong(Exception):
    def __init__(self, a, b, c): super().__init__("wrong"); self.a, self.b, self.c = a, b, c
def number(x):
    time.sleep(0.001)
    return x.n
def wrong(x): return x.a, x.b, x.c, str(x)
# file: main.py
import sys, types
import work
work.IN_PROGRAM = True
print([work.number(work.Picky(n)) for n in range(4)])
print([work.number(work.Wants(n)) for n in range(4)])
print(work.wrong(work.Wrong(1, 2, 3)))
made = types.ModuleType("made_here")
exec("class Made:\n    def __init__(self, n): self.n = n", made.__dict__)
sys.modules["made_here"] = made
print([work.number(made.Made(n)) for n in range(4)])
