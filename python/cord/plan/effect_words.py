"""The words for what functions do besides giving a value: pure, repeatable, scratch, independent.

A function is declared to be at most one of them. A repeatable function is called like a pure one:
the plan says of it that it is pure, and that it is repeatable besides. So it is with one that has
a view of its own of the working folder (scratch).
"""

from __future__ import annotations

from cord.plan.document import key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.plan.problems import Problems
    from cord.plan.validate import Section

_AHEAD = ("pure", "repeatable", "scratch")
# Words that say more than that a function is pure.
_MORE = ("repeatable", "scratch")


def settle(section: Section) -> None:
    """Add to the values of a table, and of its functions' tables, what their words leave out."""
    said = dict(section.values)
    _settle(section.values)
    for own in _own_tables(section):
        values = own.values
        if any(word in values and not values[word] and said.get(word) for word in _MORE):
            # Without that word it is what the module would be without it.
            values.setdefault("pure", said.get("pure", False))
        _settle(values)


def _settle(values: dict[str, Any]) -> None:
    said = [word for word in _MORE if values.get(word)]
    if said:
        values["pure"] = True
        for word in (*_MORE, "independent"):
            values.setdefault(word, False)
    elif values.get("independent"):
        for word in _AHEAD:
            values.setdefault(word, False)
    elif values.get("pure"):
        values.update(dict.fromkeys(_MORE, False))
        values.setdefault("independent", False)
    elif "pure" in values:
        values.update(dict.fromkeys(_MORE, False))


def check_words(section: Section, problems: Problems) -> None:
    """Report tables whose words contradict one another."""
    for one in (section, *_own_tables(section)):
        if one.values.get("repeatable") and one.values.get("scratch"):
            problems.add(
                one.entry_of("scratch").place,
                f"{key_text((*one.path, 'scratch'))} is true, but so is "
                f"{key_text((*one.path, 'repeatable'))}; allowed: one of them",
                "take out repeatable where functions write into the working folder, scratch where "
                "they do not",
            )
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
    "scratch": "take out independent where a call writes only into the working folder, scratch "
    "where it does more",
}
