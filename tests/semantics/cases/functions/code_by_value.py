# Code of functions that make calls, as picklers, marshal and dis see it; and what is made of it.
# file: work.py
def nap(x, y=0):
    return x * 7 + y
# file: main.py
import dis
import io
import marshal
import types

import cloudpickle

import work
from work import nap


def loop(n):
    found = []
    for x in range(n):
        found.append(work.nap(x))
    return found


def inner(n):
    step = n + 1

    def one(x):
        return nap(x, step)

    return one, lambda: [one(x) for x in range(n)]


class Solver:
    def __init__(self, scale):
        self.scale = scale

    def fitness(self, x):
        return work.nap(x) * self.scale

    def run(self, n):
        return max(self.fitness(x) for x in range(n))


print(loop(3), [f(2) if f.__code__.co_argcount else f() for f in inner(2)], Solver(2).run(4))
for function in (loop, *inner(3), Solver.fitness, Solver.run, Solver(1).run):
    code = function.__code__
    assert function.__code__ is code
    print(code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_stacksize)
    print([one for one in code.co_consts if not isinstance(one, types.CodeType)])
    print(len(marshal.dumps(code)), len(code.co_code))
    told = io.StringIO()
    dis.dis(code.replace(co_consts=()) if code.co_consts == () else function, file=told)
    print(len(told.getvalue().split("object at")), "cord._core" in told.getvalue())

made = cloudpickle.dumps((loop, inner, Solver, Solver(3)))
print(len(made))
again, pair, Solved, solver = cloudpickle.loads(made)
print(again(3), pair(2)[1](), Solved(5).run(3), solver.run(4))
copied = types.FunctionType(loop.__code__, globals(), "copied")
print(copied(4))
loop.__code__ = Solver.run.__code__
print(loop(Solver(7), 2) if loop.__code__.co_argcount == 2 else None)
try:
    import pickle

    pickle.dumps(work)
except TypeError as error:
    print(error)
kinds = {types.ModuleType: "a module"}
print(kinds[type(work)], type(work) == types.ModuleType, hash(type(work)) == hash(types.ModuleType))
print(type(work.__loader__), work.__spec__.loader is work.__loader__, type(__loader__))
