"""Reading cord.toml as a whole: one plan, or several variants of it."""

from __future__ import annotations

from cord.errors import PlanError
from cord.plan import document
from cord.plan.clients import Clients
from cord.plan.engine import engine_of
from cord.plan.guesses import check_guesses
from cord.plan.http import http_of
from cord.plan.model import Plan, RemotePlan
from cord.plan.modules import MAIN, is_pattern, stem_of
from cord.plan.problems import Problems, did_you_mean, listing
from cord.plan.remotes import Remotes
from cord.plan.schema import PLAN, VARIANT
from cord.plan.validate import check
from cord.plan.variants import trees
from cord.plan.words import BASE, EXAMPLE, KEPT_BYTES, KEPT_FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from cord.plan.document import Entry
    from cord.plan.program import Program
    from cord.plan.validate import Section

# In percent, where calls may be made in vain.
AUDIT = 1.0

_VARIANT_EXAMPLE = """\
a variant says what is other than in the rest of the file:

    [variants.fast.remote.compare]
    replicas = 4"""


def read_whole(
    path: str, overrides: list[str], program: Program, names: Collection[str] | None
) -> dict[str, Plan]:
    """Reads several plans out of one file, which is checked as a whole.

    Args:
        path: The file.
        overrides: The settings given with `--set`; they go before each of these plans.
        program: The program, beside which the remote modules are looked for.
        names: The variants, BASE among them for the file without any. None for all of them, and
            BASE if it makes a module remote.

    Returns:
        The plans by the names of their variants, in the order of `names`, else of the file.

    Raises:
        PlanError: The file cannot be read, has errors (all of them are listed), or no such variant.
    """
    return read_tree(document.load(path), path, overrides, program, names)


def read_kept(path: str, overrides: list[str], variant: str) -> str:
    """The folder, beside a plan, in which is what is kept of calls; modules are not looked for.

    Args:
        path: The file; "" for none, which only settings are laid over.
        overrides: The settings given with `--set`.
        variant: The variant, or BASE for the file without any.

    Raises:
        PlanError: As `read_whole`.
    """
    tree = document.load(path) if path else document.parse("", path)
    problems = Problems()
    settings = [document.setting(text, at, problems) for at, text in enumerate(overrides)]
    made = trees(tree, settings, [variant], problems)
    if variant not in made:
        raise _unknown(variant, made, path)
    tables = check(made[variant], (), VARIANT, problems).tables
    problems.raise_if_any(path)
    folder: str = tables["run"].values.get("kept", KEPT_FOLDER) if "run" in tables else KEPT_FOLDER
    return folder


def read_tree(
    tree: Entry,
    path: str,
    overrides: list[str],
    program: Program,
    names: Collection[str] | None,
) -> dict[str, Plan]:
    """The same of a file that was read before, which is called `path`.

    Raises:
        PlanError: As `read_whole`.
    """
    problems = Problems()
    settings = [document.setting(text, at, problems) for at, text in enumerate(overrides)]
    remotes = Remotes(program, problems)
    plans: dict[str, Plan] = {}
    for name, whole in trees(tree, settings, names, problems).items():
        problems.variant = name if name != BASE else None
        plans[name] = _plan(path, whole, program, remotes, problems)
    try:
        problems.raise_if_any(path)
        if names is None:
            names = [name for name in plans if plans[name].remote or name != BASE] or [BASE]
        for name in names:
            _require(name, plans, path)
    except PlanError as error:
        error.engine = plans[BASE].engine.kind if BASE in plans else error.engine
        raise
    return {name: plans[name] for name in names}


def _plan(path: str, tree: Entry, program: Program, remotes: Remotes, problems: Problems) -> Plan:
    """The plan that the right values make; it is used only if nothing was wrong."""
    whole = check(tree, (), PLAN if problems.variant is None else VARIANT, problems)
    engine = engine_of(whole.tables.get("engine"), problems)
    remote: dict[str, RemotePlan] = {}
    if "remote" in whole.tables:
        named, by_pattern = _spread(whole.tables["remote"].tables, program, problems)
        clients = Clients(program, named, problems).read(whole.tables.get("client"))
        _check_main(named, program, problems)
        wrong: set[str | None] = set()
        for name, section in named.items():
            pattern = by_pattern.get(name)
            if pattern in wrong:  # what is wrong for one module is told once
                continue
            known = len(problems)
            plan = remotes.read(name, section, clients.get(name, {}), is_one_of_many=bool(pattern))
            if pattern is not None and len(problems) > known:
                wrong.add(pattern)
            if plan is not None:
                remote[name] = plan
        check_guesses(named, remote, program, problems)
        remote = {name: _without_homes_of(remote, plan) for name, plan in remote.items()}
    assumed = whole.tables["assume"].values.get("pure", ()) if "assume" in whole.tables else ()
    run = whole.tables["run"].values if "run" in whole.tables else {}
    copies, speculate = run.get("copies", True), run.get("speculate", "likely")
    audit = run.get("audit", AUDIT if speculate == "likely" else 0.0)
    report = whole.tables["report"].values if "report" in whole.tables else {}
    stats, warn = report.get("stats", False), report.get("warn", True)
    pools = "pools" in whole.tables and whole.tables["pools"].values.get("processes", True)
    http = http_of(whole.tables.get("http"), program.plan_folder, remote, problems)
    assumed = frozenset(assumed)
    auto, kept = run.get("auto"), (run.get("kept", KEPT_FOLDER), run.get("kept_bytes", KEPT_BYTES))
    values = remote, assumed, copies, speculate, engine, stats, warn, http, audit, auto, kept
    return Plan(path, *values, pools=pools)


def _spread(
    tables: dict[str, Section], program: Program, problems: Problems
) -> tuple[dict[str, Section], dict[str, str]]:
    """The tables by module, and of those that only a pattern names the pattern."""
    if not any(map(is_pattern, tables)):
        return tables, {}
    from cord.plan.patterns import Spread  # few plans have patterns

    spread = Spread(program, tables, problems)
    return spread.tables, spread.by_pattern


def _check_main(tables: dict[str, Section], program: Program, problems: Problems) -> None:
    """The main script goes by one of its two names."""
    stem = stem_of(program)
    if MAIN in tables and stem in tables:
        mine, other = tables[MAIN], tables[stem]
        problems.add(
            mine.entry.key_place,
            f"{document.key_text(mine.path)} is {program.name}, and so is "
            f"{document.key_text(other.path)}; allowed: one of them",
        )


def _without_homes_of(others: dict[str, RemotePlan], plan: RemotePlan) -> RemotePlan:
    """The same without functions that remote modules define: they are remote by these."""
    homes = {name: home for name, home in plan.homes.items() if home[0] not in others}
    return plan if homes == plan.homes else plan.but(homes=homes)


def _require(name: str, plans: dict[str, Plan], path: str) -> None:
    """Raises a PlanError if there is no variant of this name, or if nothing is remote in it."""
    if name not in plans:
        raise _unknown(name, plans, path)
    others = [other for other in plans if other != BASE]
    if plans[name].remote or plans[name].pools:
        return
    if name != BASE:
        raise PlanError(f"variants.{name} of {path} makes no module remote", EXAMPLE)
    message = f"{path} makes no module remote: it has no [remote.M] table"
    choice = f"choose a variant, by --variant {others[0]}" if others else None
    error = PlanError(message, choice or EXAMPLE)
    error.auto = plans[name].auto
    raise error


def _unknown(name: str, variants: Iterable[str], path: str) -> PlanError:
    """What is said where there is no variant of this name."""
    others = [other for other in variants if other != BASE]
    message = f'{path} has no variant "{name}"; it has {listing(others) if others else "none"}'
    return PlanError(message, did_you_mean(name, others) if others else _VARIANT_EXAMPLE)
