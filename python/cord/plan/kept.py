"""The values of keys that say what is kept from run to run."""

from __future__ import annotations

from cord.plan.words import ALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.document import Entry
    from cord.plan.values import Refuse

VALUES = "values"


def keep(entry: Entry, refuse: Refuse) -> str | None:
    """`true`, `false` or "all": what is kept of calls, in a word; empty for nothing."""
    if entry.kind == "boolean":
        return VALUES if entry.value else ""
    if entry.kind == "string" and entry.value == ALL:
        return ALL
    refuse.value(entry, "write keep = true to keep what calls return")
    return None


def folder(entry: Entry, refuse: Refuse) -> str | None:
    """The path of a folder."""
    if entry.kind == "string" and entry.value and "\0" not in entry.value:
        return str(entry.value)
    refuse.value(entry, 'write kept = ".cord/kept"; it is looked for beside the plan')
    return None
