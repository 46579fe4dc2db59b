"""Production rules for functions: helpers, searches, closures, decorators, tables.

Each definition enters the callables or generators that expressions choose from, so what is defined
later calls what was defined before.
"""

from __future__ import annotations

import ast

from client_expressions import Callee
from client_shapes import Shapes
from client_statements import Lines, inside

# What the names of every scope begin with.
DEFAULTS = {
    "a": "1",
    "b": "2",
    "c": "3",
    "v": "0",
    "w": "0",
    "t": "4",
    "xs": "[1, 2]",
    "ys": "[4]",
    "m": "[[1, 2], [3]]",
    "d": "{1: 2, 3: 4}",
    "s": "{1, 5}",
    "q": "collections.deque([2, 3])",
    "o": "[1, True, -0.0]",
    "box": "Box(1)",
    "pt": "work.Point(1, 2)",
}


def stored_names(lines: Lines) -> set[str]:
    """The names that a function with these lines makes its own."""
    names: set[str] = set()
    pending: list[tuple[ast.AST, bool]] = [(ast.parse("\n".join(lines)), False)]
    while pending:
        node, inner = pending.pop()
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
            continue
        if isinstance(node, (ast.Lambda, ast.ClassDef)):
            continue
        inner = inner or isinstance(
            node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
        )
        if isinstance(node, ast.NamedExpr):
            names.add(node.target.id)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and not inner:
            names.add(node.id)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names.add(node.name)
        pending += [(child, inner) for child in ast.iter_child_nodes(node)]
    return names


class Definitions(Shapes):
    """Writes definitions."""

    def body(self, depth: int, most: int, params: list[str], generator: bool = False) -> Lines:
        """The body of a function: its names declared, then statements, then its outcome."""
        saved = self.in_loop, self.in_function, self.in_generator, self.loops
        self.in_loop, self.in_function, self.in_generator, self.loops = False, True, generator, 1
        lines = self.block(depth, most)
        word = "yield" if generator else "return"
        lines.append(f"{word} {self.number()}")
        if generator and self.chance(0.4):
            lines = ["try:", *inside(lines), "finally:", "    print('gen ends', a)"]
        self.in_loop, self.in_function, self.in_generator, self.loops = saved
        return [*self.declarations(lines, params), *lines]

    def declarations(self, lines: Lines, params: list[str], outer: str = "global") -> Lines:
        declared, made = [], []
        for name in sorted(stored_names(lines) & set(DEFAULTS) - set(params)):
            if self.chance(0.3) and name not in ("v", "w", "t"):
                declared.append(f"{outer} {name}")
            else:
                made.append(f"{name} = {DEFAULTS[name]}")
        return declared + made

    def add(self, *templates: str, loops: int = 1) -> None:
        self.callees += [Callee(template, loops) for template in templates]

    # Functions

    def helper(self) -> Lines:
        h = self.fresh("h")
        head = self.one_of(
            f"def {h}(a, xs=()):",
            f"def {h}(a, *xs):",
            f"def {h}(a, xs=(1, 2), *, b=3, **more):",
        )
        params = ["a", "xs", *(["b"] if "b=3" in head else [])]
        body = self.body(self.random.randrange(3), 3, params)
        first = [f"xs = {self.one_of('list(xs)', 'xs or [a]', 'xs[:3] or [2]')}"]
        if "*xs" in head:
            self.add(f"{h}(?)", f"{h}(?, *xs[:2])", f"{h}(?, ?)", loops=2)
        elif "more" in head:
            self.add(f"{h}(?, xs, b=?, z=1)", f"{h}(a=?)", f"{h}(?, xs=ys)", loops=2)
        else:
            self.add(f"{h}(?)", f"{h}(?, xs)", f"{h}(?, ys[:2])", loops=2)
        if "global xs" in body:
            body.remove("global xs")
        return [f"{head}", *inside(first + body)]

    def recursion(self) -> Lines:
        r = self.fresh("r")
        body = self.body(1, 2, ["n", "a"])
        call = f"{r}(n - 1, {self.number(1)})"
        *lines, last = body
        twice = f" + {r}(n - 2, a)" if self.chance(0.3) else ""
        outcome = f"return ({call}{twice} + {last.removeprefix('return ')}) % 31"
        self.add(f"{r}(? % 4, ?)", f"{r}(2, ?)", loops=3)
        return [
            f"def {r}(n, a):",
            *inside(["if n <= 0: return a", *lines, outcome]),
        ]

    def divide_and_conquer(self) -> Lines:
        r = self.fresh("sort")
        self.add(f"sum({r}(xs[:5])[:?])", f"({r}([?, 3, a, 1, c])[-1])", loops=3)
        merge = self.one_of(
            ["return work.merge(left, right)"],
            [
                "both = []",
                "while left and right:",
                "    both.append((left if work.less(left[0], right[0]) else right).pop(0))",
                "return both + left + right",
            ],
        )
        return [
            f"def {r}(items):",
            "    if len(items) < 2: return list(items)",
            f"    left, right = {r}(items[::2]), {r}(items[1::2])",
            *inside(merge),
        ]

    def closure(self) -> Lines:
        make, inner = self.fresh("make"), self.fresh("inner")
        saved = self.in_loop, self.in_function, self.loops
        self.in_loop, self.in_function, self.loops = False, True, 1
        lines = [*self.block(1, 2), f"return {self.number()}"]
        self.in_loop, self.in_function, self.loops = saved
        declared = self.declarations(lines, ["x", "k"], outer="nonlocal")
        captured = [line.removeprefix("nonlocal ") for line in declared if "nonlocal" in line]
        own = [f"{name} = {DEFAULTS[name]}" for name in captured]
        counter = self.fresh("closed")
        self.add(f"{make}(?)(?)", f"{counter}(?)", loops=2)
        return [
            f"def {make}(k):",
            *inside(own),
            "    calls = 0",
            f"    def {inner}(x):",
            "        nonlocal calls",
            "        calls += 1",
            *inside(inside([*declared, "print('inner', calls, k, x)", *lines])),
            f"    return {inner}",
            f"{counter} = {make}({self.atom()})",
        ]

    def small_functions(self) -> Lines:
        name = self.fresh("fun")
        walrus, self.walrus = self.walrus, False
        self.loops += 1
        x = self.number()
        self.loops -= 1
        self.walrus = walrus
        self.add(f"{name}(?)", loops=2)
        return [
            self.one_of(
                f"{name} = lambda x: work.f(x) + {x}",
                f"{name} = lambda x, a=a: work.g(x, {x})",
                f"{name} = functools.partial(work.g, y={self.atom()})",
                f"{name} = functools.partial(work.g, {self.atom()})",
                f"{name} = work.f",
                f"{name} = functools.lru_cache(lambda x: work.say(x))",
                f"{name} = [work.f, work.g, mixed.twice][{self.atom()} % 3]",
            )
        ]

    def decorated(self) -> Lines:
        name = self.fresh("deco")
        self.add(f"{name}(?)", loops=2)
        decorator = self.one_of("@logged", "@logged", "@functools.lru_cache", "@functools.cache")
        return [decorator, f"def {name}(a):", *inside(self.body(1, 2, ["a"]))]

    def table(self) -> Lines:
        name = self.fresh("ops")
        simple = [
            c.template[:-3] for c in self.callees if c.loops < 3 and c.template.endswith("(?)")
        ]
        known = [name for name in simple if "?" not in name]
        functions = ["work.f", "work.g", self.one_of("state.put", "work.boom"), *known[-2:]]
        self.add(f"{name}[? % {len(functions)}](?)", f"{name}[?](?)", loops=2)
        entries = ", ".join(f"{i}: {function}" for i, function in enumerate(functions))
        return [f"{name} = {{{entries}}}"]

    def finder(self) -> Lines:
        """A function that looks for something, and leaves its loop when it is found."""
        name = self.fresh("find")
        saved = self.in_loop, self.in_function, self.loops
        self.in_loop, self.in_function, self.loops = False, True, 1
        leaving = ["return t", "return w", "break", "raise LookupError(w)", "return work.f(t)"]
        lines = self.search_loop(self.one_of(*leaving, *leaving[:2]), 8)
        if self.chance(0.2):
            lines += ["else:", *inside(self.simple())]
        if "raise LookupError(w)" in "".join(lines) and self.chance(0.8):
            lines = [
                "try:",
                *inside(lines),
                "except LookupError as error:",
                "    return error.args[0]",
            ]
        lines.append(f"return {self.one_of('-1', 'w', 'None or 0', self.number(1))}")
        self.in_loop, self.in_function, self.loops = saved
        self.add(f"{name}(?)", f"{name}(?, ys)", loops=2)
        declared = self.declarations(lines, ["a", "xs"])
        return [f"def {name}(a, xs=(5, 2, 7, 1)):", *inside(["xs = list(xs)", *declared, *lines])]

    def applying(self) -> Lines:
        """Functions that take functions, and functions that are made in a loop."""
        name = self.fresh("apply")
        body = self.one_of(
            "return sum([function(u) for u in items])",
            "return next((u for u in items if function(u) > 4), 0)",
            "return sum(map(function, items))",
            "return max(items, key=function, default=1)",
            "return sum(function(u) for u in items if u % 2)",
        )
        made = self.one_of("lambda x: work.g(x, k)", "lambda x, k=k: work.g(x, k)")
        functions = ["work.f", "lambda x: work.g(x, 3)", "mixed.twice", f"many{name}[1]", "abs"]
        self.add(*[f"{name}({function}, [?, 2, a])" for function in functions], loops=2)
        return [
            f"def {name}(function, items):",
            *inside([body]),
            f"many{name} = [{made} for k in range(3)]",
        ]
