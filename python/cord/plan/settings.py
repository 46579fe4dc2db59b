"""Settings that are more than one word or number, as plain objects."""

from __future__ import annotations

from cord._core import LOOKAHEAD
from cord.fixed import Value


class Batch(Value):
    """How many calls go into one frame.

    Attributes:
        calls: So many; None where they are not counted.
        size: As many as fit so many bytes of arguments; None where these are not counted. Without
            both, Cord decides by the service times that it measures.
    """

    calls: int | None = None
    size: int | None = None


class Lookahead(Value):
    """How much may be out ahead of the program.

    Attributes:
        calls: Calls issued and not yet taken.
        bytes: Bytes of their arguments, and of replies that wait to be taken.
    """

    calls: int = LOOKAHEAD[0]
    bytes: int = LOOKAHEAD[1]


class Rate(Value):
    """So many starts of calls in so long a time.

    Attributes:
        calls: How many.
        seconds: In how many seconds.
        of: What says so: "" for the module, else the function, or "client NAME". Calls whose rate
            is said by the same keep it together.
    """

    calls: float
    seconds: float
    of: str = ""


class Recycle(Value):
    """When another replica takes the place of one.

    Attributes:
        calls: After so many calls; None where they are not counted.
        bytes: Once it has so much memory; None where that is not measured.
    """

    calls: int | None = None
    bytes: int | None = None


class Hedge(Value):
    """When a call that runs is made a second time.

    Attributes:
        part: Once it takes longer than this part of those before, from 0 to 1; None for a time.
        after: Once it takes longer than so many seconds; None for a part.
    """

    part: float | None = None
    after: float | None = None


class Load(Value):
    """A number of calls that a replica has, begun or not.

    Attributes:
        least: At least so many.
        most: At most so many; None for any number.
    """

    least: int
    most: int | None


class Link(Value):
    """Calls move from one replica to another.

    Attributes:
        sender: The number of the replica that has them, from 0.
        receiver: That of the one which gets them.
        begins: "overload": the sender, while its load is such; "underload": the receiver.
        load: That load.
        share: How much of what waits at the sender moves: so many parts of so many.
    """

    sender: int
    receiver: int
    begins: str
    load: Load
    share: tuple[int, int]


class Migration(Value):
    """How replicas pass queued calls to one another.

    Attributes:
        links: Over which links, and when.
        full: Whether all are linked to all instead, by the next three.
        overload: When a replica sends.
        underload: When a replica asks.
        share: How much of what waits moves.
        start: A share for each replica, by which calls are assigned at first; None for equal ones.
    """

    links: tuple[Link, ...]
    full: bool = False
    overload: Load | None = None
    underload: Load | None = None
    share: tuple[int, int] = (1, 2)
    start: tuple[int, ...] | None = None
