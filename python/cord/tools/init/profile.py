"""What a profile says: functions, how long they took, and who called them. Runs nothing."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

MAIN = "__main__"


@dataclass(frozen=True, slots=True)
class Function:
    """One function, or a module's own code.

    Attributes:
        module: Its module, as it is imported; `__main__` for the main script.
        name: Its qualified name.
        file: Its file.
        line: The line where it begins.
        kind: What it is: see `profiler`.
        place: Whose code it is: the project's, an installed package's, or Python's.
        calls: How often it was called.
        seconds: How long it took, with all that it calls.
        own: How long it took without functions that it calls.
    """

    module: str
    name: str
    file: str
    line: int
    kind: str
    place: str
    calls: int
    seconds: float
    own: float

    @property
    def full(self) -> str:
        """Its module and name."""
        return f"{self.module}.{self.name}"


@dataclass(slots=True)
class Profile:
    """A profiled run.

    Attributes:
        seconds: How long it took.
        plain: How long it takes without a profiler, which makes short calls longer.
        waiting: How much of that it neither computed nor waited for a core.
        imports: How much of it was importing.
        functions: The functions that took their share.
        calls: By caller and called function, by their numbers: how many calls, and how long.
    """

    seconds: float
    plain: float
    waiting: float
    imports: float
    functions: list[Function]
    calls: dict[tuple[int, int], tuple[int, float]]
    _inner: dict[int, set[int]] = field(default_factory=dict)

    @classmethod
    def read(cls, data: dict[str, Any], plain: float) -> Profile:
        """From what the profiling process has written, and the time of a plain run."""
        functions = [Function(**one) for one in data["functions"]]
        calls = {(caller, called): (n, s) for caller, called, n, s in data["calls"]}
        plain = min(plain, data["seconds"])
        return cls(data["seconds"], plain, data["waiting"], data["imports"], functions, calls)

    def sent(self, number: int, *, inside: bool) -> tuple[int, float]:
        """How many calls of a function would be remote, and how long they took.

        Args:
            number: The function.
            inside: Whether its module's own calls are remote, too.
        """
        module = self.functions[number].module
        own = inside or module == "__main__"
        calls, seconds = 0, 0.0
        for (caller, called), (some, took) in self.calls.items():
            if called == number and (own or self.functions[caller].module != module):
                calls, seconds = calls + some, seconds + took
        return calls, seconds

    def callers(self, number: int) -> list[int]:
        """The functions that call one, those that spend most in it first."""
        found = {a: took for (a, b), (_, took) in self.calls.items() if b == number}
        return sorted(found, key=lambda caller: -found[caller])

    def inner(self, number: int) -> set[int]:
        """The functions that one leads to."""
        if number not in self._inner:
            below = defaultdict(set)
            for caller, called in self.calls:
                below[caller].add(called)
            found: set[int] = set()
            waiting = [number]
            while waiting:
                for one in below[waiting.pop()] - found:
                    found.add(one)
                    waiting.append(one)
            self._inner[number] = found
        return self._inner[number]
