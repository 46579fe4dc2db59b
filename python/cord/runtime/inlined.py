"""Where pure calls were made in the program itself, remembered from one run to the next.

A run that has found out that sending loses need not be followed by one that finds it out again.
What is remembered is where to begin; a run goes on measuring.
"""

from __future__ import annotations

from cord import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord._core import RemoteFunction, Site

    # "site", module and number; or "function", module and name
    Place = tuple[str, str, int | str]
    State = tuple[int, int, int]


class Inlined:
    """The places whose calls the program made by itself.

    Args:
        known: Those of an earlier run, each with what was known of it.
    """

    def __init__(self, known: dict[Place, State]) -> None:
        self._known = known
        self._followed: dict[Place, Site | RemoteFunction] = {}

    def follow(self, place: Place, native: Site | RemoteFunction) -> None:
        """A place of this run: it begins as an earlier run has left it."""
        self._followed[place] = native
        state = self._known.get(place)
        if state is not None:
            _core.begin_inlined(native, state)

    def found(self) -> dict[Place, State] | None:
        """What is to be remembered; None where it is what was known.

        A place that this run did not come to stays as it was.
        """
        states = {place: _core.inlined_state(one) for place, one in self._followed.items()}
        self._followed.clear()  # what main scripts define lives no longer than plain Python lets it
        now = {place: state for place, state in states.items() if state is not None}
        now.update((place, state) for place, state in self._known.items() if place not in states)
        return now if now.keys() != self._known.keys() else None
