"""Production rules for classes, whose objects have a state; and which definitions there are."""

from __future__ import annotations

from client_expressions import Callee
from client_generators import Generators
from client_statements import Lines, inside
from client_templates import METHOD


class Classes(Generators):
    """Writes classes."""

    def box(self) -> Lines:
        step, call = self.number(1), self.number(1)
        doubled = self.one_of("work.g(self.value) * 2", "self.value * 2")
        self.add("box.step(?)", "box.step(?)", "box(?)", "Box.fixed(?)", "Box(?).step(?)", loops=1)
        return [
            "class Box:",
            "    scale = 2",
            "    def __init__(self, value):",
            "        self.value, self.items = value, []",
            "    def __repr__(self): return f'{type(self).__name__}({self.value})'",
            "    @property",
            f"    def doubled(self): return {doubled}",
            "    @staticmethod",
            "    def fixed(x): return work.f(x) + 1",
            "    @classmethod",
            "    def scaled(cls, x): return cls.scale * work.f(x)",
            "    def step(self, k):",
            f"        self.value = (self.value + work.f(k) + {step}) % 23",
            "        return self.value",
            "    def __call__(self, x):",
            f"        return self.step(x) + {call}",
            "    def __getitem__(self, i): return work.g(self.value, i)",
            "    def __setitem__(self, i, x): self.items.append(work.f(x) + i)",
            "    def __add__(self, x): return self.value + x",
            "    def __iter__(self):",
            f"        for i in range(2): yield {self.one_of('work.f(i)', 'self.value + i')}",
            "",
        ]

    def heir(self) -> Lines:
        name = self.fresh("Crate")
        callees, self.callees = self.callees, []  # they may use `box`, which may be one of these
        body = [line.replace("box.doubled", "box.value") for line in self.body(1, 2, ["self", "k"])]
        self.callees = callees
        self.add(f"{name}(?).step(?)", f"{name}.scaled(?)", loops=2)
        method = self.one_of(
            ["def step(self, k):", "    x = super().step(k)", *inside(body)],
            ["def step(self, k):", f"    return super().step(work.f(k)) + {self.atom()}"],
            ["@property", f"def doubled(self): return work.f(self.value) + {self.atom()}"],
        )
        made = [f"box = {name}(2)"] if self.chance(0.5) else []
        return [f"class {name}(Box):", f"    scale = {self.atom()}", *inside(method), "", *made]

    def record(self) -> Lines:
        """A class whose methods change what its objects hold."""
        name, made = self.fresh("Record"), self.fresh("rec")
        fields = self.drawn(
            (3, self.dataclass_fields), (3, self.own_fields), (1, self.inherited_fields)
        )(name)
        members = [self.method()]
        chosen = [self.top(), self.walk(), self.small_members()]
        lines = [*fields, *inside([line for member in [*members, *chosen] for line in member])]
        self.records.append(name)
        self.add(
            f"{made}.add(?)",
            f"{made}.top",
            f"{name}(?).add(?)",
            f"{name}(?).best",
            f"sum({made}.kept[:4])",
            f"max({name}(?), {made}).x",
            loops=1,
        )
        self.generators += [Callee(f"{made}.walk()", 1), Callee(f"{name}(?).walk()", 1)]
        return [*lines, f"{made} = {name}({self.random.randrange(5)})"]

    def dataclass_fields(self, name: str) -> Lines:
        options = self.one_of("", "", "(slots=True)", "(eq=False)")
        best = self.one_of("0", "3", "dataclasses.field(default=2)")
        lines = [
            "x: int",
            "kept: list = dataclasses.field(default_factory=list)",
            f"best: int = {best}",
        ]
        lines += ["other: object = None"]
        if self.chance(0.4):
            lines += ["def __post_init__(self):", f"    self.best = {self.born()}"]
        return [f"@dataclasses.dataclass{options}", f"class {name}:", *inside(lines)]

    def own_fields(self, name: str) -> Lines:
        counts = self.chance(0.3)
        slots = ["__slots__ = 'x', 'kept', 'best', 'other'"] if self.chance(0.15) else []
        made = ["type(self).made += 1"] if counts else []
        lines = [
            *slots,
            *(["made = 0"] if counts else []),
            "def __init__(self, x):",
            *inside([*made, "self.x = x", f"self.kept = {self.one_of('[]', '[x]', 'work.mk(x)')}"]),
            f"    self.best, self.other = {self.born('x')}, None",
            "def __repr__(self):",
            f"    return f'{name}({{self.x}}, {{self.kept}}, {{self.best}})'",
        ]
        return [f"class {name}:", *inside(lines)]

    def inherited_fields(self, name: str) -> Lines:
        if not self.records:
            return self.own_fields(name)
        lines = [
            "def __init__(self, x):",
            "    super().__init__(x)",
            f"    self.best = {self.born('x')}",
        ]
        return [f"class {name}({self.one_of(*self.records)}):", *inside(lines)]

    def born(self, x: str = "self.x") -> str:
        """What an object begins with."""
        return self.one_of(x, x, f"work.f({x})", f"work.g({x}, 2)", "0")

    def method(self) -> Lines:
        count = self.random.randrange(1, 4)
        self.loops += 1
        body = [self.written(METHOD, 1) for _ in range(count)]
        self.loops -= 1
        outcome = self.one_of(
            "self.best", "work.f(self.best)", "len(self.kept)", "k", "sum(self.kept) % 9"
        )
        return ["def add(self, k):", *inside([*body, f"return {outcome}"])]

    def top(self) -> Lines:
        value = self.one_of(
            "work.f(self.best)",
            "self.best + 1",
            "max(self.kept, default=2)",
            "work.total(self.kept)",
        )
        setter = self.one_of(
            "self.best = value", "self.best = work.f(value)", "self.kept.append(value)"
        )
        return [
            "@property",
            f"def top(self): return {value}",
            "@top.setter",
            f"def top(self, value): {setter}",
        ]

    def walk(self) -> Lines:
        body = self.random.choice(
            [
                ["for u in self.kept[:3]: yield work.f(u)"],
                ["yield self.best", "yield work.f(self.x)"],
                ["while self.best > 2:", "    self.best -= 2", "    yield work.f(self.best)"],
                ["yield from map(work.f, self.kept[:3])"],
                [
                    "for u in range(3):",
                    "    self.best = work.g(self.best, u)",
                    "    yield self.best",
                ],
            ]
        )
        return ["def walk(self):", *inside(body)]

    def small_members(self) -> Lines:
        lines = ["def __lt__(self, other): return work.less(self.x, other.x)"]
        lines += ["def __gt__(self, other): return other < self"]
        for member in (
            "def __len__(self): return len(self.kept)",
            "def __bool__(self): return self.best > 2",
            "def __contains__(self, x): return work.f(x) in self.kept",
            "def __eq__(self, other): return isinstance(other, type(self)) and self.x == other.x",
            "def __getattr__(self, name): return name if name.startswith('un') else 3",
            "def __hash__(self): return hash(self.x)",
        ):
            if self.chance(0.12) and "__getattr__" not in member:
                lines.append(member)
        return lines

    def tree(self) -> Lines:
        name, made = self.fresh("Node"), self.fresh("node")
        children = f"[{name}(value + i, depth - 1) for i in range(depth)]"
        self.add(f"{made}.total()", f"{name}(?, 2).total()", f"{made}.value", loops=2)
        self.generators.append(Callee(f"{made}.walk()", 2))
        change = self.one_of("self.value += 1", "self.value = work.f(self.value)", "pass")
        return [
            f"class {name}:",
            "    def __init__(self, value, depth):",
            f"        self.value = {self.one_of('value', 'work.f(value)')}",
            f"        self.children = {children}",
            "    def total(self):",
            f"        {change}",
            "        return work.f(self.value) + sum(child.total() for child in self.children)",
            "    def walk(self):",
            f"        yield {self.one_of('self.value', 'work.g(self.value)')}",
            "        for child in self.children: yield from child.walk()",
            f"{made} = {name}({self.atom()}, {self.random.randrange(1, 3)})",
        ]

    def iterator_class(self) -> Lines:
        name = self.fresh("Count")
        self.generators += [Callee(f"{name}(?)", 1), Callee(f"{name}(3)", 1)]
        ending = self.one_of(
            "self.n > 3", "self.n > 2 or work.f(self.n) == 6", "work.f(self.n) > 7"
        )
        value = self.one_of("work.f(self.n)", "self.n", "work.g(self.n, 2)")
        return [
            f"class {name}:",
            "    def __init__(self, n): self.n, self.turns = n % 3, 0",
            "    def __iter__(self): return self",
            "    def __next__(self):",
            f"        if {ending} or self.turns > 3: raise StopIteration",
            "        self.n += 1",
            "        self.turns += 1",
            f"        return {value}",
        ]

    # All

    def some_definitions(self, most: int) -> Lines:
        rules = (
            (4, self.helper),
            (2, self.recursion),
            (1, self.divide_and_conquer),
            (2, self.closure),
            (2, self.small_functions),
            (1.5, self.decorated),
            (1.5, self.table),
            (5, self.generator),
            (4, self.finder),
            (1.5, self.heir),
            (5, self.record),
            (1, self.tree),
            (1.5, self.iterator_class),
            (1.5, self.applying),
        )
        chosen = [self.drawn(*rules) for _ in range(self.random.randrange(most + 1))]
        return [line for rule in chosen for line in [*rule(), ""]]
