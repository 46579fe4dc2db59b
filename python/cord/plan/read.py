"""Reading the plan for a program."""

from __future__ import annotations

import os

from cord.errors import PlanError
from cord.plan import document
from cord.plan.model import Plan, RemotePlan
from cord.plan.problems import Problems, did_you_mean, listing
from cord.plan.remotes import Remotes
from cord.plan.schema import PLAN, VARIANT
from cord.plan.validate import check
from cord.plan.variants import BASE, trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from cord.plan.document import Entry
    from cord.plan.program import Program

FILE_NAME = "cord.toml"

_EXAMPLE = """\
for example:

    [remote.compare]        # the functions of the module compare run in replicas
    replicas = 2
    callstyle = "async"     # calls start ahead of the program
    pure = true             # they have no effects"""

_VARIANT_EXAMPLE = """\
a variant says what is other than in the rest of the file:

    [variants.fast.remote.compare]
    replicas = 4"""


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
    return read_variants(path, overrides, program, [variant])[variant]


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
    tree = document.load(path)
    problems = Problems()
    settings = [document.setting(text, at, problems) for at, text in enumerate(overrides)]
    remotes = Remotes(program, problems)
    plans: dict[str, Plan] = {}
    for name, whole in trees(tree, settings, names, problems).items():
        problems.variant = name if name != BASE else None
        plans[name] = _plan(path, whole, remotes, problems)
    problems.raise_if_any(path)
    if names is None:
        names = [name for name in plans if plans[name].remote or name != BASE] or [BASE]
    for name in names:
        _require(name, plans, path)
    return {name: plans[name] for name in names}


def _plan(path: str, tree: Entry, remotes: Remotes, problems: Problems) -> Plan:
    """The plan that the right values make; it is used only if nothing was wrong."""
    whole = check(tree, (), PLAN if problems.variant is None else VARIANT, problems)
    remote: dict[str, RemotePlan] = {}
    if "remote" in whole.tables:
        for name, section in whole.tables["remote"].tables.items():
            plan = remotes.read(name, section)
            if plan is not None:
                remote[name] = plan
    assumed = whole.tables["assume"].values.get("pure", ()) if "assume" in whole.tables else ()
    return Plan(path, remote, frozenset(assumed))


def _require(name: str, plans: dict[str, Plan], path: str) -> None:
    """Raises a PlanError if there is no variant of this name, or if nothing is remote in it."""
    others = [other for other in plans if other != BASE]
    if name not in plans:
        message = f'{path} has no variant "{name}"; it has {listing(others) if others else "none"}'
        raise PlanError(message, did_you_mean(name, others) if others else _VARIANT_EXAMPLE)
    if plans[name].remote:
        return
    if name != BASE:
        raise PlanError(f"variants.{name} of {path} makes no module remote", _EXAMPLE)
    message = f"{path} makes no module remote: it has no [remote.M] table"
    choice = f"choose a variant, by --variant {others[0]}" if others else None
    raise PlanError(message, choice or _EXAMPLE)


def _find(program: Program) -> str:
    beside = os.path.join(program.plan_folder, FILE_NAME)
    for candidate in (beside, FILE_NAME):
        if os.path.exists(candidate):
            return candidate
    where = os.path.abspath(program.plan_folder)
    here = "" if where == os.getcwd() else f" or in {os.getcwd()}"
    raise PlanError(f"there is no {FILE_NAME} in {where}{here}", f"write one, {_EXAMPLE}")
