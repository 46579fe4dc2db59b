"""A session as a person sees it: one line of text, and a table in a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cord.tools.replicas import number_of_replicas
from cord.tools.report.table import Row, time_text

if TYPE_CHECKING:
    from cord.plan.model import Plan

_HEADS = ("call", "calls", "ahead", "in place", "not sent", "in vain", "waited", "each")


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a session.

    Attributes:
        name: What its plan is called.
        is_open: Whether it has replicas now.
        plan: The plan, if it was open once.
        rows: Its calls, by place, as far as they were made.
    """

    name: str
    is_open: bool
    plan: Plan | None
    rows: Sequence[Row]

    @property
    def text(self) -> str:
        """All of it in a line."""
        state = "open" if self.is_open else "closed"
        return (
            f"<cord session, {state}: {'; '.join([self.name, *self._modules(), *self._calls()])}>"
        )

    @property
    def page(self) -> str:
        """The same as HTML, with a table of the calls."""
        state = "open" if self.is_open else "closed"
        modules = "".join(f"<br>{html.escape(one)}" for one in self._modules())
        head = f"<b>Cord session</b>, {state}: <code>{html.escape(self.name)}</code>{modules}"
        return f"<div>{head}{self._table()}</div>"

    def _modules(self) -> list[str]:
        if self.plan is None:
            return []
        return [
            f"{name}: {number_of_replicas(one)}, {one.callstyle}"
            for name, one in self.plan.remote.items()
        ]

    def _calls(self) -> list[str]:
        calls, ahead = sum(row.calls for row in self.rows), sum(row.ahead for row in self.rows)
        return [f"{calls} call{'s' * (calls != 1)}, {ahead} ahead"] if calls else []

    def _table(self) -> str:
        if not self.rows:
            return ""
        heads = "".join(f"<th>{head}</th>" for head in _HEADS)
        lines = "".join(f"<tr>{_cells(row)}</tr>" for row in self.rows)
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def _cells(row: Row) -> str:
    each = time_text(row.service / row.served) if row.served else "-"
    counts = (row.calls, row.ahead, row.in_place, row.unsent, row.in_vain)
    told = (row.place, *map(str, counts), time_text(row.spent), each)
    return "".join(f"<td>{html.escape(one)}</td>" for one in told)
