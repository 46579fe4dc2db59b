"""The command: runs, comparison, and what is told of it on stdout."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cord.plan.words import BASE
from cord.tools.check import findings_against_purity
from cord.tools.trials.copies import scratch_folder
from cord.tools.trials.differences import Difference, Shown, differences, told
from cord.tools.trials.trials import Trials, standard_input
from cord.tools.verify.diagnosis import ROUNDED, Diagnosis, in_place, told_by
from cord.tools.verify.progress import tell
from cord.tools.verify.runs import Account, Runs

if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.plan.program import Program

_NO_RULE = """\
No rule of the contract is seen to be broken. That may be a fault of Cord; if the program is one
that you can show, report it."""
# By the kind of a finding, what to do.
_REMEDIES = {
    "different": "pass what it depends on (the time, chance, its process) as an argument, or set "
    "pure = false for it"
}
_REMEDY = (
    "return what is to be kept or written, and let the program do that, or set pure = false for it"
)


def verify(
    plan: Plan,
    variant: str,
    program: Program,
    args: list[str],
    settings: list[str],
    *,
    as_data: bool,
) -> int:
    """Run a program plain and under Cord, and say where the runs differ and why.

    Args:
        plan: The plan.
        variant: The variant that made it.
        program: The program.
        args: Its own arguments.
        settings: The settings given with `--set`.
        as_data: Whether to print JSON instead of text.

    Returns:
        The exit code: 0 if both runs show the same, and its functions do what the plan says, else
        1.

    Raises:
        CordError: The working directory is too large to be copied.
    """
    with scratch_folder("verify") as scratch:
        trials = Trials(program, args, plan.path, settings, standard_input(), scratch)
        runs = Runs(plan, variant, trials)
        verdict = _verdict(plan, program, trials, runs)
        tell("")
    if as_data:
        facts = {"program": program.name, "arguments": args, "plan": plan.path}
        own = {"variant": None if variant == BASE else variant, "settings": settings}
        print(json.dumps({**facts, **own, **verdict.as_json()}, indent=2))
    else:
        verdict.print(program.name)
    return 1 if verdict.found or verdict.account.findings else 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it.

    Attributes:
        plain: What the plain run shows.
        found: Where the run under Cord shows something else.
        unsteady: Where a second plain run does; empty, too, if there was none.
        account: What the run under Cord says of its functions.
        broken: The rules that are likely broken, where the runs differ.
        checked: What `cord check` has against the functions, where the runs differ: place,
            sentence and hint.
    """

    plain: Shown
    found: list[Difference]
    unsteady: list[Difference]
    account: Account
    broken: list[Diagnosis]
    checked: list[tuple[str, str, str]]

    def as_json(self) -> dict[str, Any]:
        """All of it, for programs to read."""
        return {
            "same": not self.found,
            "differences": [asdict(one) for one in self.found],
            "plain_differences": [asdict(one) for one in self.unsteady],
            "complete": self.account.complete,
            "calls": self.account.calls,
            "made_again": self.account.again,
            "rules": [asdict(one) for one in self.broken],
            "findings": [{**one, "remedy": _remedy(one)} for one in self.account.findings],
            "check": [
                dict(zip(("place", "text", "hint"), one, strict=True)) for one in self.checked
            ],
        }

    def print(self, name: str) -> None:
        """All of it, for people to read."""
        if not self.found:
            print(f"{name}: the same under Cord: {_summary(self.plain)}")
        else:
            self._print_differences(name)
        _print_account(self.account)
        if self.broken:
            print("\nThe likely reason, by docs/semantics.md:")
        for one in self.broken:
            print(f"\n{one.rule}:")
            _print_filled(one.why)
            _print_filled(f"remedy: {one.remedy}")
        if self.checked:
            print("\nWhat cord check says of the functions:\n")
        for place, text, hint in self.checked:
            print(f"{place}: {text}")
            print(f"  hint: {hint}" if hint else "", end="\n" if hint else "")

    def _print_differences(self, name: str) -> None:
        print(f"{name}: not the same under Cord")
        print("\n".join(told(self.found, ("plain", "cord"))))
        if self.unsteady:
            print("\nThe plain program itself does not give the same twice:")
            print("\n".join(told(self.unsteady, ("first", "then"))))
            print("\nThat depends on the clock, on chance or on something outside.")
        elif not (self.broken or self.checked or self.account.findings):
            print(f"\n{_NO_RULE}")
        print()


def _verdict(plan: Plan, program: Program, trials: Trials, runs: Runs) -> Verdict:
    tell("running it plain")
    plain = trials.plain()
    tell("running it under Cord")
    cord, account = runs.audited()
    found = differences(plain, cord)
    if not found:
        return Verdict(plain, [], [], account, [], [])
    tell("running it plain once more")
    unsteady = differences(plain, trials.plain())
    broken = told_by(cord.stderr)
    if not (unsteady or broken or account.findings):
        broken = _reasons(plan, runs, plain)
    checked = findings_against_purity(plan, program)
    return Verdict(plain, found, unsteady, account, broken, checked)


def _reasons(plan: Plan, runs: Runs, plain: Shown) -> list[Diagnosis]:
    """What other runs tell of why the runs differ."""
    tell("running it under Cord, with every call in place")
    if differences(plain, runs.in_place()):
        return []
    tell("running it under Cord, with as many threads of numerical libraries as it has itself")
    if not differences(plain, runs.with_all_threads()):
        return [ROUNDED]
    pure = [name for name, remote in plan.remote.items() if remote.pure]
    for name, remote in plan.remote.items():
        own = [function.name for function in remote.functions.values() if function.pure]
        pure += [f"{name}.{function}" for function in own if not remote.pure]
    return [in_place(pure)]


def _summary(shown: Shown) -> str:
    lines = len(shown.stdout.splitlines())
    return (
        f"{lines} line{'' if lines == 1 else 's'} of stdout, the last line of stderr, "
        f"exit status {shown.status}, the files"
    )


def _print_account(account: Account) -> None:
    if not account.complete:
        print(
            "nothing is known of its functions: its process ended at once, by a signal or os._exit"
        )
    if account.calls:
        made = "1 call" if account.calls == 1 else f"{account.calls:,} calls"
        print(f"{made} of pure functions, {account.again:,} made again and compared")
    if account.findings:
        print("\nFunctions that do not what the plan says of them:")
    for one in account.findings:
        print(f"\n{one['place'] or one['function']}:")
        made = "1 call" if one["calls"] == 1 else f"{one['calls']:,} calls"
        _print_filled(f"{one['function']} {one['text']}: the program has made {made} itself.")
        _print_filled(f"remedy: {_remedy(one)}")


def _remedy(finding: dict[str, Any]) -> str:
    return _REMEDIES.get(finding["kind"], _REMEDY)


def _print_filled(text: str) -> None:
    print(textwrap.fill(text, 96, initial_indent="  ", subsequent_indent="  "))
