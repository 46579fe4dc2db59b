"""Production rules for the program's own generators."""

from __future__ import annotations

from client_definitions import Definitions
from client_expressions import Callee
from client_statements import Lines, inside


class Generators(Definitions):
    """Writes generators."""

    def generator(self) -> Lines:
        """A generator of one of several kinds, known from here on."""
        return self.drawn(
            (4, self.generator_of_a_number),
            (3, self.filtering),
            (2, self.endless),
            (2, self.recursive_generator),
            (1, self.delegating),
            (2, self.sending),
        )()

    def generator_of_a_number(self) -> Lines:
        g = self.fresh("gen")
        lines = self.generator_lines()
        self.generators.append(Callee(f"{g}(?)", 2))
        return [f"def {g}(a):", *inside(lines)]

    def generator_lines(self) -> Lines:
        if self.chance(0.3):
            inner = self.iterable()
            ending = self.one_of(f"yield from {inner}", f"yield from (work.f(u) for u in {inner})")
            return [f"yield {self.number(1)}", ending]
        if self.chance(0.4):
            lines = [
                "for v in range(a):",
                *inside(self.simple()),
                f"    yield {self.one_of('work.f(v)', self.number(1))}",
                "print('gen done', a)",
            ]
            return [*self.declarations(lines, ["a"]), *lines]
        return self.body(1, 3, ["a"], generator=True)

    def filtering(self) -> Lines:
        """A generator that reads another iterable."""
        g = self.fresh("sieve")
        items = self.one_of("range($n)", "xs[:4]", "$it", "iter(xs[:3])")
        self.generators.append(Callee(f"{g}({self.filled(items, 1)})", 2))
        if self.generators[:-1] and self.chance(0.6):
            inner = self.random.choice(self.generators[:-1])
            self.generators.append(Callee(f"{g}({inner.template})", inner.loops + 1))
        body = self.random.choice(
            [
                ["if work.f(u) % 2: yield u"],
                ["yield work.f(u)"],
                ["t = work.g(u, t)", "yield t"],
                ["yield u, work.f(u)"],
                ["if work.f(u) == 5: return", "yield work.g(u)"],
                ["try:", "    yield work.boom(u)", "except ValueError as error:", "    yield 4"],
                ["yield from work.near(u)[:1]"],
                ["xs.append(u)", "yield work.f(len(xs) % 5)"],
                ["kept.append(work.f(u))", "if len(kept) == 2: yield sum(kept); kept.clear()"],
            ]
        )
        if body == ["yield u, work.f(u)"]:
            last = self.generators.pop()
            self.generators.append(Callee(f"(u + p for u, p in {last.template})", last.loops))
        lines = ["kept, t = [], 1", f"for {self.one_of('u', 'u')} in items:", *inside(body)]
        if self.chance(0.2):
            lines = ["try:", *inside(lines), "finally:", "    print('sieve ends', work.f(len(xs)))"]
        if self.chance(0.3):
            lines.append(f"print('sieve done', {self.number(1)})")
        declared = self.declarations([line for line in lines if "t = " not in line], [])
        return [f"def {g}(items):", *inside([*declared, *lines])]

    def endless(self) -> Lines:
        g = self.fresh("endless")
        for template in (
            "itertools.islice({}(?), $n)",
            "(u + p for p, u in zip(range($n), {}(?)))",
            "[p for u, p in zip({}(?), range($n))]",
        ):
            if self.chance(0.6):
                self.generators.append(Callee(self.filled(template.format(g), 0), 2))
        self.add(f"next({g}(?))", f"next(u for u in {g}(?) if u > 3)", loops=1)
        step = self.one_of("yield work.f(n)", "yield work.g(n, 2)", "t = work.f(n); yield t")
        more = self.one_of("n += 1", "n += 1", "n = n + 2", "n += 1; print('step', n)")
        return [f"def {g}(n):", "    while True:", f"        {step}", f"        {more}"]

    def recursive_generator(self) -> Lines:
        g = self.fresh("walk")
        self.generators.append(Callee(f"{g}(? % 3)", 2))
        value = self.one_of("work.f(n)", "work.g(n, 3)", self.number(1))
        inner = self.one_of(
            [f"yield from {g}(n - 1)"],
            [f"for u in {g}(n - 1): yield work.g(u, n)"],
            [f"yield from {g}(n - 1)", f"yield from {g}(n - 2)"],
            [f"for u in {g}(n - 1):", "    yield u", "    if u > 6: return"],
        )
        lines = [f"yield {value}", *inner] if self.chance(0.6) else [*inner, f"yield {value}"]
        return [f"def {g}(n):", "    if n <= 0: return", *inside(lines)]

    def delegating(self) -> Lines:
        """Generators whose `yield from` has a value."""
        inner, outer = self.fresh("part"), self.fresh("whole")
        self.generators.append(Callee(f"{outer}(? % 3)", 2))
        return [
            f"def {inner}(n):",
            f"    for u in range(n): yield {self.one_of('work.f(u)', 'u')}",
            f"    return {self.one_of('work.f(n)', self.number(1))}",
            f"def {outer}(n):",
            f"    t = yield from {inner}(n)",
            f"    yield {self.one_of('t', 'work.g(t)')}",
            f"    print('whole', (yield from {inner}(1)))",
        ]

    def sending(self) -> Lines:
        g = self.fresh("teller")
        self.senders.append(g)
        caught = ["try:", "    got = yield total", "except ValueError as error:"]
        caught += ["    got = work.f(error.args[0])"]
        receive = self.random.choice([["got = yield total"], ["got = yield total"], caught])
        use = self.one_of("total = work.g(got, total)", "total += work.f(got)", "print('got', got)")
        lines = ["total = work.f(n)", "while True:", *inside([*receive, use])]
        if self.chance(0.3):
            lines = ["try:", *inside(lines), "finally:", "    print('teller ends', work.f(n))"]
        return [f"def {g}(n):", *inside(lines)]
