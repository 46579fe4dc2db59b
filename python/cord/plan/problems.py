"""What is wrong with a plan, collected, so that one run shows all of it."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice

from cord.errors import PlanError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cord.plan.document import Place

# More names than these are no hint.
_MOST_LISTED = 8
# More files than these are not read.
_MOST_FILES = 300


class Problems:
    """The errors found so far in one plan and its variants.

    Attributes:
        variant: The variant that is looked at, which messages then name; None for the plan itself.
    """

    def __init__(self) -> None:
        self.variant: str | None = None
        self._found: list[tuple[Place, str | None, str, str | None]] = []

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[tuple[Place, str, str | None]]:
        """Place, message and hint of each, in the order of the file."""
        told = ((place, message, hint) for place, _, message, hint in self._found)
        return iter(sorted(told, key=lambda problem: problem[0].order))

    def add(self, place: Place, message: str, hint: str | None = None) -> None:
        """Notes one error.

        Args:
            place: Where in the file (or on the command line) it is.
            message: One sentence that names the key, what was found and what is allowed.
            hint: What to do about it.
        """
        self._found.append((place, self.variant, message, hint))

    def raise_if_any(self, path: str) -> None:
        """Raises one PlanError that lists every error noted, in the order of the file."""
        found = self._once_each()
        if not found:
            return
        if len(found) == 1:
            raise PlanError(*found[0])
        blocks = [f"{path} has {len(found)} errors"]
        for message, hint in found:
            advice = f"\n    hint: {hint}" if hint else ""
            blocks.append(f"{message}{advice}")
        raise PlanError("\n\n".join(blocks))

    def _once_each(self) -> list[tuple[str, str | None]]:
        """Messages and hints in order; what variants share with the plan is wrong only once."""
        told: dict[tuple[tuple[int, int, int], str], tuple[str, str | None]] = {}
        wrong_anyway = {place.order for place, variant, _, _ in self._found if variant is None}
        for place, variant, message, hint in self._found:
            if variant is not None and place.order in wrong_anyway:
                continue
            where = f"{place}: in variants.{variant}, " if variant else f"{place}: "
            told.setdefault((place.order, message), (f"{where}{message}", hint))
        return [told[key] for key in sorted(told, key=lambda key: key[0])]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one of `known` that `name` looks most like, or None."""
    from difflib import get_close_matches

    by_lower = {candidate.lower(): candidate for candidate in known}
    close = get_close_matches(name.lower(), by_lower, n=1)
    return by_lower[close[0]] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A hint naming the nearest of `known`, or None where none is near."""
    near = nearest(name, known)
    return f'did you mean "{near}"?' if near is not None else None


def these_are_there(what: str, known: Iterable[str]) -> str | None:
    """A hint that names all of `known`; None where they are none, or more than one reads."""
    names = sorted(known)
    quoted = [f'"{name}"' for name in names]
    return f"{what} {listing(quoted)}" if 0 < len(names) <= _MOST_LISTED else None


def listing(names: Iterable[str], last: str = "and") -> str:
    """The names as a phrase: `a, b and c`."""
    *front, end = names
    return f"{', '.join(front)} {last} {end}" if front else end


def similar_file(path: str, ending: str = "") -> str | None:
    """A hint naming the file that may have been meant.

    Args:
        path: The path that leads to no file.
        ending: How the file's name ends; "" for the same as in `path`.
    """
    folder, name = os.path.split(path)
    ending = ending or os.path.splitext(name)[1]
    try:
        found = os.listdir(folder or ".")
    except (OSError, ValueError):
        return None
    near = nearest(name, [file for file in found if file.endswith(ending) and file != name])
    return f"did you mean {os.path.join(folder, near)}?" if near is not None else None


def mentions(folder: str, word: str) -> bool:
    """Whether a Python file in a folder, or below it, has a word; of some hundred files."""
    files = (
        os.path.join(inner, name)
        for inner, _, names in os.walk(folder)
        for name in names
        if name.endswith(".py")
    )
    for file in islice(files, _MOST_FILES):
        with suppress(OSError), open(file, encoding="utf-8", errors="replace") as opened:
            if word in opened.read():
                return True
    return False
