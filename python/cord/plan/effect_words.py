"""The three words for what functions do besides giving a value: pure, repeatable, independent.

A function is declared to be at most one of them. A repeatable function is called like a pure one:
the plan says of it that it is pure, and that it is repeatable besides.
"""

from __future__ import annotations

from cord.plan.document import key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.plan.problems import Problems
    from cord.plan.validate import Section

_AHEAD = ("pure", "repeatable")


def settle(section: Section) -> None:
    """Add to the values of a table, and of its functions' tables, what their words leave out."""
    said = dict(section.values)
    _settle(section.values)
    for own in _own_tables(section):
        values = own.values
        if "repeatable" in values and not values["repeatable"] and said.get("repeatable"):
            # Without that word it is what the module would be without it.
            values.setdefault("pure", said.get("pure", False))
        _settle(values)


def _settle(values: dict[str, Any]) -> None:
    if values.get("repeatable"):
        values["pure"] = True
        values.setdefault("independent", False)
    elif values.get("independent"):
        for word in _AHEAD:
            values.setdefault(word, False)
    elif values.get("pure"):
        values["repeatable"] = False
        values.setdefault("independent", False)
    elif "pure" in values:
        values["repeatable"] = False


def check_words(section: Section, problems: Problems) -> None:
    """Report tables that say of functions that calls may be repeated, and that they may not."""
    for one in (section, *_own_tables(section)):
        if not one.values.get("independent"):
            continue
        said = one.entry.value
        both = [word for word in reversed(_AHEAD) if word in said and one.values.get(word)]
        if both:
            problems.add(
                one.entry_of("independent").place,
                f"{key_text((*one.path, 'independent'))} is true, but so is "
                f"{key_text((*one.path, both[0]))}; allowed: one of them",
                _HINTS[both[0]],
            )


def _own_tables(section: Section) -> list[Section]:
    """The tables of single functions."""
    return (
        list(section.tables["functions"].tables.values()) if "functions" in section.tables else []
    )


_HINTS = {
    "pure": "take out pure where functions have effects, independent where they have none",
    "repeatable": "take out independent where a call may be made again or in vain, repeatable "
    "where it may not",
}
