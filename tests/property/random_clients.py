"""Random programs that terminate: the same number gives the same program, always.

`make_case(seed)` puts a program together: its own module(s), the remote modules of
`remote_modules.py` and a plan. Its lines are chosen by production rules, one method each, in

    client_expressions.py    numbers, conditions, iterables, reductions
    client_statements.py     assignments, loops, branches, handlers
    client_shapes.py         folds, searches, loops that often end or fail, objects made in loops
    client_definitions.py    helpers, recursion, closures, tables
    client_generators.py     the program's own generators
    client_classes.py        classes with a state, inheritance, trees, iterators

Loops and recursion are bounded by the way they are written. What the contract leaves open is left
out: remote functions neither change their arguments nor hand them back, nothing asks for the
identity of a result, and no set travels whose order could tell how it was built.

`make property N=20000 SEED=1` runs programs plain and under Cord, compares all that can be seen of
them (`warm_runs.py`), and shrinks those that differ to a case file (`shrinking.py`).
"""

from __future__ import annotations

import ast
import re

from client_classes import Classes
from client_definitions import DEFAULTS
from client_statements import Lines, inside
from program_case import Case
from remote_modules import REMOTE_MODULES, plan

MODULES = (
    "asyncio atexit bisect collections concurrent.futures contextlib dataclasses functools heapq "
    "io itertools random sys traceback"
)
IMPORTS = {
    **{name.partition(".")[0]: f"import {name}" for name in MODULES.split()},
    **{name: f"import {name}" for name in ("mixed", "state", "work")},
    "f": "from work import f",
}

# What programs are made with, each defined only where its name occurs.
TOOLS = {
    "random": """\
random.seed(5)""",
    "rng": """\
rng = random.Random(7)""",
    "NAN": """\
NAN = float("nan")""",
    "bump": """\
def bump(x):
    global a, b
    a, b = (a + 1) % 50, x""",
    "logged": """\
def logged(function):
    @functools.wraps(function)
    def around(*args):
        print("call", function.__name__, args)
        try:
            return function(*args)
        finally:
            print("back", function.__name__)
    return around""",
    "noted": """\
@contextlib.contextmanager
def noted(x):
    print("enter", x)
    try:
        yield x
    finally:
        print("leave", x)""",
    "churn": """\
def churn(x, n=40):
    found = []
    for u in range(n):
        found.append(u * x % 7)
    return sum(found)""",
    "fuss": """\
def fuss(x):
    if x % 4 == 3:
        raise KeyError(x)
    return sum(u * x % 5 for u in range(40))""",
    "spill": """\
def spill(items, x):
    for u in range(2):
        items.append(x + u)
    return len(items)""",
    "Swallow": """\
class Swallow:
    def __init__(self, x):
        self.x = x
    def __enter__(self):
        return work.f(self.x)
    def __exit__(self, kind, error, trace):
        print("exit", kind and kind.__name__, work.f(self.x))
        return kind is KeyError""",
}

# How the last line shows what a name holds in the end.
SHOWN = {"s": "sorted(s)", "q": "list(q)", "box": "box, box.items"}


def words_of(lines: Lines) -> set[str]:
    """The words in these lines."""
    return set(re.findall(r"\w+", "\n".join(lines)))


def top_level_names(lines: Lines) -> set[str]:
    """The names that these lines bind at top level."""
    names: set[str] = set()
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


class Client(Classes):
    """Writes a whole client program."""

    def module(self, box: Lines, lines: Lines) -> Lines:
        """A module with these lines: before them, what they need, the class `Box` too."""
        words = words_of(lines)
        box = box if {"box", "Box"} & words else []
        words |= words_of(box)
        tools = [line for name in TOOLS if name in words for line in TOOLS[name].splitlines()]
        words |= words_of(tools)
        names = [f"{name} = {value}" for name, value in DEFAULTS.items() if name in words]
        words |= words_of(names)
        imports = [line for name, line in IMPORTS.items() if name in words]
        return [*imports, *tools, *box, *names, *lines]

    def library(self) -> tuple[Lines, Lines]:
        """A second client module, and the lines by which the first imports it."""
        before = len(self.callees), len(self.generators)
        lines = self.module(self.box(), self.some_definitions(3))
        del self.callees[: before[0]], self.generators[: before[1]]
        # what belongs to a class or an object of that module has a twin here
        self.callees = [
            callee for callee in self.callees if not callee.template.startswith(("box", "Box"))
        ]
        if self.chance(0.5):
            return lines, ["from lib import *"]
        own = {name for name in top_level_names(lines) if name[-1].isdigit()}
        word = re.compile(rf"\b({'|'.join(sorted(own)) or '!'})\b")
        for callee in [*self.callees, *self.generators]:
            callee.template = word.sub(r"lib.\1", callee.template)
        self.senders = [f"lib.{name}" for name in self.senders]
        self.records = [f"lib.{name}" for name in self.records]
        return lines, ["import lib"]

    def main(self, imported: Lines) -> Lines:
        box = self.box()
        lines = [*imported, *self.some_definitions(4)]
        if self.chance(0.15):
            lines += ["@atexit.register", "def at_end():", f"    print('end', {self.number()})"]
        if self.chance(0.1):
            lines += ["random.seed(3)", "print(random.randrange(100), work.f(random.randrange(9)))"]
        if self.chance(0.55):
            lines += self.function()
        else:
            lines += self.survived([line for _ in range(3) for line in self.statement(3)])
            lines += self.block(3)
        known = [name for name in DEFAULTS if name in words_of(lines)]
        last = [SHOWN.get(name, name) for name in known]
        return self.module(box, [*lines, f"print({', '.join([*last, 'state.last()'])})"])

    def survived(self, lines: Lines) -> Lines:
        """The lines, at times in a `try` that lets the program go on."""
        if self.chance(0.5):
            return lines
        return ["try:", *inside(lines), "except Exception as error:", "    print(repr(error))"]

    def function(self) -> Lines:
        third = self.random.choice(["d", "box", "pt", "c"])
        body = self.body(3, 5, ["a", "xs", third])
        calls = [
            f"print(run(3, [1, 2], {third}))",
            f"print(run(xs=xs, a={self.number(1)}, {third}={third}))",
        ]
        calls = calls[: self.random.randrange(1, 3)]
        calls = [line for call in calls for line in self.survived([call])]
        if self.chance(0.3):
            calls = ["if __name__ == '__main__':", *inside(calls)]
        return [f"def run(a, xs, {third}):", *inside(body), *calls]


def make_case(seed: int) -> Case:
    """The program of this number."""
    client = Client(seed)
    files = {"data.txt": "3\n1\n4\n"}
    imported: Lines = []
    if client.chance(0.3):
        lines, imported = client.library()
        files["lib.py"] = "\n".join(lines) + "\n"
    main = client.main(imported)
    files["main.py"] = "\n".join(main) + "\n"
    files["cord.toml"] = plan(client.random)
    return Case(f"seed {seed}", f"Random program {seed}.", {}, {**REMOTE_MODULES, **files})
