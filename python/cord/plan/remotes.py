"""From the checked `[remote.M]` tables to RemotePlans: what no single key can tell.

Whether the module exists, whether it defines the functions that are named, and whether several
replicas can serve it.
"""

from __future__ import annotations

from cord.plan import modules
from cord.plan.balance import migration_of
from cord.plan.defaults import fill_in
from cord.plan.document import found, key_text
from cord.plan.effect_words import check_words, settle
from cord.plan.faults import fault_of, fault_of_settings, is_there
from cord.plan.keys_of_modules import REMOTE
from cord.plan.model import FunctionPlan, RemotePlan
from cord.plan.offers import Offers
from cord.plan.priorities import Priorities
from cord.plan.problems import Problems, did_you_mean, listing, nearest, these_are_there
from cord.plan.renewal import check_renewal
from cord.plan.residents import Residents
from cord.plan.settings import Lookahead
from cord.plan.tended import Tended
from cord.plan.threads import check_threads
from cord.plan.values import is_dotted_name
from cord.plan.words import AUTO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.plan.document import Entry
    from cord.plan.modules import FoundModule
    from cord.plan.offers import Home
    from cord.plan.outlines import Outline
    from cord.plan.program import Program
    from cord.plan.settings import Migration
    from cord.plan.validate import Section


class Remotes:
    """Checks the remote modules of one program.

    Args:
        program: The program.
        problems: Where the reports go.
    """

    def __init__(self, program: Program, problems: Problems) -> None:
        self._program = program
        self._problems = problems

    def read(
        self,
        name: str,
        section: Section,
        clients: dict[str, Section],
        *,
        is_one_of_many: bool = False,
    ) -> RemotePlan | None:
        """The settings of the remote module `name`, or None where it cannot be one.

        Args:
            name: The module.
            section: Its table.
            clients: The tables that modules of the program have for it.
            is_one_of_many: Whether only a pattern names it.
        """
        found_before = len(self._problems)
        module = self._module(name, section)
        is_there = module is not None or len(self._problems) == found_before
        is_program = modules.is_program(module, name, self._program)
        settle(section)
        fill_in(section)
        moves = migration_of(section, self._problems)
        plan = _remote_plan(name, section, clients, is_program, moves, is_one_of_many)
        outline, misnamed = None, False
        if module is not None and module.source is not None:
            outline = self._outline(module.source)
            if outline is not None:
                homes = self._offered(module, plan, section, is_one_of_many)
                misnamed = self._check_functions(module.name, outline, section, plan, homes)
                plan = plan.but(homes={name: (one.module, one.name) for name, one in homes.items()})
        if section.sound:
            self._check_counts(plan, section, clients)
            check_threads(plan, section, clients, self._problems)
            self._check_transport(plan, section)
            if outline is not None:
                Priorities(outline, plan, self._problems).check(section, clients)
                Residents(outline, plan, self._problems).check(section)
            self._check_only(plan, section)
            check_words(section, self._problems)
            self._check_inside(plan, section)
            Tended(outline, plan, self._problems).check(section)
            check_renewal(plan, section, self._problems)
            if is_there and not misnamed:
                self._check_state(plan, section)
        return plan

    def _module(self, name: str, section: Section) -> FoundModule | None:
        place = section.entry.key_place
        key = key_text(section.path)
        if name == modules.MAIN and self._program.is_archive:
            self._problems.add(
                place,
                f"{key} is the main file of an archive, whose functions cannot be remote",
                "move them to a module of the archive, and make that remote",
            )
            return None
        if modules.is_program(None, name, self._program):
            is_by_stem = name != modules.MAIN and is_dotted_name(name)
            found = self._program.find(name) if is_by_stem else None
            return found or modules.FoundModule(name, self._program.path or None)
        if not is_dotted_name(name):
            self._problems.add(place, f"{key} does not name a module; allowed: a dotted name")
            return None
        module = self._program.find(name)
        if module is None and not _is_unquoted(section) and not self._is_imported(name):
            self._report_missing(name, key, section)
        if module is not None and module.is_namespace:
            self._problems.add(
                place,
                f"{key} is a folder without __init__.py, and so defines no functions",
                did_you_mean(name, modules.modules_beside(self._program, name)),
            )
            return None
        return module

    def _is_imported(self, name: str) -> bool:
        """Whether the program imports the module, and so may say at run time where to find it."""
        try:
            return self._program.outlines.may_import(self._program, name)
        except (OSError, SyntaxError, ValueError, RecursionError):
            return False

    def _report_missing(self, name: str, key: str, section: Section) -> None:
        parent = name.rpartition(".")[0]
        known = modules.modules_beside(self._program, parent)
        near = nearest(name, known)
        if near is None and parent:
            known = modules.modules_beside(self._program, "")
            near = nearest(name.removesuffix(".py"), known)
        folder = self._program.folder
        self._problems.add(
            section.entry.key_place,
            f"{key}: there is no module {name} in {folder} or elsewhere on Python's path",
            f'did you mean "{near}"?' if near else these_are_there("modules there:", known),
        )

    def _offered(
        self, module: FoundModule, plan: RemotePlan, section: Section, is_one_of_many: bool
    ) -> dict[str, Home]:
        """The functions that a module offers and others define, as far as they can be remote here.

        What calls of others leave in a replica would not be seen by those who call them where they
        are defined: they are left out, but where the plan names them.
        """
        if is_one_of_many or plan.is_program:
            return {}
        named = _named_functions(section)
        return {
            name: home
            for name, home in Offers(self._program).of(module, plan.only).items()
            if name in named or plan.function(name).effects != "stateful"
        }

    def _check_functions(
        self,
        module: str,
        outline: Outline,
        section: Section,
        plan: RemotePlan,
        homes: dict[str, Home],
    ) -> bool:
        """Checks that the module has the functions that the plan names, and these can be remote.

        Returns:
            Whether one of them is not there.
        """
        known_before = len(self._problems)
        only = plan.only or ()
        for function, (entry, key) in _named_functions(section).items():
            fault, hint = fault_of(function, module, outline, homes, is_only=function in only), None
            if fault is None:
                is_adopted = self._program.is_adopted
                fault, hint = fault_of_settings(plan, function, homes, is_adopted)
            elif "." in function or not is_there(function, outline):
                known = [*outline.functions, *homes]
                if "." in function:
                    known = list(outline.methods)
                possible = [one for one in known if not fault_of(one, module, outline, homes)]
                hint = did_you_mean(function, possible) or these_are_there(
                    f"{module} has", possible
                )
            elif outline.others.get(function) == "a class":
                methods = [one for one in outline.methods if one.startswith(f"{function}.")]
                possible = [one for one in methods if not fault_of(one, module, outline, homes)]
                hint = these_are_there("name its methods:", possible)
            if fault is not None:
                hint = hint or f'leave "{function}" out'
                self._problems.add(entry.key_place, f"{key}: {fault}", hint)
        return len(self._problems) > known_before

    def _outline(self, source: str) -> Outline | None:
        """The module's top level, or None where it is not Python: importing it will say so."""
        try:
            return self._program.outlines.of(source)
        except (OSError, SyntaxError, ValueError):
            return None

    def _check_only(self, plan: RemotePlan, section: Section) -> None:
        """Settings of a function that `only` leaves out would be without effect."""
        if plan.only is None or "functions" not in section.tables:
            return
        for name, table in section.tables["functions"].tables.items():
            if name not in plan.only:
                only = found(section.entry_of("only"))
                self._problems.add(
                    table.entry.key_place,
                    f"{key_text(table.path)} has settings, but {name} is not remote: "
                    f"{key_text((*section.path, 'only'))} is {only}",
                    f'add "{name}" to only, or leave its table out',
                )

    def _check_counts(
        self, plan: RemotePlan, section: Section, clients: dict[str, Section]
    ) -> None:
        """There is a share, and a speed, for each replica."""
        wanted = [(one, "loadratio", "a share") for one in (section, *clients.values())]
        for one, key, what in (*wanted, (section, "speed", "a speed")):
            values = one.values.get(key)
            if values is not None and len(values) != plan.replicas:  # nor may that be "auto"
                entry = one.entry_of(key)
                self._problems.add(
                    entry.place,
                    f"{key_text((*one.path, key))} is {found(entry)}, but "
                    f"{key_text((*section.path, 'replicas'))} is {_number(plan)}; "
                    f"allowed: {what} for each replica",
                )

    def _check_inside(self, plan: RemotePlan, section: Section) -> None:
        """What a function leaves in its replica the module's code in the program would not see."""
        if plan.inside and not plan.is_pure:
            self._problems.add(
                section.entry_of("inside").place,
                f"{key_text((*section.path, 'inside'))} is true, but not all functions of "
                f"{plan.module} that are remote are declared pure; allowed: false",
                "the module's own code would not see what calls leave in a replica; set "
                "pure = true if they have no effects and depend on their arguments alone, and "
                "leave the others out by only",
            )

    def _check_transport(self, plan: RemotePlan, section: Section) -> None:
        """Over TCP replicas cannot be given links to one another."""
        if plan.transport == "tcp" and plan.migration is not None:
            self._problems.add(
                section.entry_of("transport").place,
                f"{key_text((*section.path, 'transport'))} is "
                '"tcp", over which replicas pass no calls to one another; '
                'allowed with migration: "auto", "shm" or "unix"',
            )

    def _check_state(self, plan: RemotePlan, section: Section) -> None:
        """Several replicas do not share what an impure function keeps between calls."""
        if plan.replicas == 1 and plan.threads == 1:
            return
        if plan.only is not None:
            one_by_one = [name for name in plan.only if plan.function(name).effects == "stateful"]
            everything = len(one_by_one) == len(plan.only)
        else:
            one_by_one = [name for name, own in plan.functions.items() if own.effects == "stateful"]
            everything = plan.usual("").effects == "stateful"
        if not one_by_one and not everything:
            return
        if everything:
            who = f"the functions of {plan.module} are not declared pure"
        else:
            verb = "is" if len(one_by_one) == 1 else "are"
            who = f"{listing(one_by_one)} {verb} not declared pure"
        key, number = "replicas", _number(plan)
        why = "replicas do not share what a function keeps between calls"
        if plan.replicas == 1:
            key, number = "threads", str(plan.threads)
            why = "calls that run at once find what others keep as it may be"
        self._problems.add(
            section.entry_of(key).place,
            f"{key_text((*section.path, key))} is {number}, but {who}, and {why}; allowed: 1",
            "set pure = true if the functions have no effects and depend on their arguments "
            "alone, repeatable = true if they write only what is their own, independent = true if "
            f"they have effects and no call depends on another's, otherwise {key} = 1",
        )


def _number(plan: RemotePlan) -> str:
    """How many replicas the file says."""
    return f'"{AUTO}"' if plan.per_core else str(plan.replicas)


def _remote_plan(
    name: str,
    section: Section,
    clients: dict[str, Section],
    is_program: bool,
    migration: Migration | None,
    is_one_of_many: bool,
) -> RemotePlan:
    """The plan that the right values make; it is used only if nothing was wrong."""
    settings = _settings(section, Lookahead())
    for key in ("topology", "overload", "underload", "share"):
        settings.pop(key, None)
    settings["migration"] = migration
    settings["is_one_of_many"] = is_one_of_many
    if isinstance(settings.get("replicas"), tuple):
        settings["names"] = settings["replicas"]
        settings["replicas"] = len(settings["names"])
    elif settings.get("replicas") == AUTO:
        settings["replicas"], settings["per_core"] = 0, True
    module = RemotePlan(name, **settings)
    own: dict[str, FunctionPlan] = {}
    if "functions" in section.tables:
        for function, table in section.tables["functions"].tables.items():
            own[function] = module.usual(function).but(
                **_settings(table, module.lookahead, function)
            )
    by_client = {
        client: _settings(table, module.lookahead, f"client {client}")
        for client, table in clients.items()
    }
    return RemotePlan(name, **settings, functions=own, clients=by_client, is_program=is_program)


def _settings(section: Section, lookahead: Lookahead, whose: str = "") -> dict[str, Any]:
    """The values of a table; what its lookahead leaves out is as in `lookahead`."""
    settings = dict(section.values)
    if "rate" in settings:
        settings["rate"] = settings["rate"].but(of=whose)
    if "lookahead" in section.tables:
        bounds = {"calls": lookahead.calls, "bytes": lookahead.bytes}
        settings["lookahead"] = Lookahead(**{**bounds, **section.tables["lookahead"].values})
    return settings


def _is_unquoted(section: Section) -> bool:
    """Whether `[remote.a]` is there only because of `[remote.a.b]`, which is reported already."""
    inside = section.entry.value
    return bool(inside) and all(
        entry.kind == "table" and name not in REMOTE.keys for name, entry in inside.items()
    )


def _named_functions(section: Section) -> dict[str, tuple[Entry, str]]:
    """The functions that the plan names, each with the place to report and its key."""
    named: dict[str, tuple[Entry, str]] = {}
    only = section.entry.value.get("only")
    if only is not None and only.kind == "array":
        for element in only.value:
            # Other elements are wrong already.
            if element.kind == "string" and is_dotted_name(element.value):
                named[element.value] = (element, key_text((*section.path, "only")))
    if "functions" in section.tables:
        for function, table in section.tables["functions"].tables.items():
            named.setdefault(function, (table.entry, key_text(table.path)))
    return named
