"""Records behave as `dataclasses` makes them, as far as they are used."""

from __future__ import annotations

import copy
import dataclasses

import pytest

from cord.source import records


def classes(kit):
    """A few classes made with one of the two."""

    @kit.dataclass(frozen=True, slots=True)
    class Place:
        line: int
        name: str = "?"

    @kit.dataclass(eq=False, slots=True)
    class Node:
        line: int

        def shown(self) -> str:
            return f"{type(self).__name__} {self.line}"

    @kit.dataclass(eq=False, slots=True)
    class Block(Node):
        """With a field that each has for itself."""

        body: list[Node] = kit.field(default_factory=list)
        label: str | None = None

    @kit.dataclass(slots=True)
    class Open:
        names: set[str]

    return Place, Node, Block, Open


def behaviour(kit) -> list[object]:
    place, node, block, opened = classes(kit)
    first, second = block(3), block(4, label="x")
    first.body.append(node(5))
    match second:
        case block(line, body):
            matched = line, body
    copied = copy.copy(first)
    return [
        repr(place(1)).rpartition(".")[2],
        place(1, "a") == place(1, "a"),
        place(1, "a") == place(2, "a"),
        place(1) == 1,
        len({place(1, "a"), place(1, "a"), place(2)}),
        kit.replace(place(1), name="b").name,
        [len(one.body) for one in (first, second, copied)],
        copied == first,
        matched,
        [second.shown(), second.label, node.__name__, block.__doc__],
        opened({"a"}) == opened({"a"}),
        opened.__hash__,
        hasattr(first, "__dict__"),
    ]


def test_they_behave_as_those_of_the_library():
    assert behaviour(records) == behaviour(dataclasses)


@pytest.mark.parametrize("kit", [records, dataclasses])
def test_arguments_are_checked(kit):
    place, node, *_ = classes(kit)
    for made, args in ((place, ()), (place, (1, 2, 3)), (node, ())):
        with pytest.raises(TypeError):
            made(*args)
