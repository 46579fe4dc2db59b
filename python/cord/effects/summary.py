"""What is known of one function, for its callers and for the findings."""

from __future__ import annotations

from cord.knowledge.rows import PRINTS, SETTINGS
from cord.source.definitions import FunctionId
from cord.source.records import dataclass, field

from .values import Obj

CHANGES = "changes"  # a parameter, or a variable of the function around
WRITES = "writes"  # a global
READS = "reads"  # a global
REBINDS = "rebinds"  # a variable of the function around
CALLS = "calls"  # what a parameter holds
UNKNOWN_CALL = "unknown"  # something that the analysis cannot see
WALKS = "walks"  # what may be an iterator, and is used up then
LOOKS = "looks"  # something up in what may be a dict that puts in what it lacks
NAMED = "named"  # a method that has no effect where it is a builtin type's; the last step names it
HANDS = "hands"  # what is not known, to a library that may call it or use it up

# What calls write and log comes at the take, and settings of libraries travel with calls.
CARRIED = frozenset({PRINTS, SETTINGS})


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect of a function.

    Attributes:
        kind: One of those above, or one of those of `table`: "clock", "files", ...
        subject: What is changed, written, read or called; for kinds of the table a library name.
        module: The module in which it happens.
        line: The line there.
        how: The code that does it, shortened.
        via: The calls that lead there from the function: (callee, module, line).
        maybe: It depends on a type that is not known, and nothing speaks for it.
    """

    kind: str
    subject: Obj
    module: str
    line: int
    how: str
    via: tuple[tuple[str, str, int], ...] = ()
    maybe: bool = False

    def better_than(self, other: Effect) -> bool:
        """Whether this is the one to tell of the two."""
        return (self.maybe, len(self.via), self.line) < (other.maybe, len(other.via), other.line)


@dataclass(slots=True)
class Summary:
    """All effects of a function, and what it does with the values it is given.

    Attributes:
        effects: By kind and subject.
        returns: What it returns: a path inside the result (the empty one: the result itself), and
            what may be there.
        stores: What it stores outside itself: a variable and path, and what may be there then.
        calls: The project's functions that it calls, with the line of one such call.
        names: The functions and classes of the project that it finds under their names.
        overflow: There was more to note than is kept, or more to follow than is followed; here, or
            in a function that it calls.
    """

    effects: dict[tuple[str, Obj], Effect] = field(default_factory=dict)
    returns: set[tuple[tuple[str, ...], Obj]] = field(default_factory=set)
    stores: dict[tuple[Obj, str, Obj], int] = field(default_factory=dict)
    calls: dict[FunctionId, int] = field(default_factory=dict)
    names: set[FunctionId] = field(default_factory=set)
    overflow: bool = False

    def add(self, effect: Effect) -> None:
        """Notes an effect; of two alike, the one nearer to the function stays."""
        key = (effect.kind, effect.subject)
        old = self.effects.get(key)
        if old is None or effect.better_than(old):
            self.effects[key] = effect

    def size(self) -> tuple[int, ...]:
        """Grows whenever the summary says more than before."""
        sure = sum(not effect.maybe for effect in self.effects.values())
        noted = (len(self.effects), sure, len(self.returns), len(self.stores), len(self.calls))
        return (*noted, self.overflow)
