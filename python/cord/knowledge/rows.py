"""A row: all that is known of one function or method."""

from __future__ import annotations

from cord.fixed import Value

# What a function does besides computing a value.
PRINTS = "prints"  # carried with the reply, so no effect in the sense of rule 2
CLOCK = "clock"
RANDOM = "random"
ENVIRONMENT = "environment"
READS_FILES = "reads files"
WRITES_FILES = "writes files"
NETWORK = "network"
STDIN = "stdin"
PROCESS = "process"
SETTINGS = "settings"  # reads a setting of a library: logging, decimal, locale, ...
SETS = "sets"  # changes one

_CONTAINERS = frozenset("list tuple set frozenset dict bytearray".split())

FIRST, SECOND = slice(0, 1), slice(1, 2)
EVERY, OTHERS = slice(0, None), slice(1, None)
SELF = (-1,)


class Row(Value):
    """What a function or a method of a library does.

    Attributes:
        gives: What it returns: "const", "fresh" (made of its arguments), "pairs" (an iterator
            over tuples of their items), "item" (one of their items), "same" (an argument, or a
            window on it), "deep" (shares nothing with them), "sum" (their items put
            together), "maker" (something that makes what it is called with), or a type.
        effects: What else it does: some of the words above.
        changes: The arguments that it changes, by position; -1 is the object of a method.
        walks: Which of its arguments it takes items from, and does nothing else with.
        calls: The argument that it calls for what it walks, by position or name.
        ahead: Whether scouts run it; None where the rule for its module or type decides.
        looks: What a method that changes its object looks at: "nothing", "key" (its first
            argument), "items" (of a container), "pairs" (of a dict), "own" (what is in the
            object) or "all".
        puts: What it puts into its object as it is: "last" (its last argument), "items" (those of
            its argument), or nothing that it was given.
        end: At which end of a sequence it works, whatever is behind: "front", or "back" if it adds
            there and does nothing else.
        shallow: Whether it only passes on what is in its arguments.
        reads: How many of its arguments it only reads, where others may be filled with results.
        again: Whether what it gives can be walked more than once, which its type does not tell.
        special: Of a function that calls the method of its own name (`len`: `__len__`): "typed" if
            the interpreter looks at what that gives, "free" if that can be anything.
    """

    gives: str = "fresh"
    effects: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()
    walks: slice | None = None
    calls: int | str | None = None
    ahead: bool | None = None
    looks: str = "all"
    puts: str | None = None
    end: str | None = None
    shallow: bool = False
    reads: int | None = None
    again: bool = False
    special: str | None = None

    @property
    def lazy(self) -> bool:
        """Whether it takes items only as its own are asked for."""
        return self.gives in ("iterator", "pairs")

    @property
    def gives_container(self) -> bool:
        """Whether it gives something that can be walked more than once."""
        return self.again or self.gives in _CONTAINERS

    @property
    def keeps_arguments(self) -> bool:
        """Whether what it was given is as it was, then and later."""
        return not self.changes and self.calls is None and not (self.lazy or self.gives == "same")

    @property
    def harmless(self) -> bool:
        """Whether it computes a value, and nothing else comes of it."""
        return not self.effects and not self.changes


CONST, FRESH, ITEM, DEEP = Row("const"), Row(), Row("item"), Row("deep")
LIST, ITERATOR = Row("list"), Row("iterator")
GROWS, TAKES = Row("const", changes=SELF), Row("item", changes=SELF)
BLIND = Row("const", changes=SELF, looks="nothing")
PUTS = Row("const", changes=(0,))
MAKER = Row("maker", ahead=False)


def rows(texts: dict[str, Row]) -> dict[str, Row]:
    """A row for each name. Names with one row share a text: `"json: dumps os.path: join split"`."""
    found = {}
    for text, row in texts.items():
        prefix = ""
        for name in text.split():
            if name.endswith(":"):
                prefix = f"{name[:-1]}."
            else:
                found[prefix + name] = row
    return found


def by_type(texts: dict[str, Row]) -> dict[str, dict[str, Row]]:
    """The rows of methods, which stand behind the names of their types."""
    found: dict[str, dict[str, Row]] = {}
    for dotted, row in rows(texts).items():
        type_name, _, method = dotted.rpartition(".")
        found.setdefault(type_name, {})[method] = row
    return found
