"""Finding the plan for a program, and reading it unless an earlier run has."""

from __future__ import annotations

import os

from cord.errors import PlanError
from cord.plan.keeping import KeptPlan
from cord.plan.words import BASE, EXAMPLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

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
        plan = read_variants(path, overrides, program, [variant])[variant]
        kept.remember(plan)
    return plan


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
    from cord.plan.whole import read_whole  # not where the plan is kept

    return read_whole(path if path is not None else _find(program), overrides, program, names)


def _find(program: Program) -> str:
    beside = os.path.join(program.plan_folder, FILE_NAME)
    for candidate in (beside, FILE_NAME):
        if os.path.exists(candidate):
            return candidate
    where = os.path.abspath(program.plan_folder)
    here = "" if where == os.getcwd() else f" or in {os.getcwd()}"
    raise PlanError(f"there is no {FILE_NAME} in {where}{here}", f"write one, {EXAMPLE}")
