"""What a copy of the program goes on with where it does not know a value yet.

A value that a call will return is taken to look like the one that the function returned last: that
is its *sample*. Texts and numbers in it are *leaves*. They compute as the sample does, and remember
what they stand for, so that a call which gets one is issued with the true value once that is there.
So do functions of the library that are given one: what they give stands for what they will give.
Where the program's way hangs on a leaf, the copy goes the way of the sample, if such guesses come
true at that place, and waits for the value if not.

Whatever goes wrong here costs time only: the program takes a call of the copy's if it would send
the same.
"""

from __future__ import annotations

from cord.runtime.copies.placeholders import Placeholder
from cord.runtime.travel.faithful import reducers

from . import kinds, lifting, loops, passing, texts, unseen, unwound
from .asking import asking
from .dependents import arrived, depend
from .given import given, taken
from .leaf import Unknown, Unseen, refused
from .leaves import UnknownBytes, UnknownFloat, UnknownInt, UnknownText, stand_in
from .lists import PlainDict, PlainList, UnknownDict, UnknownList
from .nodes import never
from .questions import place as called_at
from .things import UnknownThing
from .unseen import unseen_reply
from .unwound import go_on

__all__ = [
    "Unknown",
    "arrived",
    "asking",
    "called_at",
    "depend",
    "given",
    "go_on",
    "never",
    "stand_in",
    "taken",
    "unseen_reply",
    "watch",
]

_STANDING = {
    *(Unseen, UnknownText, UnknownBytes, UnknownInt, UnknownFloat, UnknownThing),
    *(UnknownList, UnknownDict, PlainList, PlainDict),
}


def watch(guesses: bool, others: int) -> None:
    """In a copy: have the program's questions about what stands for values answered.

    Args:
        guesses: Whether there are leaves among that.
        others: How many other threads the program had, which could end its waits.
    """
    kinds.watch()
    reducers.refuse({Placeholder})
    reducers.update(dict.fromkeys(_STANDING, refused))  # none travels as it lies
    if guesses:
        texts.watch()
        lifting.watch()
        unseen.define()
        passing.begin()
        passing.before_passing[:] = [unwound.hold]
    loops.watch(guesses, others)
