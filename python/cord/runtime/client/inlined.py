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
    State = tuple[int, int, int, bool]


class Inlined:
    """The places whose calls the program made by itself.

    Attributes:
        known: Those of an earlier run, each with what was known of it.
    """

    def __init__(self, known: dict[Place, State]) -> None:
        self.known = known
        self._followed: dict[Place, Site | RemoteFunction] = {}

    def follow(self, place: Place, native: Site | RemoteFunction) -> None:
        """A place of this run: it begins as an earlier run has left it."""
        self._followed[place] = native
        state = self.known.get(place)
        if state is not None:
            _core.begin_inlined(native, state)

    def shipped(self) -> list[tuple[int, float, float, int]]:
        """By place, the calls that were sent, as `shipped_from` tells."""
        return [_core.shipped_from(one) for one in self._followed.values()]

    def found(self) -> dict[Place, State]:
        """What is to be remembered; just what was known where that is about as it was.

        A place that this run did not come to stays as it was.
        """
        states = {place: _core.inlined_state(one) for place, one in self._followed.items()}
        self._followed.clear()  # what main scripts define lives no longer than plain Python lets it
        now = {place: state for place, state in states.items() if state is not None}
        now.update((place, state) for place, state in self.known.items() if place not in states)
        return now if _kinds(now) != _kinds(self.known) else self.known


def _kinds(states: dict[Place, State]) -> dict[Place, tuple[bool, int]]:
    """What is worth being written: which places, and how much is to be made there."""
    return {
        place: (first, cost if first else calls)
        for place, (calls, _, cost, first) in states.items()
    }
