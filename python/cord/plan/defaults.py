"""What a table of a remote module leaves out and what follows from the rest of it.

Pure and independent functions are called ahead, in a replica for each core: the word alone is a
good plan. Functions that are served in threads wait more than they compute: for them one replica is
enough.
"""

from __future__ import annotations

from cord.plan.words import AUTO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.plan.validate import Section


def fill_in(section: Section) -> None:
    """Add what follows to the values of a table, and of its functions' tables."""
    values = section.values
    tables = section.tables["functions"].tables if "functions" in section.tables else {}
    own = {name: table.values for name, table in tables.items()}
    has_threads = values.get("threads", 1) != 1
    if _are_all_ahead(values, own) and not has_threads:
        values.setdefault("replicas", AUTO)
    if "callstyle" in values:
        return
    replicas = values.get("replicas", 1)
    is_one = replicas == 1 or (isinstance(replicas, tuple) and len(replicas) == 1)
    several = has_threads or not is_one
    for some in own.values():
        some.setdefault("callstyle", _style(_is_ahead(some, values), several))
    values["callstyle"] = _style(_is_ahead({}, values), several)


def _style(is_ahead: bool, several: bool) -> str:
    return "async" if is_ahead or several else "sync"


def _are_all_ahead(values: dict[str, Any], own: dict[str, dict[str, Any]]) -> bool:
    """Whether calls of all functions that may be remote may start ahead of the program."""
    if "only" in values:
        return all(_is_ahead(own.get(name, {}), values) for name in values["only"])
    return _is_ahead({}, values) and all(_is_ahead(some, values) for some in own.values())


def _is_ahead(some: dict[str, Any], values: dict[str, Any]) -> bool:
    """Whether a function is pure or independent, by its own table or else by the module's."""
    return any(some.get(word, values.get(word, False)) for word in ("pure", "independent"))
