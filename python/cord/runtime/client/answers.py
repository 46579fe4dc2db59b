"""What a run knows of its project's translation: kept by an earlier run, or found out when asked.

All of it goes through one method, so nothing is analysed as long as all answers were kept.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.util import source_hash

from cord.runtime.client.foreseen import Foreseen
from cord.runtime.client.inlined import Inlined
from cord.translate.results import MAIN, LateResult, RegionResult, ScoutResult, SiteResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from types import CodeType
    from typing import Any

    from cord.kept import Kept
    from cord.translate.translation import Translation


class Answers:
    """Answers about one project, remembered.

    Args:
        remote: Names of the remote modules.
        translation: Gives what analyses the project; called when an answer is missing.
        kept: The answers that earlier runs left, for this very project; this run's are added.
        served: How the remote modules are served: where calls are best made depends on that, too.

    Attributes:
        inlined: Where the program makes calls by itself.
        foreseen: What copies of the program are told of earlier runs.
        had: How many replicas of a module an earlier run had calls for at once.
    """

    def __init__(
        self,
        remote: Container[str],
        translation: Callable[[], Translation],
        kept: Kept | None = None,
        served: tuple[Any, ...] = (),
    ) -> None:
        self.remote = remote
        self._translation = translation
        self._kept = kept
        self._served_question = ("served", *served)
        known, self.had = {}, dict[str, int]()
        if kept is not None and self._served_question in kept:
            known, self.had = kept[self._served_question]
        self.inlined = Inlined(known)
        self.foreseen = Foreseen(kept)
        self._modules: dict[str, str] = {}
        self._sites: dict[str, list[SiteResult]] = {}
        self._late: dict[str, dict[int, LateResult]] = {}
        self._regions: dict[str, list[RegionResult]] = {}
        self._scouts: dict[tuple[Any, ...], ScoutResult | None] = {}
        self._raising: dict[str, tuple[int, ...]] = {}
        self._functions: dict[str, dict[int, tuple[str, str] | None]] = {}

    def modules(self) -> dict[str, str]:
        """The paths of the project's modules by name."""
        if not self._modules:
            self._modules = self._ask("modules")
        return self._modules

    def sites(self, module: str) -> list[SiteResult]:
        """The sites of a module of the project."""
        if module not in self._sites:
            self._sites[module] = [SiteResult(*one) for one in self._ask("sites", module)]
        return self._sites[module]

    def places(self, module: str) -> list[tuple[str, list[tuple[int | None, str]]]]:
        """Where each site of a module stands, and the loops around it, as `Translation` has it."""
        places: list[tuple[str, list[tuple[int | None, str]]]] = self._ask("places", module)
        return places

    def late(self, module: str) -> dict[int, LateResult]:
        """The calls of a module whose values may be received late, by site."""
        if module not in self._late:
            asked: dict[int, Any] = self._ask("late", module)
            self._late[module] = {site: LateResult(*one) for site, one in asked.items()}
        return self._late[module]

    def regions(self, module: str) -> list[RegionResult]:
        """The regions of a module of the project."""
        if module not in self._regions:
            self._regions[module] = [RegionResult(*one) for one in self._ask("regions", module)]
        return self._regions[module]

    def code(self, module: str, source: bytes) -> CodeType | None:
        """A module's translated code, marks still in it; None where it is to run as it is.

        Args:
            module: The module's name.
            source: Its source as it is to run.
        """
        if module not in self.modules():
            return None
        known: tuple[bytes, CodeType | None] = self._ask("code", module)
        return known[1] if known[0] == source_hash(source) else None

    def is_known_silent(self, module: str) -> bool:
        """Whether a module's translated code is all there is to know of compiling its source."""
        question = ("compiling_shows", module)
        return self._kept is not None and question in self._kept and not self._kept[question]

    def after(self, module: str, site: int, with_result: bool = False) -> ScoutResult | None:
        """The scout that goes on after a call, or None where there is none to be made.

        Args:
            module: Module of the call.
            site: Number of the call.
            with_result: Whether it is to give what the region returns, if it can.
        """
        return self._scout("after", module, site, with_result, self._raising.get(module, ()))

    def entered(self, module: str, key: str) -> ScoutResult | None:
        """The scout of a function of the project, from its start; None for generator functions."""
        return self._scout("entered", module, key, self._raising.get(module, ()))

    def expect_raise(self, module: str, site: int) -> None:
        """Calls at this site raise exceptions: scouts that are asked for from now on expect it."""
        known = self._raising.get(module, ())
        self._raising[module] = tuple(sorted({*known, site}))

    def function_at(self, path: str, line: int) -> tuple[str, str] | None:
        """The function that begins on a line of a file, as module and key, if one alone does."""
        return self._functions_in(path).get(line)

    def remember(self, had: dict[str, int]) -> None:
        """Keep what this run has shown of calls, and how many replicas it had use for.

        Args:
            had: How many replicas of a module there were calls for at once; empty for a run of
                which nothing is to be kept.
        """
        self.foreseen.keep()
        found = self.inlined.found()
        is_new = found != self.inlined.known or had != self.had
        if had and is_new and self._kept is not None:
            self._kept[self._served_question] = found, had

    def forget_files(self) -> None:
        """The project has grown."""
        self._modules = {}
        self._functions.clear()

    def complete(self) -> None:
        """Find out what another run of the same program is likely to ask.

        Where in a region scouts are born is a matter of timing, so all of its scouts are made.
        """
        with suppress(RecursionError):
            self._ask("compiling_shows", MAIN)
        self._raising = {}  # as another run begins
        touched: dict[tuple[str, int], set[bool]] = {}
        for question in list(self._scouts):
            module = question[1]
            if question[0] == "after":
                region = self.sites(module)[question[2]].region
                touched.setdefault((module, region), {False}).add(question[3])
            elif question[0] == "entered":
                for index, one in enumerate(self.regions(module)):
                    if one.key == question[2]:
                        touched.setdefault((module, index), {False})
        for (module, index), variants in touched.items():
            key = self.regions(module)[index].key
            self._functions_in(self.modules()[module])
            with suppress(Exception):  # what no scout can be made of
                if key is not None:
                    self.entered(module, key)
                for number, site in enumerate(self.sites(module)):
                    if site.region == index:
                        for variant in variants:
                            self.after(module, number, variant)

    def _scout(self, *question: Any) -> ScoutResult | None:
        if question not in self._scouts:
            known = self._ask(*question)
            self._scouts[question] = None if known is None else ScoutResult(*known)
        return self._scouts[question]

    def _functions_in(self, path: str) -> dict[int, tuple[str, str] | None]:
        if path not in self._functions:
            is_own = path in self.modules().values()
            self._functions[path] = self._ask("functions_in", path) if is_own else {}
        return self._functions[path]

    def _ask(self, *question: Any) -> Any:
        """The answer of the method of `Translation` that the question begins with."""
        if self._kept is not None and question in self._kept:
            return self._kept[question]
        answer = getattr(self._translation(), question[0])(*question[1:])
        if self._kept is not None:
            self._kept[question] = answer
        return answer
