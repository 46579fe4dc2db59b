"""`[variants.NAME]`: named overlays of the file, each of which makes a whole plan of it."""

from __future__ import annotations

from functools import reduce

from cord.plan.document import Entry, found, key_text, merged
from cord.plan.words import BASE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from cord.plan.problems import Problems

PLAIN = "plain"

_KEY = "variants"
_HINT = "the variant's name comes first: [variants.fast.remote.compare]"
# Names that none can have.
_HINTS = {
    PLAIN: f'"{PLAIN}" is the program without Cord, beside which variants are put',
    "remote": _HINT,
}


def trees(
    tree: Entry, settings: list[Entry], chosen: Container[str] | None, problems: Problems
) -> dict[str, Entry]:
    """The trees of the plan itself, named BASE, and of every variant, none with `variants` in it.

    Args:
        tree: The whole file.
        settings: The settings of the command line. Those of keys under `variants` are part of the
            variant; the others go before file and variant.
        chosen: The names of the trees that the latter are for, None for all. They are not laid over
            the rest, for which they may be wrong.
        problems: Where reports of what cannot be a variant go.
    """
    overlays = _overlays(reduce(merged, settings, tree), problems)
    made = {BASE: _rest(tree)}
    made |= {name: merged(made[BASE], overlay) for name, overlay in overlays.items()}
    for name in made:
        if chosen is None or name in chosen:
            made[name] = reduce(merged, map(_rest, settings), made[name])
    return made


def _rest(tree: Entry) -> Entry:
    """The tree without its variants."""
    entries = {name: entry for name, entry in tree.value.items() if name != _KEY}
    return Entry("table", entries, tree.place, tree.key_place)


def _overlays(tree: Entry, problems: Problems) -> dict[str, Entry]:
    variants = tree.value.get(_KEY)
    if variants is None:
        return {}
    if variants.kind != "table":
        problems.add(variants.place, f"{_KEY} is {found(variants)}; allowed: a table", _HINT)
        return {}
    return {
        name: overlay
        for name, overlay in variants.value.items()
        if _is_variant(name, overlay, problems)
    }


def _is_variant(name: str, overlay: Entry, problems: Problems) -> bool:
    """Whether `overlay` can be a variant; reports why it cannot."""
    key = key_text((_KEY, name))
    if overlay.kind != "table":
        message = f"{key} is {found(overlay)}; allowed: a table such as [variants.fast]"
        problems.add(overlay.key_place, message, _HINT)
    elif name in _HINTS or not name or not f"_{name.replace('-', '_')}".isidentifier():
        message = f"{key} does not name a variant; allowed: a name of letters, digits, - and _"
        problems.add(overlay.key_place, message, _HINTS.get(name))
    else:
        return True
    return False
