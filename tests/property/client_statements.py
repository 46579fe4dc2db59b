"""Production rules for statements: a statement is a list of lines."""

from __future__ import annotations

from client_expressions import MOST_LOOPS, NUMBERS, Expressions
from client_templates import RISKY, SHOWN, SHUFFLED, SIMPLE

Lines = list[str]

ERRORS = [
    "ValueError",
    "ValueError",
    "(KeyError, ValueError)",
    "LookupError",
    "work.Refused",
    "ArithmeticError",
    "Exception",
    "Exception",
    "BaseException",
]


def inside(lines: Lines) -> Lines:
    """The lines, one level further in."""
    return ["    " + line for line in lines]


class Statements(Expressions):
    """Writes statements."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.in_loop = False
        self.in_function = False
        self.in_generator = False
        self.count = 0

    def fresh(self, name: str) -> str:
        """A name that nothing else has."""
        self.count += 1
        return f"{name}{self.count}"

    def block(self, depth: int, most: int = 3) -> Lines:
        """One to `most` statements."""
        count = self.random.randrange(1, most + 1)
        return [line for _ in range(count) for line in self.statement(depth)]

    def statement(self, depth: int) -> Lines:
        simple = (40, self.simple), (14, self.shown), (4, self.shuffled), (5, self.exit)
        nested = (
            (16, self.for_loop),
            (6, self.while_loop),
            (12, self.branch),
            (10, self.guarded),
            (4, self.with_block),
            (3, self.match),
            (32, self.shape),
        )
        rules = simple if depth <= 0 else (*simple, *nested)
        return self.drawn(*rules)(depth - 1)

    def shape(self, depth: int) -> Lines:
        """A shape that programs are made of."""
        raise NotImplementedError

    # One line

    def simple(self, _depth: int = 0) -> Lines:
        risky = self.risky and self.chance(0.1)
        return [self.written(RISKY if risky else SIMPLE, 2)]

    def shown(self, _depth: int = 0) -> Lines:
        return [self.written(SHOWN, 1)]

    def shuffled(self, _depth: int = 0) -> Lines:
        return [self.written(SHUFFLED, 0)]

    def exit(self, _depth: int = 0) -> Lines:
        condition = self.condition()
        if self.in_loop and self.chance(0.7):
            return [f"if {condition}: {self.one_of('break', 'continue')}"]
        if self.in_generator:
            return [f"if {condition}: yield {self.number(1)}"]
        if self.in_function and self.chance(0.8):
            return [f"if {condition}: return {self.number(1)}"]
        if not self.risky:
            return self.shown()
        if self.chance(0.15):
            status = self.one_of(self.atom(), "'gone'", "None")
            return [f"if {condition}: sys.exit({status})"]
        if self.chance(0.4):
            error = self.one_of("ValueError", "KeyError", "work.Refused")
            return [f"if {condition}: raise {error}({self.atom()})"]
        return self.shown()

    # Loops

    def loop_body(self, depth: int, most: int = 3) -> Lines:
        before = self.in_loop
        self.in_loop, self.loops = True, self.loops + 1
        lines = self.block(depth, most)
        self.in_loop, self.loops = before, self.loops - 1
        return inside(lines)

    def for_loop(self, depth: int) -> Lines:
        if self.loops >= MOST_LOOPS:
            return self.simple()
        v, n = self.one_of("v", "w", *NUMBERS), self.random.randrange(5)
        head = self.one_of(
            *[f"for {v} in {self.iterable()}:" for _ in range(5)],
            f"for {self.fresh('i')}, {v} in enumerate({self.iterable()}):",
            f"for {v}, w in zip({self.iterable()}, {self.iterable()}):",
            f"for {v}, w in list(d.items())[:4]:",
            f"for {v}, w in d.items():",
            f"for {v} in s:",
            f"for {v} in [1, True, 1.0, 0.0, -0.0][:{n}]:",
            f"for xs in m[:{n}]:",
            f"for box.value in {self.iterable()}:",
            f"for d[{self.atom()}] in {self.iterable()}:",
            f"for {v}, *ys in [work.mk(a), [1, 2, 3]]:",
            "for line in open('data.txt'):",
        )
        lines = [head, *self.loop_body(depth)]
        if self.chance(0.12):
            grown = f"for {v} in xs:"
            body = ["if len(xs) > 5: break", f"xs.append({self.number(1)})"]
            return [grown, *inside([*body, *self.simple()])]
        if self.chance(0.2):
            lines += ["else:", *inside(self.block(depth - 1, 2))]
        return lines

    def while_loop(self, depth: int) -> Lines:
        if self.loops >= MOST_LOOPS:
            return self.simple()
        n, most = self.fresh("n"), self.random.randrange(1, 5)
        if self.chance(0.2):
            body = [f"{n} += 1", f"if {n} > {most} or {self.condition()}: break"]
            return [f"{n} = 0", "while True:", *inside(body), *self.loop_body(depth)]
        lines = [f"{n} = 0", f"while {n} < {most} and ({self.condition()}):", f"    {n} += 1"]
        lines += self.loop_body(depth)
        if self.chance(0.2):
            lines += ["else:", *inside(self.block(depth - 1, 2))]
        return lines

    # Branches and exceptions

    def branch(self, depth: int) -> Lines:
        lines = [f"if {self.condition()}:", *inside(self.block(depth))]
        if self.chance(0.2):
            lines += [f"elif {self.condition()}:", *inside(self.block(depth, 2))]
        if self.chance(0.5):
            lines += ["else:", *inside(self.block(depth))]
        return lines

    def guarded(self, depth: int) -> Lines:
        risky, self.risky = self.risky, self.risky or self.chance(0.8)
        lines = ["try:", *inside(self.block(depth))]
        self.risky = risky
        if self.chance(0.2):
            return [*lines, "finally:", *inside(self.block(0, 2))]
        if self.chance(0.06):
            return [*lines, "except* ValueError as group:", "    print('group', repr(group))"]
        for _ in range(self.random.randrange(1, 3)):
            lines += [
                f"except {self.random.choice(ERRORS)} as error:",
                *inside(self.handler(depth)),
            ]
        if self.chance(0.25):
            lines += ["else:", *inside(self.block(depth - 1, 2))]
        if self.chance(0.3):
            lines += ["finally:", *inside(["print('fin', a)", *self.simple()])]
        return lines

    def handler(self, depth: int) -> Lines:
        lines = [
            self.one_of(
                "print('except', repr(error))",
                "print(type(error).__name__, error.args)",
                "print(repr(error), repr(error.__cause__), getattr(error, '__notes__', None))",
                "print(getattr(error, 'code', 'no code'))",
                "traceback.print_exc(limit=0)",
            )
        ]
        if self.chance(0.4):
            lines += self.block(depth - 1, 2)
        if self.chance(0.12):
            x = self.atom()
            lines += [self.one_of("raise", f"raise RuntimeError({x}) from error")]
        return lines

    def with_block(self, depth: int) -> Lines:
        manager = self.one_of(
            f"noted({self.number(1)})",
            f"noted({self.number(1)})",
            "contextlib.suppress(ValueError)",
            "contextlib.suppress(Exception)",
            "contextlib.redirect_stdout(io.StringIO())",
            f"Swallow({self.atom()}) as w",
            f"noted({self.number(1)}), contextlib.suppress(LookupError)",
        )
        return [f"with {manager}:", *inside(self.block(depth))]

    def match(self, depth: int) -> Lines:
        x = self.number(1)
        if self.chance(0.3):
            subject, cases = f"work.move(pt, {x})", ["work.Point(x=0)", "work.Point(x=v, y=w)", "_"]
        else:
            subject = self.one_of(f"work.mk({x})", f"[{x}, *xs[:2]]", x)
            guard = f"[v, w] if v > {self.number(1)}"
            cases = ["[0, v]", guard, "[_, *ys]", "0 | 1", "int(v)", "_"]
            cases = [case for case in cases if self.chance(0.7)] or ["_"]
        lines = [f"match {subject}:"]
        for case in cases:
            lines += inside([f"case {case}:", *inside(self.block(depth - 1, 2))])
        return lines
