"""What a key of cord.toml is, and a table of keys."""

from __future__ import annotations

from cord.fixed import Value
from cord.plan import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.values import Reader


class Table:
    """The keys that one kind of table may have.

    Attributes:
        header: How the table is written, with M and F for the names in it.
        keys: Its keys by name.
    """

    __slots__ = ("header", "keys")

    def __init__(self, header: str, *keys: Key) -> None:
        self.header = header
        self.keys = {key.name: key for key in keys}


class Key(Value):
    """One key.

    Attributes:
        name: The key, without the table's name.
        meaning: What it says, in one sentence.
        allowed: The values it accepts, as a phrase.
        default: The value when it is absent, in TOML's notation; None where there is none.
        read: Its reader, for a key that holds a value.
        table: The table it holds.
        tables: The kind of the named tables it holds, for a key such as `remote`.
    """

    name: str
    meaning: str
    allowed: str = "a table"
    default: str | None = None
    read: Reader | None = None
    table: Table | None = None
    tables: Table | None = None


def switch(name: str, meaning: str, default: str = "false") -> Key:
    """A key that is true or false."""
    return Key(name, meaning, allowed="true or false", default=default, read=values.boolean)
