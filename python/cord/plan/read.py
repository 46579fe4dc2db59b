"""Reading the plan for a program."""

from __future__ import annotations

import os

from cord.errors import PlanError
from cord.plan import document
from cord.plan.clients import Clients
from cord.plan.model import Plan, RemotePlan
from cord.plan.problems import Problems
from cord.plan.remotes import Remotes
from cord.plan.schema import PLAN
from cord.plan.validate import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.program import Program

FILE_NAME = "cord.toml"

_EXAMPLE = """\
for example:

    [remote.compare]        # the functions of the module compare run in replicas
    replicas = 2
    callstyle = "async"     # calls start ahead of the program
    pure = true             # they have no effects"""


def read_plan(path: str | None, overrides: list[str], program: Program) -> Plan:
    """Reads and checks the plan as a whole.

    Args:
        path: The file; None to look for cord.toml beside the program, then in the current folder.
        overrides: The settings given with `--set`, each KEY=VALUE.
        program: The program, beside which the remote modules are looked for.

    Raises:
        PlanError: There is no plan, or it has errors; all of them are listed.
    """
    path = path if path is not None else _find(program)
    tree = document.load(path)
    problems = Problems()
    for number, setting in enumerate(overrides):
        document.override(tree, setting, number, problems)
    whole = check(tree, (), PLAN, problems)
    remote: dict[str, RemotePlan] = {}
    if "remote" in whole.tables:
        named = whole.tables["remote"].tables
        clients = Clients(program, named, problems).read(whole.tables.get("client"))
        remotes = Remotes(program, problems)
        for name, section in named.items():
            plan = remotes.read(name, section, clients.get(name, {}))
            if plan is not None:
                remote[name] = plan
    problems.raise_if_any(path)
    if not remote:
        raise PlanError(f"{path} makes no module remote: it has no [remote.M] table", _EXAMPLE)
    assumed = whole.tables["assume"].values.get("pure", ()) if "assume" in whole.tables else ()
    return Plan(path, remote, frozenset(assumed))


def _find(program: Program) -> str:
    beside = os.path.join(program.plan_folder, FILE_NAME)
    for candidate in (beside, FILE_NAME):
        if os.path.exists(candidate):
            return candidate
    where = os.path.abspath(program.plan_folder)
    here = "" if where == os.getcwd() else f" or in {os.getcwd()}"
    raise PlanError(f"there is no {FILE_NAME} in {where}{here}", f"write one, {_EXAMPLE}")
