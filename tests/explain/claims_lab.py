"""What ``cord explain`` claims of a program, and how its run then answers the calls."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from program_case import LIMIT, Case, clean_environment, read_case, read_cases

from cord.plan.program import script
from cord.plan.read import read_plan
from cord.tools.explain.claims import Claim, claims_of
from cord.tools.names import kept_parameters, read_project
from cord.tools.purity import Effects

HERE = Path(__file__).parent
SEMANTICS = HERE.parent / "semantics"

SHAPES = [read_case(path, HERE) for path in sorted((HERE / "programs").glob("*.py"))]
CORPUS = [*SHAPES, *read_cases(SEMANTICS / "parallel"), *read_cases(SEMANTICS / "cases")]


# Guards find these out of objects; the text does not tell them.
OF_OBJECTS = ("Unplain", "Attribute", "Encoding", "Change", "Set", "Result")


class Answers(NamedTuple):
    """How often a scout had made a call of a site before, made it just then, or had not made it.

    `refused` of those that it had not made, a guard had refused something for what an object is.
    """

    ahead: int
    just_then: int
    in_place: int
    refused: int

    def plus(self, other: Answers | None) -> Answers:
        """The answers of two runs together."""
        return Answers(*map(sum, zip(self, other, strict=True))) if other is not None else self


def lay_out(case: Case, folder: Path) -> dict[str, str]:
    """Write a program of the corpus into ``folder``; return the environment that its calls need."""
    case.write(folder)
    plan = folder / "cord.toml"
    text = plan.read_text()
    if "work.py" not in case.files and "repeatable" not in text:
        # calls note in files when they ran
        text = text.replace("pure = true", "repeatable = true")
    head, _, rest = text.partition("[run]\n")
    plan.write_text(f"{head}\n[run]\ncopies = false\n{rest}")  # what scouts do is told here
    if "work.py" in case.files:
        return {}
    work = SEMANTICS / "napping_work.py" if "overlap" in case.options else HERE / "small_work.py"
    (folder / "work.py").write_text(work.read_text())
    spans = folder / "spans"
    spans.mkdir()
    return {"SPANS": str(spans), "NAP": "0.001"}


def claims(folder: Path) -> list[Claim]:
    """The claims for the program in ``folder``."""
    program = script(str(folder / "main.py"))
    plan = read_plan(None, [], program)
    kept = kept_parameters(plan, program)
    return claims_of(plan, read_project(plan, program), kept, Effects(plan, program))


def lets_scouts_run(folder: Path) -> bool:
    """Whether the plan of the program in ``folder`` lets any call be made ahead."""
    plan = (folder / "cord.toml").read_text()
    return "async" in plan and ("pure = true" in plan or "repeatable = true" in plan)


class Received(NamedTuple):
    """How often a value was received late, was there already, and was waited for at once."""

    late: int
    there: int
    refused: int


def run(case: Case, folder: Path, environment: dict[str, str]) -> dict[tuple[str, int], Answers]:
    """Run the program in ``folder``: its answers by site, none if it ended without a word."""
    answers, _, reasons = _told(case, folder, environment)
    told = {(module, site): sum(count for _, count in met) for module, site, *met in reasons}
    for module, site, (_, _, in_place) in answers:
        # none of those that the plan leaves to the program
        assert told[module, site] in (0, in_place), (case.name, module, site)
    refused = {
        (module, site): sum(count for name, count in met if name in OF_OBJECTS)
        for module, site, *met in reasons
    }
    return {
        (module, site): Answers(*numbers, refused.get((module, site), 0))
        for module, site, numbers in answers
    }


def run_received(
    case: Case, folder: Path, environment: dict[str, str]
) -> dict[tuple[str, int], Received]:
    """Run the program in ``folder``: how values were received, where they may be received late."""
    _, received, _ = _told(case, folder, environment)
    return {(module, site): Received(*numbers) for module, site, numbers in received}


def _told(case: Case, folder: Path, environment: dict[str, str]) -> list[list[Any]]:
    told = folder.with_name(folder.name + ".json")
    stdin = (folder / case.options["stdin"]).read_bytes() if "stdin" in case.options else b""
    subprocess.run(
        [
            sys.executable,
            str(HERE / "answered_run.py"),
            str(told),
            "main.py",
            *shlex.split(case.options.get("args", "")),
        ],
        cwd=folder,
        env=clean_environment(environment),
        input=stdin,
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    if not told.exists():
        return [[], [], []]
    found: list[list[Any]] = json.loads(told.read_text())
    return found
