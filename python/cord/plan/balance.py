"""From the checked keys of a module to the links between its replicas."""

from __future__ import annotations

from cord.plan.document import found, key_text
from cord.plan.problems import Problems, did_you_mean, listing
from cord.plan.settings import Link, Load, Migration
from cord.plan.words import AUTO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.migration import Drawn
    from cord.plan.validate import Section

_EMPTY = Load(0, 0)
_HALF = (1, 2)


def names_of(section: Section) -> tuple[str, ...]:
    """The names of the replicas: those given, else their numbers from 1."""
    replicas = section.values.get("replicas", 1)
    if isinstance(replicas, tuple):
        return replicas
    return tuple(str(number) for number in range(1, replicas + 1))


def migration_of(section: Section, problems: Problems) -> Migration | None:
    """How the replicas of a module pass calls to one another; None if they do not, or wrongly.

    Args:
        section: The module's table.
        problems: Where the reports go.
    """
    values = section.values
    _check_needs(section, problems)
    if "topology" not in values and "migration" not in values:
        return None
    key = "topology" if "topology" in values else "migration"
    if values.get("replicas") == AUTO:
        why = f'replicas is "{AUTO}"; allowed: a number of them, or names'
        _refuse(section, key, why, problems)
        return None
    names = names_of(section)
    if len(names) < 2:
        _refuse(section, key, "there is only one replica; allowed: two or more", problems)
        return None
    if key == "topology":
        return _named(section, len(names))
    links = _drawn(section, values["migration"], names, problems)
    edges = [(links[number][0], links[number][1]) for number in range(len(links))]
    moves = tuple(link for _, _, some in links for link in some)
    return Migration(moves, start=_start(edges, len(names)))


def _check_needs(section: Section, problems: Problems) -> None:
    if "migration" in section.values and "topology" in section.values:
        _refuse(section, "topology", "migration draws the links already", problems)
    for key in ("overload", "underload", "share"):
        if key in section.values and "topology" not in section.entry.value:
            _refuse(section, key, "there is no topology that it would be for", problems)


def _refuse(section: Section, key: str, why: str, problems: Problems) -> None:
    entry = section.entry_of(key)
    message = f"{key_text((*section.path, key))} is {found(entry)}, but {why}"
    problems.add(entry.place, message)


def _named(section: Section, count: int) -> Migration:
    """The links of a named topology: work goes from each to the next."""
    values = section.values
    overload, underload = values.get("overload"), values.get("underload")
    if overload is None and underload is None:
        underload = _EMPTY
    share = values.get("share", _HALF)
    if values["topology"] == "full":
        return Migration((), full=True, overload=overload, underload=underload, share=share)
    edges = [(at, at + 1) for at in range(count - 1)]
    if values["topology"] == "ring":
        edges.append((count - 1, 0))
    links = []
    for left, right in edges:
        if overload is not None:
            links.append(Link(left, right, "overload", overload, share))
        if underload is not None:
            links.append(Link(left, right, "underload", underload, share))
    return Migration(tuple(links), start=_start(edges, count))


_Edge = tuple[int, int, list[Link]]


def _drawn(
    section: Section, expressions: tuple[Drawn, ...], names: tuple[str, ...], problems: Problems
) -> list[_Edge]:
    edges: list[_Edge] = []
    entries = section.entry_of("migration").value
    for entry, drawn in zip(entries, expressions, strict=True):
        ends = [name for name in (drawn.left, drawn.right) if name not in names]
        for name in ends:
            allowed = listing(names, "or") if len(names) < 10 else f"{names[0]} to {names[-1]}"
            problems.add(
                entry.place,
                f"{key_text((*section.path, 'migration'))} names the replica {name}, which is not "
                f"there; allowed: {allowed}",
                did_you_mean(name, names),
            )
        if not ends:
            sides = names.index(drawn.left), names.index(drawn.right)
            links = [
                one.but(sender=sides[one.sender], receiver=sides[one.receiver])
                for one in drawn.links
            ]
            edges.append((*sides, links))
    return edges


def _start(edges: list[tuple[int, int]], count: int) -> tuple[int, ...]:
    """Who gets calls at first: along a line the first, else all alike."""
    after = dict(edges)
    if len(edges) == len(after) == count - 1:
        first = set(range(count)) - set(after.values())
        at, walked = min(first, default=0), 1
        head = at
        while at in after and walked <= count:
            at, walked = after[at], walked + 1
        if len(first) == 1 and walked == count:
            return tuple(int(number == head) for number in range(count))
    return (1,) * count
