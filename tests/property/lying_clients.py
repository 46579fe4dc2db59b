"""Random programs whose remote functions do what their plan denies: a number gives one program.

Functions leave something behind, or read what the program changes (`lies.py`); most are declared
pure, some have another word, some none. The program calls them in loops that run ahead, and prints
what they return and all that it can see of what they did.
"""

from __future__ import annotations

from random import Random

from lies import HONEST, LEFT, READ, Lie
from program_case import Case

Lines = list[str]

IMPORTS = """\
import array, contextvars, decimal, functools, io, itertools, logging, os, pathlib, random, resource
import signal, sys, tempfile, time, warnings
"""
HELPER = """\
import contextvars

total = 0
items = []
settings = {"k": 1}
variable = contextvars.ContextVar("variable", default=1)


def double(x):
    return 2 * x
"""
BOX = """\
class Box:
    def __init__(self):
        self.value = 0

    def __repr__(self):
        return f"Box({self.value})"
"""
CLIENT = """\
from array import array
from collections import deque
from unittest import mock

import helper
import work


class Own:
    v = 0
"""
WORDS = ("pure = true",) * 8 + ("repeatable = true", "independent = true", "pure = false")
OUTSIDE = ("file", "file over", "folder", "path")
STREAM = "file position"
DEPENDENT = (
    *("counter returned", "memo", "set", "default", "closure", "cache", "iterator", "shared rng"),
    *("raises at last", "passed rng", "passed iterator", "popped"),
)
LOOPS = (
    "for i in range({count}):",
    "for i in list(range({count})):",
    "i = -1\nwhile (i := i + 1) < {count}:",
)


def indented(text: str, by: int = 4) -> Lines:
    """The lines of a text, some levels deeper."""
    return [" " * by + line for line in text.splitlines()]


class LyingClient:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"lies {seed}")
        self.lies = [self._chosen() for _ in range(self.random.choice((1, 1, 2, 3)))]

    def _chosen(self) -> Lie:
        kind = self.random.choice((LEFT, LEFT, LEFT, READ, READ, READ, HONEST))
        return self.random.choice(kind)

    def work(self) -> str:
        """The remote module."""
        lines = [IMPORTS, "import helper\n\n", BOX]
        for number, lie in enumerate(self.lies):
            second = ", a" if lie.more else ""
            lines += ["", "", *lie.module.replace("$n", str(number)).splitlines(), ""]
            lines += [f"def f{number}(x{second}):"]
            if self.random.random() < 0.6:
                lines += [f"    time.sleep({self.random.choice((0.001, 0.002, 0.004))})"]
            lines += ["    r = x * 3", *indented(lie.body.replace("$n", str(number)))]
            lines += ["    return r"]
        return "\n".join(lines) + "\n"

    def main(self) -> str:
        """The program."""
        lines = [IMPORTS + CLIENT, ""]
        body: Lines = []
        for number, lie in enumerate(self.lies):
            body += lie.before.replace("$n", str(number)).splitlines()
        for _ in range(self.random.choice((1, 2, 2, 3))):
            number = self.random.randrange(len(self.lies))
            body += self._loop(number)
            body += self._seen(number)
        for number, lie in enumerate(self.lies):
            body += lie.undo.replace("$n", str(number)).splitlines()
            body += self._seen(number)
        if self.random.random() < 0.6:
            return "\n".join(
                [*lines, "def run():", *indented("\n".join(body)), "", "", "run()", ""]
            )
        return "\n".join([*lines, *body, ""])

    def _loop(self, number: int) -> Lines:
        lie, chance = self.lies[number], self.random.random
        second = f", {lie.more}" if lie.more else ""
        call = f"work.f{number}(i{second})".replace("$n", str(number))
        count = self.random.choice((4, 8, 20))
        if chance() < 0.25:
            return [f"print([{call} for i in range({count})])"]
        inner = self._survived(f"print(i, {call})")
        if lie.change and chance() < 0.9:
            at = self.random.randrange(count)
            how = self.random.choice((f"if i == {at}:", "if i % 3 == 1:", "if i:"))
            inner += [how, *indented(lie.change.replace("$n", str(number)))]
        if chance() < 0.3:
            inner += self._seen(number)
        head = self.random.choice(LOOPS).format(count=count)
        return [*head.splitlines(), *indented("\n".join(inner))]

    def _survived(self, line: str) -> Lines:
        return ["try:", f"    {line}", "except Exception as error:", "    print(repr(error))"]

    def _seen(self, number: int) -> Lines:
        lie = self.lies[number]
        return [f"print({lie.seen})".replace("$n", str(number))] if lie.seen else []

    def plan(self) -> str:
        """Its plan."""
        word, replicas = self.random.choice(WORDS), self.random.choice((1, 2, 4))
        if word == WORDS[-3] and any(lie.name in OUTSIDE for lie in self.lies):
            word = WORDS[0]  # what it does outside would be done again, by its own word
        if word == WORDS[-2] and any(lie.name in DEPENDENT for lie in self.lies):
            word = WORDS[0]  # that no call depends on another is taken at its word
        if word == WORDS[-1] and any(lie.name == STREAM for lie in self.lies):
            word = WORDS[0]  # else an error says that what it does to a stream would stay there
        if word == WORDS[-1]:
            replicas = 1  # they keep state: there is one that has it
        lines = ["[remote.work]", f"replicas = {replicas}", word]
        if self.random.random() < 0.6:
            lines += ["inline = false"]
        return "\n".join([*lines, ""])


def make_case(seed: int) -> Case:
    """The program of this number."""
    client = LyingClient(seed)
    names = ", ".join(lie.name for lie in client.lies)
    files = {
        "cord.toml": client.plan(),
        "helper.py": HELPER,
        "work.py": client.work(),
        "main.py": client.main(),
    }
    return Case(f"lies-{seed}", f"Functions that do not keep their word: {names}.", {}, files)
