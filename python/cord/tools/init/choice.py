"""Which functions are worth being remote, from a profile; and the sets of them to be tried.

Runs nothing, and knows nothing of purity: who asks leaves out what may not be remote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cord.tools.init.profile import MAIN, Function, Profile
from cord.tools.init.profiler import FUNCTION, INSTALLED, METHOD, PROJECT

LEAST_SHARE = 0.15  # of the run; what takes less gains too little
LEAST_EACH = 50e-6  # seconds; to send a call costs about as much
FEWEST = 2  # calls; one alone overlaps with nothing
MOST = 12  # functions that are looked at
MOST_TRIED = 3

SENDING = 60e-6  # seconds for a call with small arguments
_START = 0.05


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function that may be worth being remote.

    Attributes:
        number: Its number in the profile.
        function: What the profile says of it.
        inside: Whether it is worth that only with its module's own calls of it.
        calls: How many calls would be remote.
        seconds: How long these took.
    """

    number: int
    function: Function
    inside: bool
    calls: int
    seconds: float

    @property
    def each(self) -> float:
        """How long one call takes, in seconds."""
        return self.seconds / self.calls


def candidates(profile: Profile, is_public: Callable[[Function], bool]) -> list[Candidate]:
    """The functions that a plan may name and that take enough time, those that take most first.

    Args:
        profile: The profile.
        is_public: Whether a function is one that its module shows.
    """
    found = []
    for number, function in enumerate(profile.functions):
        if not _may_be_named(profile, number) or not is_public(function):
            continue
        one = _candidate(profile, number)
        if one is not None and is_enough(profile, one):
            found.append(one)
    return sorted(found, key=lambda one: -one.seconds)[:MOST]


def is_enough(profile: Profile, one: Candidate) -> bool:
    """Whether calls take enough time, each and together, and are enough to overlap."""
    share = one.seconds / profile.plain
    return one.calls >= FEWEST and one.each >= LEAST_EACH and share >= LEAST_SHARE


def _may_be_named(profile: Profile, number: int) -> bool:
    function = profile.functions[number]
    if function.kind not in (FUNCTION, METHOD) or not function.module:
        return False
    if function.module == MAIN:
        return function.kind == FUNCTION and function.name != "main"
    if function.place == PROJECT:
        return True
    # of a library, what the project itself calls
    callers = (profile.functions[caller] for caller in profile.callers(number))
    return function.place == INSTALLED and any(caller.place == PROJECT for caller in callers)


def _candidate(profile: Profile, number: int) -> Candidate | None:
    function = profile.functions[number]
    calls, seconds = profile.sent(number, inside=False)
    if function.kind == METHOD:  # wherever they are called
        calls, seconds = profile.sent(number, inside=True)
    elif function.module != MAIN and function.place == PROJECT:
        all_calls, all_seconds = profile.sent(number, inside=True)
        if seconds < all_seconds / 2 or calls < FEWEST <= all_calls:
            return Candidate(number, function, True, all_calls, all_seconds)
    return Candidate(number, function, False, calls, seconds) if calls else None


def choices(
    profile: Profile, found: Iterable[Candidate], replicas: int, cost: Callable[[Candidate], float]
) -> list[list[Candidate]]:
    """The sets of functions to be tried, the most promising first.

    No function of a set leads to another one of it. The first set has the outermost functions; in
    each further one those that lead to others make room for these.

    Args:
        profile: The profile.
        found: The functions that may be remote.
        replicas: How many calls can run at once.
        cost: What it takes to encode what a call carries, in seconds.
    """
    left = list(found)
    made = []
    while left:
        outermost = [one for one in left if not any(_leads(profile, o, one) for o in left)]
        made.append(outermost)
        leading = [one for one in outermost if any(_leads(profile, one, o) for o in left)]
        if not leading:
            break
        left = [one for one in left if one not in leading]

    def gain(chosen: list[Candidate]) -> float:
        return sum(_gain(one, replicas, cost(one)) for one in chosen)

    return sorted(made, key=gain, reverse=True)[:MOST_TRIED]


def _leads(profile: Profile, outer: Candidate, inner: Candidate) -> bool:
    """Whether calls of one lead to calls of the other; of two that call each other, the longer."""
    if outer is inner or inner.number not in profile.inner(outer.number):
        return False
    mutual = outer.number in profile.inner(inner.number)
    return not mutual or (outer.seconds, -outer.number) > (inner.seconds, -inner.number)


def _gain(one: Candidate, replicas: int, cost: float) -> float:
    at_once = min(replicas, one.calls)
    return one.seconds * (1 - 1 / at_once) - one.calls * (cost + SENDING) - _START
