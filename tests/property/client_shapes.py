"""Production rules for statements of many lines: the shapes that programs are made of."""

from __future__ import annotations

from client_expressions import MOST_LOOPS
from client_statements import ERRORS, Lines, Statements, inside
from client_templates import FAILING_CALL, FOUND, PASSED, REPEATED


class Shapes(Statements):
    """Writes shapes."""

    def shape(self, depth: int) -> Lines:
        """A shape that programs are made of."""
        return self.drawn(
            (3, self.retried),
            (3, self.generator_by_hand),
            (3, self.checked_chain),
            (2, self.fold),
            (2, self.breadth_first),
            (2, self.best_first),
            (4, self.passed_on),
            (2, self.sweeps),
            (2, self.two_loops),
            (5, self.search),
            (4, self.searches),
            (4, self.called_often),
            (3, self.failing_often),
            (2, self.until),
            (2, self.long_loop),
            (3, self.read_alternately),
            (2, self.told),
            (3, self.instances),
            (8, self.work_beside),
            (0.4, self.threads),
            (0.4, self.coroutines),
        )(depth)

    def retried(self, _depth: int) -> Lines:
        error = self.random.choice(ERRORS)
        return [
            f"for v in range({self.random.randrange(1, 5)}):",
            "    try:",
            f"        a = {self.written(FAILING_CALL, 1)}",
            f"    except {error} as error:",
            f"        print('again', repr(error)); a += {self.number(1)}",
            "    else:",
            "        break",
            "else:",
            "    print('gave up')",
        ]

    def generator_by_hand(self, depth: int) -> Lines:
        it = self.fresh("it")
        source = self.iterable()
        lines = [f"{it} = iter({source})", f"print(next({it}, 'none'))"]
        if self.loops < MOST_LOOPS:
            body = [f"if {self.condition()}: print(next({it}, 'end'))"]
            lines += [f"for v in {it}:", *inside(body), *self.loop_body(depth, 2)]
        end = self.one_of(f"print(list({it}))", f"getattr({it}, 'close', print)()", f"del {it}")
        return [*lines, end]

    def checked_chain(self, _depth: int) -> Lines:
        return [
            f"t = work.f({self.number(1)})",
            f"if t {self.one_of('> 5', '% 2', '== 3')}: t = work.g(t, {self.number(1)})",
            f"print('chain', work.f(t), {self.number(1)})",
        ]

    def work_beside(self, _depth: int) -> Lines:
        """Local work between a call and what is done with its value."""
        looping = self.loops < MOST_LOOPS and self.chance(0.4)
        self.loops += looping
        lines = [self.one_of(*self._called_beside())]
        lines += [line for _ in range(self.random.randrange(1, 5)) for line in self._beside()]
        if self.chance(0.5):
            lines.append(
                self.one_of("a = a + churn(b)", "print(a, churn(c), fuss(a))", "b += a - churn(1)")
            )
        lines.append(
            self.one_of("print(a, b, xs)", "print('beside', a, c, ys[-3:])", "a = a + b", "b")
        )
        if self.chance(0.4):
            shown = (
                "print(repr(error), repr(error.__context__), a, b, c, xs[-3:], ys[-3:], sorted(s))"
            )
            error = self.one_of("ValueError", "(KeyError, ValueError)", "Exception")
            lines = ["try:", *inside(lines), f"except {error} as error:", f"    {shown}"]
        if looping:
            self.loops -= 1
            head = self.one_of("for v in range(4):", "for u, v in enumerate(xs[:4]):")
            lines = [head, *inside(lines)]
        return lines

    def _called_beside(self) -> Lines:
        x = self.number(1)
        calls = ["a = work.slow($)", "a = work.slow($)", "a += work.slow($)", "work.slow($)"]
        calls += ["xs.append(work.slow($))", "b, c = work.pair($)", "a, b = work.slow($), 1"]
        calls += ["a = state.put($)", "a = work.slow(work.f($))"]
        return [call.replace("$", x) for call in calls]

    def _beside(self) -> Lines:
        """Local work, most of which nobody can see."""
        x = self.atom()
        return self.random.choice(
            [
                [f"b = churn({x})"],
                [f"b = churn({x})"],
                [f"ys = [churn(u) for u in range({self.random.randrange(4)})]"],
                ["for v in range(3):", f"    b += churn(v + {x})"],
                ["for v in range(2):", "    for w in range(2):", "        ys.append(churn(v * w))"],
                [f"if b % 2: c = churn({x})", "else: ys.append(churn(b))"],
                ["if b % 3 == 1:", "    c += 1", f"    b = churn({x})"],
                [f"b = fuss({x})"],
                [f"s.add(churn({x}) % 9)"],
                [f"b = spill(ys, {x})"],
                [f"c = work.slow({x})"],
                [f"c = work.f({x}) + churn(1)"],
                ["try:", f"    b = fuss({x})", "except KeyError:", "    b = 0"],
                [f"print('meanwhile', churn({x}))"],
                [f"t = {{v: churn(v) for v in range({self.random.randrange(5)})}}"],
                ["while b > 5:", "    b //= 2", "    c += churn(b)"],
            ]
        )

    def fold(self, _depth: int) -> Lines:
        inner = [f"a = work.g(a, {self.number(1)})"] + (self.simple() if self.chance(0.3) else [])
        return ["for v in " + self.iterable() + ":", *inside(inner), "print('fold', a)"]

    def breadth_first(self, _depth: int) -> Lines:
        n = self.fresh("n")
        body = [
            f"{n} += 1",
            f"v = q.{self.one_of('popleft', 'pop')}()",
            "if v in s: continue",
            "s.add(v)",
            *self.simple(),
            "for w in work.near(v):",
            self.one_of("    if w not in s: q.append(w)", "    q.append(w); print('near', v, w)"),
        ]
        start = f"q, s, {n} = collections.deque([{self.number(1)}]), set(), 0"
        walk = [f"while q and len(s) < 6 and {n} < 9:", *inside(body)]
        return [start, *walk, "print(sorted(s), len(q))"]

    def best_first(self, _depth: int) -> Lines:
        heap, n = self.fresh("heap"), self.fresh("n")
        body = [
            f"{n} += 1",
            f"w, v = heapq.heappop({heap})",
            "if v in s: continue",
            "s.add(v)",
            f"for t in work.near(v): heapq.heappush({heap}, (w + work.f(t), t))",
            self.written(REPEATED, 1),
        ]
        if self.chance(0.3):
            body.insert(2, f"if {self.written(FOUND, 1)}: break")
        start = [f"s, {n}, {heap} = set(), 0, [(0, {self.atom()})]"]
        return [*start, f"while {heap} and {n} < 9:", *inside(body), f"print(sorted({heap}), {n})"]

    def passed_on(self, _depth: int) -> Lines:
        """Large values that mostly go from call to call."""
        looping = self.loops < MOST_LOOPS and self.chance(0.6)
        self.loops += looping
        lines = [self.written(PASSED, 1) for _ in range(self.random.randrange(1, 5))]
        lines.append(f"print('wide', {self.one_of('work.thin(wide)', 'work.thin(wide, a)', 'a')})")
        if self.chance(0.2):
            lines = ["try:", *inside(lines), "except ValueError as error:", "    print(error.args)"]
        self.loops -= looping
        first = f"wide = kept = work.wide({self.number(1)})"
        if not looping:
            return [first, *lines]
        if self.chance(0.5):
            lines = [f"wide = work.wide({self.one_of('v', 'a', 'work.f(v)')})", *lines]
        return [first, f"for v in {self.iterable()}:", *inside(lines)]

    def sweeps(self, _depth: int) -> Lines:
        enough = self.one_of("max(ys) < 3", "xs == ys", f"{self.number(1)} > 8", "False")
        return [
            f"xs = [{self.number(1)}, {self.atom()}, {self.atom()}, 4.5]",
            f"ys = {self.one_of('xs[:]', '[0] * 4', 'list(xs)')}",
            f"for v in range({self.random.randrange(1, 4)}):",
            "    for w in range(1, len(xs) - 1):",
            f"        {self.one_of('ys', 'ys', 'xs')}[w] = work.mean(xs[w - 1], xs[w + 1])",
            "    xs, ys = ys, xs",
            f"    if {enough}: break",
            "print(xs, ys, sum(xs))",
        ]

    def two_loops(self, _depth: int) -> Lines:
        own = self.simple()
        body = self.random.choice([["print(w, work.f(w))"], ["a += work.g(w, a)"], own])
        return [
            f"ys = [{self.element()} for u in {self.iterable()}]",
            "for w in ys[:5]:",
            *inside(body),
            f"print([work.g(w, {self.number(1)}) for w in ys if w {self.one_of('> 4', '% 2')}])",
        ]

    # Loops that end by results: often enough that history foresees it

    def search_loop(self, leave: str, most: int = 9) -> Lines:
        """A loop over `w` that does `leave` when the result `t` is the right one."""
        first, turns = self.one_of("0", "a", "v", "c"), self.random.randrange(3, most)
        self.loops += 2
        found = self.written(FOUND, 1)
        known = "f(w)", "f(w)", "f(w)", "g(w, a)", "boom(w)", "maybe(w) or 0"
        call = f"t = {self.one_of(*[f'work.{call}' for call in known], self.number(1))}"
        test = [f"if {found}: {leave}"]
        if self.chance(0.15):
            test = [f"if {found}:", *inside([*self.simple(), leave])]
        elif self.chance(0.1):
            test = ["try:", *inside(test), "finally:", f"    {self.written(REPEATED, 1)}"]
        body = [call, *test]
        for _ in range(self.random.randrange(3)):
            body.insert(self.random.randrange(3) and len(body), self.written(REPEATED, 1))
        self.loops -= 2
        if self.chance(0.2):
            n = self.fresh("n")
            head = [f"{n} = w = {first}", f"while {n} < {first} + {turns}:"]
            return [*head, *inside([f"{n} += 1", f"w = {n}", *body])]
        items = self.one_of(*[f"range({first}, {first} + {turns})"] * 3, f"xs[:{turns}]")
        return [f"for w in {items}:", *inside(body)]

    def search(self, _depth: int) -> Lines:
        if self.loops + 2 > MOST_LOOPS:
            return self.simple()
        lines = self.search_loop(self.one_of("break", "break", "break", "continue"))
        if self.chance(0.3):
            lines += ["else:", *inside(self.simple())]
        return [*lines, *(["print('found', w, t)"] if self.chance(0.7) else [])]

    def searches(self, depth: int) -> Lines:
        """A search in every turn of a loop."""
        if self.loops + 3 > MOST_LOOPS:
            return self.simple()
        before, self.in_loop, self.loops = self.in_loop, True, self.loops + 1
        body = self.search(depth)
        after = self.one_of(
            "a = work.g(w, a)", "xs[2:] = [t, w]", "print('next', v, t)", "b = t or 0"
        )
        body.append(after)
        if self.chance(0.3):
            body.append(f"if {self.condition()}: {self.one_of('break', 'continue')}")
        if self.chance(0.3):
            body = [self.written(REPEATED, 1), *body]
        self.in_loop, self.loops = before, self.loops - 1
        return [f"for v in range({self.random.randrange(3, 8)}):", *inside(body)]

    def called_often(self, _depth: int) -> Lines:
        """A function of the program's, called in every turn of a longer loop."""
        known = [callee for callee in self.callees if callee.loops + self.loops < MOST_LOOPS]
        if not known or self.loops + 2 > MOST_LOOPS:
            return self.simple()
        call = self.random.choice(known).template.replace("?", "v").replace("?", self.atom())
        use = self.one_of("print('often', v, {})", "a = {}", "ys[1:] = [v, {}]", "a, b = b, {}")
        lines = [use.format(call)]
        if self.chance(0.3):
            lines = ["try:", *inside(lines), "except Exception as error:", "    print(repr(error))"]
        if self.chance(0.3):
            lines += [f"if {self.condition()}: break"]
        return [f"for v in range({self.random.randrange(4, 9)}):", *inside(lines)]

    def failing_often(self, _depth: int) -> Lines:
        """A site that fails again and again, caught in the loop or outside."""
        lines = [f"w = {self.written(FAILING_CALL, 1)}", self.written(REPEATED, 1)]
        if self.chance(0.5):
            lines.reverse()
        loop = f"for v in range({self.random.randrange(4, 10)}):"
        caught = f"except {self.random.choice(ERRORS)} as error:"
        handler = [caught, "    print('failed', v, repr(error))"]
        if self.chance(0.4):
            outcome = self.one_of("break", "continue", "w = 1", "b += 1")
            ending = ["else:", "    b = w"] if self.chance(0.2) else []
            return [loop, *inside(["try:", *inside(lines), *handler, f"    {outcome}", *ending])]
        lines = ["try:", *inside([loop, *inside(lines)]), *handler]
        if self.chance(0.6):
            return [f"for c in range({self.random.randrange(2, 6)}):", *inside(lines)]
        return lines

    def until(self, _depth: int) -> Lines:
        """A loop whose condition makes the call."""
        n = self.fresh("n")
        condition = self.one_of(
            f"work.f({n}) > 1",
            f"(t := work.f({n})) != 4",
            f"work.g({n}, a) % 5",
            f"(t := work.maybe({n} + a)) is not None",
            f"work.f({n}) + work.g({n}, b) > 4",
            f"not work.f({n}) == a",
        )
        lines = [f"while {condition}:", f"    {n} += 1", f"    if {n} > 9: break"]
        lines += inside([self.written(REPEATED, 1)])
        return [f"{n} = {self.atom()} % 7", *lines, f"print('until', {n}, t)"]

    def long_loop(self, _depth: int) -> Lines:
        turns = self.random.randrange(10, 40)
        body = self.one_of(
            "d[v % 7] = work.f(v)",
            "a = work.g(v, a)",
            "a, b = work.f(v), work.g(b, v)",
            "box.value = work.g(v, box.value)",
            "m[v % 2][:] = [work.f(v), work.g(v)]",
            "b += work.f(v) if work.f(v % 5) > 3 else work.g(v, b)",
            "xs[:] = [*xs[-3:], work.f(v)]",
            "print(v, work.f(v), end=' ')",
            "t = work.f(v); b = work.g(t, v)",
        )
        rest = f"if {self.written(FOUND, 0)}: break"
        lines = [f"for v in range({turns}):", "    t = w = v", f"    {body}"]
        lines += [f"    {rest}"] if self.chance(0.4) else []
        return [*lines, "print('long', a, b, t)"]

    # Generators, instances

    def read_alternately(self, depth: int) -> Lines:
        one, two = self.fresh("it"), self.fresh("it")
        lines = [f"{one}, {two} = iter({self.iterable()}), iter({self.iterable()})"]
        if self.loops + 1 > MOST_LOOPS:
            return [*lines, f"print(next({one}, 0), next({two}, 0), next({one}, 0))"]
        if self.chance(0.2):
            lines[0] = f"{one} = {two} = iter({self.iterable()})"
        head = self.one_of(
            f"for v, w in zip({one}, {two}):",
            f"for v, w in zip({two}, {one}):",
            f"for v, w in itertools.zip_longest({one}, {two}, fillvalue=a):",
            f"for w in {one}:",
            f"while (w := next({one}, None)) is not None:",
        )
        body = self.loop_body(depth - 1, 2)
        if "zip" not in head:
            body = ["    " + f"v = next({two}, {self.atom()})", *body]
        if self.chance(0.3):
            body += [f"    if {self.condition()}: break"]
        return [lines[0], head, *body, f"print('rest', list({one}), list({two}))"]

    def told(self, _depth: int) -> Lines:
        """A generator that is sent values, or is thrown at."""
        if not self.senders or self.loops + 2 > MOST_LOOPS:
            return self.simple()
        it = self.fresh("it")
        lines = [f"{it} = {self.one_of(*self.senders)}({self.atom()})", f"print(next({it}))"]
        send = [f"print('sent', {it}.send({self.number(1)}))"]
        lines += [f"for v in range({self.random.randrange(1, 5)}):", *inside(send)]
        ending = self.one_of(f"{it}.close()", f"print({it}.throw(ValueError(a)))", f"del {it}")
        caught = ["except (ValueError, StopIteration) as error:", "    print('told', repr(error))"]
        return ["try:", *inside([*lines, ending]), *caught]

    def instances(self, depth: int) -> Lines:
        """Objects of the program's classes, made and changed in a loop."""
        if not self.records or self.loops + 2 > MOST_LOOPS:
            return self.simple()
        made, each = self.one_of(*self.records), self.fresh("each")
        use = [
            f"{each}.add({self.number(1)})",
            f"{each}.best = {self.number(1)}",
            f"{each}.kept.append({self.number(1)})",
            f"{each}.best += work.f({each}.x)",
            f"print({each}.top, {each}.best)",
            f"{each}.top = work.f(v)",
            f"{each}.kept = xs",
            f"{each}.other = ys; {each}.other.append(work.f(v))",
            f"if {each}.best > 4: break",
            f"if {each}.add(v) > 5: continue",
            f"print(work.show({each}.kept))",
        ]
        many = self.fresh("many")
        self.loops += 1
        body = self.random.sample(use, self.random.randrange(1, 4))
        self.loops -= 1
        source = self.iterable()
        if self.chance(0.5):
            lines = [f"{many} = [{made}(u) for u in {source}]", f"for {each} in {many}:"]
            body = ["v = 2", *body]
        else:
            lines = [f"{many} = []", f"for v in {source}:"]
            body = [f"{each} = {made}(v)", f"{many}.append({each})", *body]
        shown = self.one_of(
            f"print([(u.x, u.best, u.kept) for u in {many}])",
            f"print([u.add(work.f(u.best)) for u in {many}], {many})",
            f"print(sum(u.top for u in {many}), [work.g(u.best) for u in {many} if u.best > 2])",
            f"print(max({many}, key=lambda u: (work.f(u.best), u.x), default=None))",
            f"print([w for u in {many}[:3] for w in u.walk()])",
            f"{many}.sort(key=lambda u: (u.top, u.x)); print({many})",
        )
        return [*lines, *inside(body), shown]

    # Threads and coroutines: what they print comes in a fixed order

    def threads(self, _depth: int) -> Lines:
        call = self.one_of("work.f(u)", "work.g(u, 2)", "mixed.twice(u)")
        return [
            "with concurrent.futures.ThreadPoolExecutor(2) as pool:",
            f"    xs = list(pool.map(lambda u: {call}, {self.iterable()}))",
            "    ys = [job.result() for job in [pool.submit(work.g, u, 2) for u in xs[:4]]]",
            "print('threads', xs, ys)",
        ]

    def coroutines(self, _depth: int) -> Lines:
        task = self.fresh("task")
        return [
            f"async def {task}(u):",
            f"    first = {self.one_of('work.f(u)', 'work.g(u, 2)', 'mixed.twice(u)')}",
            "    await asyncio.sleep(0)",
            "    print('task', u, first)",
            "    return work.g(first, u)",
            f"async def all_{task}(items):",
            f"    return await asyncio.gather(*[{task}(u) for u in items])",
            f"print(asyncio.run(all_{task}({self.iterable()})))",
        ]
