"""A proposed plan: its tables, and how they are written. Runs nothing."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cord.plan.document import key_text
from cord.plan.modules import stem_of
from cord.plan.words import AUTO
from cord.tools.init.choice import Candidate
from cord.tools.init.profile import MAIN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cord.plan.program import Program
    from cord.tools.init.evidence import Evidence

_WIDTH = 90


@dataclass(slots=True)
class Table:
    """What a plan says of one module.

    Attributes:
        module: The module's name in the plan.
        functions: What is remote of it.
        replicas: How many processes serve it; "auto" for one each core.
        threads: Whether that many threads of one process do so instead.
        repeatable: Whether it is the user's word that early calls of it do no harm.
        resident: Whether replicas keep its large arguments.
        notes: What is said beside a key, by the key; beside the table itself by "".
    """

    module: str
    functions: list[Candidate]
    replicas: int | str
    threads: bool = False
    repeatable: bool = False
    resident: bool = False
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def inside(self) -> bool:
        """Whether the module's own calls are remote, too."""
        return any(one.inside for one in self.functions)

    def lines(self, prefix: tuple[str, ...] = ()) -> list[str]:
        """The table in TOML."""
        values: dict[str, object] = {}
        if self.replicas != AUTO:
            values["threads" if self.threads else "replicas"] = self.replicas
        values["repeatable" if self.repeatable else "pure"] = True
        only = [one.function.name for one in self.functions]
        said = {key: json.dumps(value) for key, value in values.items()}
        said["only"] = json.dumps(only)
        if self.inside:
            said["inside"] = "true"
        if self.resident:
            said["resident"] = json.dumps(AUTO)
        rows = [("", f"[{key_text((*prefix, 'remote', self.module))}]")]
        rows += [(key, f"{key} = {value}") for key, value in said.items()]
        return _beside(rows, self.notes)


def _beside(rows: list[tuple[str, str]], notes: dict[str, str]) -> list[str]:
    """The lines with their notes beside them; what is too long goes on in lines of its own."""
    noted = [text for key, text in rows if key in notes]
    column = min(28, max(map(len, noted), default=0))
    lines = []
    for key, text in rows:
        if key not in notes:
            lines.append(text)
            continue
        said = textwrap.wrap(notes[key], _WIDTH - column - 4, break_on_hyphens=False)
        if len(text) > column:
            lines += [f"# {line}" for line in textwrap.wrap(notes[key], _WIDTH - 2)] + [text]
        else:
            first, *more = said
            lines.append(f"{text:<{column}}  # {first}")
            lines += [" " * column + f"  # {line}" for line in more]
    return lines


def tables(
    program: Program,
    chosen: list[Candidate],
    known: Mapping[str, Evidence],
    replicas: int | str,
    *,
    threads: bool = False,
    resident: bool = False,
) -> list[Table]:
    """The tables that make functions remote, those that take most first.

    Args:
        program: The program.
        chosen: The functions.
        known: What is known of them, by their full names.
        replicas: How many calls of a module are to be served at once.
        threads: Whether threads of one process are to serve them.
        resident: Whether replicas are to keep large arguments.
    """
    by_module: dict[str, list[Candidate]] = {}
    for one in chosen:
        module = one.function.module
        by_module.setdefault(stem_of(program) if module == MAIN else module, []).append(one)
    return [
        Table(
            module,
            some,
            replicas,
            threads,
            any(known[one.function.full].accepted for one in some if one.function.full in known),
            resident,
        )
        for module, some in by_module.items()
    ]


def as_variants(proposals: dict[str, list[Table]]) -> str:
    """A file that holds several plans, each as a variant."""
    lines = []
    for name, some in proposals.items():
        for table in some:
            lines += [*table.lines(("variants", name)), ""]
    return "\n".join(lines)


def as_file(heading: list[str], some: list[Table]) -> str:
    """A file that holds one plan.

    Args:
        heading: What stands above it, as paragraphs.
        some: Its tables.
    """
    lines = []
    for paragraph in heading:
        lines += [f"# {line}" for line in textwrap.wrap(paragraph, _WIDTH, break_on_hyphens=False)]
    for table in some:
        lines += ["", *table.lines()]
    return "\n".join(lines) + "\n"
