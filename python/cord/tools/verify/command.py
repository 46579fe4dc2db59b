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
from cord.tools.verify.diagnosis import ROUNDED, Diagnosis, diagnose
from cord.tools.verify.progress import tell
from cord.tools.verify.runs import Runs, Watched

if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.plan.program import Program

# Seconds of work for making calls again, besides what the program itself takes; where a machine is
# busy, or the calls wait, it may be twice that by the clock.
PATIENCE = 5.0

_NO_RULE = """\
No rule of the contract is seen to be broken. That may be a fault of Cord; if the program is one
that you can show, report it."""


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
        The exit code: 0 if both runs show the same, and its functions do what they are declared to
        do, else 1.

    Raises:
        CordError: The working directory is too large to be copied.
    """
    with scratch_folder("verify") as scratch:
        trials = Trials(program, args, plan.path, settings, standard_input(), scratch)
        runs = Runs(plan, variant, program, args, trials, scratch)
        verdict = _verdict(plan, variant, program, trials, runs)
        tell("")
    if as_data:
        facts = {"program": program.name, "arguments": args, "plan": plan.path}
        own = {"variant": None if variant == BASE else variant, "settings": settings}
        print(json.dumps({**facts, **own, **verdict.as_json()}, indent=2))
    else:
        verdict.print(program.name)
    return 1 if verdict.found or verdict.broken else 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it.

    Attributes:
        plain: What the plain run shows.
        found: Where the run under Cord shows something else.
        unsteady: Where a second plain run does; empty, too, if there was none.
        watched: What was seen of the remote functions.
        broken: The rules that are likely broken.
        checked: What `cord check` has against the functions, where the runs differ: place,
            sentence and hint.
    """

    plain: Shown
    found: list[Difference]
    unsteady: list[Difference]
    watched: Watched
    broken: list[Diagnosis]
    checked: list[tuple[str, str, str]]

    def as_json(self) -> dict[str, Any]:
        """All of it, for programs to read."""
        return {
            "same": not self.found,
            "differences": [asdict(one) for one in self.found],
            "plain_differences": [asdict(one) for one in self.unsteady],
            "complete": self.watched.complete,
            "calls": self.watched.calls,
            "replayed": self.watched.replayed,
            "rules": [asdict(one) for one in self.broken],
            "findings": self.watched.findings,
            "check": [
                dict(zip(("place", "text", "hint"), one, strict=True)) for one in self.checked
            ],
        }

    def print(self, name: str) -> None:
        """All of it, for people to read."""
        if not self.found:
            print(f"{name}: the same under Cord: {_summary(self.plain)}")
            _print_replayed(self.watched)
            _print_diagnoses(self.broken, "\nBut another run may differ, by docs/semantics.md:")
            return
        print(f"{name}: not the same under Cord")
        print("\n".join(told(self.found, ("plain", "cord"))))
        if self.unsteady:
            print("\nThe plain program itself does not give the same twice:")
            print("\n".join(told(self.unsteady, ("first", "then"))))
            print("\nThat depends on the clock, on chance or on something outside.")
        elif not self.broken and not self.checked:
            print(f"\n{_NO_RULE}")
        print()
        _print_replayed(self.watched)
        _print_diagnoses(self.broken, "\nThe likely reason, by docs/semantics.md:")
        if self.checked:
            print("\nWhat cord check says of the functions:\n")
        for place, text, hint in self.checked:
            print(f"{place}: {text}")
            print(f"  hint: {hint}" if hint else "", end="\n" if hint else "")


def _verdict(plan: Plan, variant: str, program: Program, trials: Trials, runs: Runs) -> Verdict:
    tell("running it plain")
    plain = trials.plain()
    tell("running it under Cord")
    cord = trials.cord(variant)
    found = differences(plain, cord)
    if found:
        tell("running it plain once more")
    unsteady = differences(plain, trials.plain()) if found else []
    tell("making calls again")
    watched = runs.watch(PATIENCE + plain.seconds, differs=bool(found))
    if not found:
        broken = diagnose(watched.lasting(), b"", alike_in_place=None, pure=[])
    elif unsteady:
        broken = diagnose(watched.findings, cord.stderr, alike_in_place=None, pure=[])
    else:
        broken = _find_rules(plan, runs, watched, plain, cord)
    checked = findings_against_purity(plan, program) if found else []
    return Verdict(plain, found, unsteady, watched, broken, checked)


def _find_rules(
    plan: Plan, runs: Runs, watched: Watched, plain: Shown, cord: Shown
) -> list[Diagnosis]:
    pure = [name for name, remote in plan.remote.items() if remote.pure]
    for name, remote in plan.remote.items():
        own = [function.name for function in remote.functions.values() if function.pure]
        pure += [f"{name}.{function}" for function in own if not remote.pure]
    findings = watched.findings
    found = diagnose(findings, cord.stderr, alike_in_place=None, pure=pure)
    if found:
        return found
    tell("running it under Cord, with every call in place")
    alike = not differences(plain, runs.in_place())
    if alike:
        tell("running it under Cord, with as many threads of numerical libraries as it has itself")
        if not differences(plain, runs.with_all_threads()):
            return [ROUNDED]
    return diagnose(findings, cord.stderr, alike_in_place=alike, pure=pure)


def _summary(shown: Shown) -> str:
    lines = len(shown.stdout.splitlines())
    return (
        f"{lines} line{'' if lines == 1 else 's'} of stdout, the last line of stderr, "
        f"exit status {shown.status}, the files"
    )


def _print_replayed(watched: Watched) -> None:
    if not watched.complete:
        print("no call was made again: the program's process ended at once, by a signal, say")
    if watched.calls:
        of = "1 call" if watched.calls == 1 else f"{watched.calls:,} calls"
        print(f"replayed {watched.replayed:,} of {of} of functions that are declared pure")


def _print_diagnoses(found: list[Diagnosis], title: str) -> None:
    if found:
        print(title)
    for one in found:
        print(f"\n{one.rule}:")
        print(textwrap.fill(one.why, 96, initial_indent="  ", subsequent_indent="  "))
        remedy = f"remedy: {one.remedy}"
        print(textwrap.fill(remedy, 96, initial_indent="  ", subsequent_indent="  "))
