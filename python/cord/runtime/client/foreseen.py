"""What copies of the program have found out, from one run to the next.

Of questions about values neither they nor the values are kept: digests of the former, and answers
such as a truth value or a small number. What copies have made of the program's text is kept, too.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.kept import Kept
    from cord.runtime.client.session import Session

# So many at most, those of the last run first.
_MOST = 4096
_QUESTION = ("answers",)
_NOTES = ("notes of copies",)


class Foreseen:
    """The answers of earlier runs, and of this one.

    Args:
        kept: Where they are kept; None for nowhere.
    """

    def __init__(self, kept: Kept | None) -> None:
        self._kept = kept
        self._session: Session | None = None

    def tell(self, session: Session) -> None:
        """Tell the copies of a run what is known."""
        self._session = session
        session.foresee(self._known(_QUESTION), self._known(_NOTES))

    def keep(self) -> None:
        """Keep what this run has found out, if that is anything new."""
        if self._kept is None or self._session is None:
            return
        if (notes := self._session.notes) != self._known(_NOTES):
            self._kept[_NOTES] = notes
        known, found = self._known(_QUESTION), self._session.answers
        if any(known.get(question) != answer for question, answer in found.items()):
            both = {**found, **{one: known[one] for one in known if one not in found}}
            self._kept[_QUESTION] = dict(list(both.items())[:_MOST])

    def _known(self, question: tuple[str]) -> dict[Any, Any]:
        if self._kept is None or question not in self._kept:
            return {}
        known: dict[Any, Any] = self._kept[question]
        return known
