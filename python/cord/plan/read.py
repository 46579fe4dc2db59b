"""Finding the plan for a program, and reading it unless an earlier run has."""

from __future__ import annotations

import os

from cord._core import means
from cord.errors import PlanError
from cord.plan.keeping import KeptPlan
from cord.plan.words import BASE, EXAMPLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from cord.plan.model import Plan
    from cord.plan.program import Program

FILE_NAME = "cord.toml"


def read_plan(
    path: str | None, overrides: list[str], program: Program, variant: str = BASE
) -> Plan:
    """Reads one plan; the file is checked as a whole, its other variants included.

    Args:
        path: The file; None to look for cord.toml beside the program, then in the current folder.
        overrides: The settings given with `--set`, each KEY=VALUE.
        program: The program, beside which the remote modules are looked for.
        variant: The variant, or BASE for the file without any.

    Raises:
        PlanError: There is no plan, it has errors (all of them are listed), or no such variant.
    """
    path = path if path is not None else _find(program)
    kept = KeptPlan(path, overrides, program, variant)
    plan = kept.recall()
    if plan is None:
        plan = _read(path, overrides, program, [variant])[variant]
        kept.remember(plan)
    return _counted(plan)


def read_variants(
    path: str | None, overrides: list[str], program: Program, names: Collection[str] | None
) -> dict[str, Plan]:
    """Reads several plans out of one file, as `read_plan` does.

    Args:
        path: As for `read_plan`.
        overrides: The settings; they go before each of these plans.
        program: As for `read_plan`.
        names: The variants, BASE among them for the file without any. None for all of them, and
            BASE if it makes a module remote.

    Returns:
        The plans by the names of their variants, in the order of `names`, else of the file.

    Raises:
        PlanError: As for `read_plan`.
    """
    path = path if path is not None else _find(program)
    plans = _read(path, overrides, program, names)
    return {name: _counted(plan) for name, plan in plans.items()}


def read_given(plan: Mapping[str, Any], program: Program, variant: str = BASE) -> Plan:
    """Reads a plan that is given as a dict, as `read_plan` reads a file.

    Args:
        plan: What `tomllib.loads` would give for the file.
        program: As for `read_plan`.
        variant: As for `read_plan`.

    Raises:
        PlanError: As for `read_plan`.
    """
    from cord.plan import given
    from cord.plan.whole import read_tree

    return _counted(read_tree(given.tree_of(plan), given.NAME, [], program, [variant])[variant])


def kept_folder(path: str | None, overrides: list[str], variant: str = BASE) -> str:
    """Where what is kept of calls is, by a plan of which nothing else needs to be right.

    Args:
        path: The file; None for cord.toml of the current folder, or for what a session has kept
            there whose plan is no file.
        overrides: As for `read_plan`.
        variant: As for `read_plan`.

    Raises:
        PlanError: There is no plan, no such variant, or a key is wrong.
    """
    from cord.plan.whole import read_kept

    if path is None:
        path = FILE_NAME if os.path.exists(FILE_NAME) else ""
    folder = os.path.join(
        os.path.dirname(os.path.abspath(path)) if path else os.getcwd(),
        read_kept(path, overrides, variant),
    )
    if not path and not os.path.isdir(folder):
        above = _above(os.getcwd())
        hint = "go to the folder of the plan, or name it: -c FILE"
        hint = hint if above is None else f"name the one above it: -c {above}"
        raise PlanError(
            f"there is no {FILE_NAME} in {os.getcwd()}, and nothing is kept there", hint
        )
    return folder


def _read(
    path: str, overrides: list[str], program: Program, names: Collection[str] | None
) -> dict[str, Plan]:
    from cord.plan.whole import read_whole  # not where the plan is kept

    return read_whole(path, overrides, program, names)


def _counted(plan: Plan) -> Plan:
    """The plan for the cores that there are now, as far as they can be told before a run."""
    if not any(remote.per_core for remote in plan.remote.values()):
        return plan
    cores = means()[0] if plan.engine.is_local else plan.engine.known_cores
    return plan if cores is None else plan.on_cores(cores)


def is_planned(program: Program) -> bool:
    """Whether there is a plan where one is looked for, or in a folder above."""
    return _found(program) is not None or _above(os.path.abspath(program.plan_folder)) is not None


def _found(program: Program) -> str | None:
    beside = os.path.join(program.plan_folder, FILE_NAME)
    return next((one for one in (beside, FILE_NAME) if os.path.exists(one)), None)


def _find(program: Program) -> str:
    found = _found(program)
    if found is not None:
        return found
    where = os.path.abspath(program.plan_folder)
    here = "" if where == os.getcwd() else f" or in {os.getcwd()}"
    above = _above(where)
    hint = (
        f"let cord init write one, or do it, {EXAMPLE}"
        if above is None
        else f"name the one above it: -c {above}"
    )
    raise PlanError(f"there is no {FILE_NAME} in {where}{here}", hint)


def _above(folder: str) -> str | None:
    """The nearest plan in a folder around this one, below the home and the root."""
    home = os.path.expanduser("~")
    while folder not in (os.path.dirname(folder), home):
        folder = os.path.dirname(folder)
        plan = os.path.join(folder, FILE_NAME)
        if folder != home and os.path.exists(plan):
            return os.path.relpath(plan)
    return None
