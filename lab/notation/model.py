"""What a file says, as plain data; nothing of it is judged yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from lab.notation.source import Span, Text


class Name(NamedTuple):
    """A name, and where it stands."""

    text: str
    offset: int


@dataclass(slots=True)
class Setting:
    """`name = value`, a statement or an attribute.

    Attributes:
        name: Its name.
        span: All of it.
        strings: The strings that it holds.
        types: The types, where it holds a set of types.
    """

    name: str
    span: Span
    strings: tuple[Text, ...] = ()
    types: tuple[str, ...] | None = None


@dataclass(slots=True)
class Interface:
    """A `use` or a `define`, with its attributes by name."""

    name: Name
    span: Span
    settings: dict[str, Setting] = field(default_factory=dict)


class Instance(NamedTuple):
    """`instance NAME`."""

    name: Name
    span: Span


@dataclass(slots=True)
class Bind:
    """`bind CLIENT USE SERVER DEFINE`."""

    span: Span
    client: Name
    use: Name
    server: Name
    define: Name


@dataclass(slots=True)
class Module:
    """One module.

    Attributes:
        name: Its name.
        span: All of it.
        source: Its `source` statement.
        place: "local" or "remote"; None where `source` does not say.
        entrypoint: Its `entrypoint` statement.
        uses: What it calls, by name.
        defines: What it serves, by name.
        instances: The modules that it holds, by name.
        binds: Which use goes to which define.
    """

    name: Name
    span: Span
    source: Setting | None = None
    place: str | None = None
    entrypoint: Setting | None = None
    uses: dict[str, Interface] = field(default_factory=dict)
    defines: dict[str, Interface] = field(default_factory=dict)
    instances: dict[str, Instance] = field(default_factory=dict)
    binds: list[Bind] = field(default_factory=list)

    @property
    def holds_instances(self) -> bool:
        """Whether it says what belongs together."""
        return bool(self.instances or self.binds)

    @property
    def is_served(self) -> bool:
        """Whether its functions are remote; where `source` does not say, if it has any."""
        return self.place == "remote" or (self.place is None and bool(self.defines))
