"""Whether the functions have the parameters that their plan calls resident."""

from __future__ import annotations

from cord.plan.document import key_text
from cord.plan.problems import did_you_mean, listing
from cord.plan.words import AUTO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.model import RemotePlan
    from cord.plan.outlines import Outline
    from cord.plan.problems import Problems
    from cord.plan.validate import Section


class Residents:
    """Checks the resident parameters of one remote module.

    Args:
        outline: What the module defines.
        plan: How it is called.
        problems: Where the reports go.
    """

    def __init__(self, outline: Outline, plan: RemotePlan, problems: Problems) -> None:
        self._outline = outline
        self._plan = plan
        self._problems = problems

    def check(self, section: Section) -> None:
        """Reports names that no function has which the setting is for.

        Args:
            section: The module's table.
        """
        self._check_table(section, self._outline.remote_functions(self._plan))
        if "functions" in section.tables:
            for name, table in section.tables["functions"].tables.items():
                if name in self._outline.functions:
                    self._check_table(table, [name])

    def _check_table(self, table: Section, functions: list[str]) -> None:
        if table.values.get("resident", AUTO) == AUTO:
            return
        if not functions or self._outline.has_star_import:
            return
        known = list(
            dict.fromkeys(one for name in functions for one in self._outline.parameters[name])
        )
        alone = len(functions) == 1
        who = f"{functions[0]} has no" if alone else f"no function of {self._plan.module} has the"
        for element in table.entry_of("resident").value:
            name = element.value
            if name not in known:
                allowed = listing(known, "or") if known else "none, as it has no parameters"
                self._problems.add(
                    element.place,
                    f'{key_text((*table.path, "resident"))} names "{name}", but {who} parameter '
                    f"{name}; allowed: {allowed}",
                    did_you_mean(name, known),
                )
