"""Whether the functions have the parameters that their priorities name."""

from __future__ import annotations

from cord.plan.document import key_text
from cord.plan.problems import did_you_mean, listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.model import RemotePlan
    from cord.plan.outlines import Outline
    from cord.plan.problems import Problems
    from cord.plan.validate import Section


class Priorities:
    """Checks the priorities of one remote module.

    Args:
        outline: What the module defines.
        plan: How it is called.
        problems: Where the reports go.
    """

    def __init__(self, outline: Outline, plan: RemotePlan, problems: Problems) -> None:
        self._outline = outline
        self._plan = plan
        self._problems = problems

    def check(self, section: Section, clients: dict[str, Section]) -> None:
        """Reports names that no function has which the priority is for.

        Args:
            section: The module's table.
            clients: The tables that modules of the program have for it.
        """
        remote = self._outline.remote_functions(self._plan)
        for table in (section, *clients.values()):
            self._check_table(table, remote)
        if "functions" in section.tables:
            for name, table in section.tables["functions"].tables.items():
                if name in self._outline.functions:
                    self._check_table(table, [name])

    def _check_table(self, table: Section, functions: list[str]) -> None:
        from cord.plan import expressions

        text = table.values.get("priority")
        if text is None or not functions or self._outline.has_star_import:
            return
        wanted = expressions.names(expressions.parse(text))
        lacking = {
            name: [one for one in wanted if one not in self._outline.parameters[name]]
            for name in functions
        }
        if not all(lacking.values()):
            return
        function = min(lacking, key=lambda name: len(lacking[name]))
        missing = lacking[function]
        alone = len(functions) == 1
        who = f"{function} has no" if alone else f"no function of {self._plan.module} has the"
        parameters = self._outline.parameters[function]
        self._problems.add(
            table.entry_of("priority").place,
            f'{key_text((*table.path, "priority"))} is "{text}", but {who} '
            f"{'parameter' if len(missing) == 1 else 'parameters'} {listing(missing)}; "
            f"allowed: an expression over {_described(parameters)}",
            did_you_mean(missing[0], parameters) if alone else None,
        )


def _described(parameters: list[str]) -> str:
    return listing(parameters) if parameters else "no names, as it has no parameters"
