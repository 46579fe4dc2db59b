"""What a key of cord.toml is, and a table of keys."""

from __future__ import annotations

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

    def supported(self) -> list[str]:
        """The names of the keys that Cord honours."""
        return sorted(key.name for key in self.keys.values() if key.supported)


class Key:
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

    __slots__ = ("allowed", "default", "meaning", "name", "read", "table", "tables")

    def __init__(
        self,
        name: str,
        meaning: str,
        *,
        allowed: str = "a table",
        default: str | None = None,
        read: Reader | None = None,
        table: Table | None = None,
        tables: Table | None = None,
    ) -> None:
        self.name = name
        self.meaning = meaning
        self.allowed = allowed
        self.default = default
        self.read = read
        self.table = table
        self.tables = tables

    @property
    def supported(self) -> bool:
        """Whether Cord honours the key."""
        return not (self.read is None and self.table is None and self.tables is None)
