"""When a replica is renewed, and how much memory it may have: the keys, and what they go with."""

from __future__ import annotations

from cord.plan.calling import bytes_of
from cord.plan.document import found, key_text
from cord.plan.settings import Recycle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.document import Entry
    from cord.plan.model import RemotePlan
    from cord.plan.problems import Problems
    from cord.plan.validate import Section
    from cord.plan.values import Refuse

MOST_CALLS = 1_000_000_000
# A replica that has done nothing yet has half of that.
LEAST_MEMORY = "64MiB"


def recycle(entry: Entry, refuse: Refuse) -> Recycle | None:
    """So many calls, or a size such as "1GiB"."""
    if entry.kind == "integer" and 1 <= entry.value <= MOST_CALLS:
        return Recycle(calls=int(entry.value))
    size = _size(entry)
    if size is None:
        refuse.value(entry)
        return None
    return Recycle(bytes=size)


def memory(entry: Entry, refuse: Refuse) -> int | None:
    """A size such as "2GiB", in bytes."""
    size = _size(entry)
    if size is None:
        refuse.value(entry)
    return size


def check_renewal(plan: RemotePlan, section: Section, problems: Problems) -> None:
    """Report where a replica cannot be renewed unnoticed.

    Args:
        plan: What the plan says of the module.
        section: Its table.
        problems: Where the reports go.
    """
    if plan.recycle is None:
        return
    entry = section.entry_of("recycle")
    is_set = f"{key_text((*section.path, 'recycle'))} is {found(entry)}, but"
    if plan.keeps_state:
        problems.add(
            entry.place,
            f"{is_set} not all functions of {plan.module} that are remote are declared pure or "
            "independent, and what their calls leave in a replica would be lost with it",
            "set pure = true if they have no effects and depend on their arguments alone, or "
            "independent = true if no call depends on another's, and leave the others out by "
            "only; else leave recycle out",
        )
    most, limit = plan.recycle.bytes, plan.memory
    if most is not None and limit is not None and most >= limit:
        problems.add(
            entry.place,
            f"{is_set} {key_text((*section.path, 'memory'))} is "
            f"{found(section.entry_of('memory'))}, and a replica is ended before it has so much",
            "set recycle to less than memory",
        )
    if plan.threads > 1:
        problems.add(
            entry.place,
            f"{is_set} {key_text((*section.path, 'threads'))} is {plan.threads}, and a process "
            "that serves several calls at once is hardly ever between two of them",
            "leave recycle out, or set threads = 1",
        )


def _size(entry: Entry) -> int | None:
    size = bytes_of(entry.value) if entry.kind == "string" else None
    least = bytes_of(LEAST_MEMORY)
    assert least is not None
    return size if size is not None and size >= least else None
