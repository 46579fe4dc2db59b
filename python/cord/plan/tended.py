"""Whether what the plan says of calls that wait fits the functions that it is for."""

from __future__ import annotations

from cord.plan.document import found, key_text
from cord.plan.faults import is_there
from cord.plan.problems import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.model import RemotePlan
    from cord.plan.outlines import Outline
    from cord.plan.problems import Problems
    from cord.plan.validate import Section

# What makes a call once more, early or otherwise, which only those who do nothing besides may be.
_FOR_PURE = ("retries", "retry_on", "hedge", "gather", "guess", "keep", "ttl", "submit")


class Tended:
    """Checks the deadlines, retries, hedges and groups of one remote module.

    Args:
        outline: What the module defines, if that can be told.
        plan: How it is called.
        problems: Where the reports go.
    """

    def __init__(self, outline: Outline | None, plan: RemotePlan, problems: Problems) -> None:
        self._outline = outline
        self._plan = plan
        self._problems = problems

    def check(self, section: Section) -> None:
        """Reports what does not fit.

        Args:
            section: The module's table.
        """
        plan = self._plan
        any_pure = plan.pure or any(own.pure for own in plan.functions.values())
        self._check_pure(section, any_pure, f"no function of {plan.module} is")
        self._check_keep(section, plan.scratch)
        if "functions" in section.tables:
            for name, table in section.tables["functions"].tables.items():
                self._check_pure(table, plan.function(name).pure, f"{name} is not")
                self._check_keep(table, plan.function(name).scratch)
                self._check_many(name, table, "gather")
                self._check_many(name, table, "submit")

    def _check_pure(self, table: Section, is_pure: bool, who: str) -> None:
        for key in _FOR_PURE:
            if key in table.values and not is_pure and table.values[key] != "":
                entry = table.entry_of(key)
                self._problems.add(
                    entry.place,
                    f"{key_text((*table.path, key))} is {found(entry)}, but {who} declared pure, "
                    "and a call that has effects is made once",
                    "set pure = true if the function has no effects and depends on its arguments "
                    f"alone, else leave {key} out",
                )

    def _check_keep(self, table: Section, is_scratch: bool) -> None:
        """What a call leaves in files is not kept."""
        if table.values.get("keep") and is_scratch:
            entry = table.entry_of("keep")
            self._problems.add(
                entry.place,
                f"{key_text((*table.path, 'keep'))} is {found(entry)}, but what calls leave in the "
                "working folder, as scratch says, is not kept",
                "leave keep out, or have the function return what it writes",
            )

    def _check_many(self, name: str, table: Section, what: str) -> None:
        many = table.values.get(what)
        if many is None:
            return
        plan, entry = self._plan, table.entry_of(what)
        key = key_text((*table.path, what))
        if plan.function(name).loadratio is not None or plan.migration is not None:
            self._problems.add(
                entry.place,
                f"{key} is {found(entry)}, but calls of {plan.module} are assigned to replicas one "
                "by one",
                f"leave {what} out, or loadratio and migration",
            )
        if what == "submit" and not plan.function(name).keep:
            self._problems.add(
                entry.place,
                f"{key} is {found(entry)}, but what {name} returns is not kept, so that each run "
                "would send all batches again",
                "set keep = true",
            )
        if many == name or (what == "gather" and "." in name):
            self._problems.add(
                entry.place,
                f"{key} is {found(entry)}; allowed: another function of {plan.module}, for one that"
                " is no method",
            )
        outline = self._outline
        if plan.is_program or outline is None or outline.has_star_import:
            return
        if not is_there(many, outline):
            self._problems.add(
                entry.place,
                f"{key} is {found(entry)}, but {plan.module} defines no function {many}",
                did_you_mean(many, list(outline.functions)),
            )
