"""The runs that show whether a program is the same under Cord, and why it is not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.tools.trials.differences import Shown
    from cord.tools.trials.trials import Trials


@dataclass(frozen=True, slots=True)
class Account:
    """What a run under Cord says of its remote functions.

    Attributes:
        findings: The functions that do not what the plan says of them, as `against` gives them.
        calls: How many calls of functions that are declared pure it has made.
        again: How many calls were made again and compared.
        complete: Whether the program came to an end at which that could be told.
    """

    findings: list[dict[str, Any]] = field(default_factory=list)
    calls: int = 0
    again: int = 0
    complete: bool = False


class Runs:
    """Runs of one program under Cord.

    Args:
        plan: The plan.
        variant: The variant that made it.
        trials: How it is run.
    """

    def __init__(self, plan: Plan, variant: str, trials: Trials) -> None:
        self._plan = plan
        self._variant = variant
        self._trials = trials

    def audited(self) -> tuple[Shown, Account]:
        """Run it with all calls made again that may be; what it shows, and says of functions."""
        shown, said = self._trials.audited(self._variant)
        if said is None:
            return shown, Account()
        calls = sum(one["calls"] for one in said["calls"] if self._is_pure(one["function"]))
        again = sum(one["again"] for one in said["waiting"])
        return shown, Account(said["findings"], calls, again, complete=True)

    def in_place(self) -> Shown:
        """Run it with every call in place, made by one replica."""
        settings = []
        for name, remote in self._plan.remote.items():
            key = f'remote."{name}"'
            settings += ["--set", f"{key}.callstyle=sync", "--set", f"{key}.replicas=1"]
            for function in remote.functions:
                settings += ["--set", f"{key}.functions.{function}.callstyle=sync"]
        return self._trials.cord(self._variant, *settings)

    def with_all_threads(self) -> Shown:
        """Run it with numerical libraries that use as many threads as in the program."""
        settings = []
        for name in self._plan.remote:
            settings += ["--set", f'remote."{name}".blas_threads=all']
        return self._trials.cord(self._variant, *settings)

    def _is_pure(self, function: str) -> bool:
        module, _, name = function.rpartition(".")
        remote = self._plan.remote.get(module)
        if remote is None:  # the main script's, which goes by another name in the plan
            remote = next((one for one in self._plan.remote.values() if one.is_program), None)
        return remote is not None and remote.function(name).pure
