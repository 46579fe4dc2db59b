"""The `[client.C.remote.M]` tables: whose calls they are for."""

from __future__ import annotations

from cord.plan import modules
from cord.plan.document import key_text
from cord.plan.modules import MAIN
from cord.plan.problems import Problems, did_you_mean, listing
from cord.plan.values import is_dotted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.program import Program
    from cord.plan.validate import Section


class Clients:
    """Checks the tables of client modules.

    Args:
        program: The program.
        remote: The tables of the remote modules.
        problems: Where the reports go.
    """

    def __init__(self, program: Program, remote: dict[str, Section], problems: Problems) -> None:
        self._program = program
        self._remote = remote
        self._problems = problems

    def read(self, section: Section | None) -> dict[str, dict[str, Section]]:
        """By remote module, the tables that client modules have for it, by the name they run by."""
        found: dict[str, dict[str, Section]] = {name: {} for name in self._remote}
        for client, table in section.tables.items() if section is not None else ():
            runs_as = self._name(client, table)
            for name, inner in table.tables["remote"].tables.items() if table.tables else ():
                if name not in self._remote:
                    self._problems.add(
                        inner.entry.key_place,
                        f"{key_text(inner.path)}: {name} is not a remote module of this plan; "
                        f"allowed: {listing(self._remote, 'or') if self._remote else 'none'}",
                        did_you_mean(name, self._remote),
                    )
                elif name == client:
                    self._problems.add(
                        inner.entry.key_place,
                        f"{key_text(inner.path)}: {name} calls its own functions where it is",
                    )
                elif runs_as is not None:
                    found[name][runs_as] = inner
        return found

    def _name(self, client: str, table: Section) -> str | None:
        """The name that a client module runs by; None where it is wrong."""
        if modules.is_program(None, client, self._program):
            return MAIN
        key, place = key_text(table.path), table.entry.key_place
        if not is_dotted_name(client):
            self._problems.add(place, f"{key} does not name a module; allowed: a dotted name")
            return None
        if client in self._remote:
            self._problems.add(
                place,
                f"{key}: {client} is remote itself, and what its functions call is always made in "
                "place; allowed: a module of the program",
            )
            return None
        if self._program.find(client) is None:
            beside = modules.modules_beside(self._program, client.rpartition(".")[0])
            known = [*beside, modules.stem_of(self._program)]
            self._problems.add(
                place,
                f"{key}: there is no module {client} in {self._program.folder} or elsewhere on "
                "Python's path",
                did_you_mean(client, known),
            )
            return None
        return client
