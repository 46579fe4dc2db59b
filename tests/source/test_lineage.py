"""Functions and classes at any depth, and how classes are derived."""

from __future__ import annotations

import ast

from source_lab import definitions_of

from cord.source.definitions import Class, Function
from cord.source.names import Found

SHAPES = """
    import enum
    class Shape:
        KIND = "shape"
        def area(self): return 0
        def name(self): return self.KIND
        @staticmethod
        def unit(): return "m"
        class Corner:
            def angle(self): return 90
    class Colour(enum.Enum):
        RED = 1
"""
MAIN = """
    import shapes
    from shapes import Shape as Base
    class Square(Base):
        def area(self): return 4
    class Big(Square, list): pass
    class Corner(shapes.Shape.Corner): pass
    class Meta(metaclass=shapes.enum.EnumMeta): pass
    def outer(x):
        global SEEN
        SEEN = x
        def inner(): return x
        return [lambda y: y, inner]
    def outer(x): return x
"""


def test_functions_have_names_of_their_own() -> None:
    known = definitions_of(MAIN, shapes=SHAPES)
    own = {name for module, name in known.functions if module == "main"}
    assert own == {
        "<module>",
        "Square.area",
        "outer",
        "outer'",
        "outer.<locals>.inner",
        "outer.<locals>.<lambda>",
    }
    outer = known.functions["main", "outer"]
    inner = known.functions["main", "outer.<locals>.inner"]
    assert inner.parent is outer
    assert outer.parent is None
    assert (outer.locals, outer.globals) == ({"x", "inner"}, {"SEEN"})
    assert inner.name == "inner"
    assert known.functions["shapes", "Shape.area"].is_method
    assert not known.functions["shapes", "Shape.unit"].is_method


def test_what_classes_are_derived_from() -> None:
    known = definitions_of(MAIN, shapes=SHAPES)
    big, square = known.classes["main", "Big"], known.classes["main", "Square"]
    shape = known.classes["shapes", "Shape"]
    assert list(big.lineage()) == [big, square, shape]
    assert big.ancestry() == {"builtins.list"}
    assert known.classes["shapes", "Colour"].ancestry() == {"enum.Enum"}
    assert known.classes["main", "Meta"].ancestry() == {"enum.EnumMeta"}
    corner = known.classes["main", "Corner"]
    assert [one.id for one in corner.bases] == [("shapes", "Shape.Corner")]


def test_what_objects_have() -> None:
    known = definitions_of(MAIN, shapes=SHAPES)
    big, shape = known.classes["main", "Big"], known.classes["shapes", "Shape"]
    area = big.find_method("area")
    assert area is not None
    assert area.id == ("main", "Square.area")
    assert big.find_method("name") is known.functions["shapes", "Shape.name"]
    assert big.find_method("nothing") is None
    assert big.find_attribute("KIND") is shape
    assert [one.id for one in shape.overriding("area")] == [("main", "Square.area")]


def test_what_names_lead_to() -> None:
    known = definitions_of(MAIN, shapes=SHAPES)

    def found(text: str) -> list[object]:
        return [
            (one.kind, one.module, one.name) if isinstance(one, Found) else one.id
            for one in known.resolve("main", ast.parse(text, mode="eval").body)
        ]

    assert found("Base.area") == [("shapes", "Shape.area")]
    assert found("Square.name") == [("shapes", "Shape.name")]
    assert found("shapes.Shape.Corner.angle") == [("shapes", "Shape.Corner.angle")]
    assert found("Square.KIND") == [("variable", "shapes", "Shape.KIND")]
    assert found("Square.nothing") == []
    assert found("outer") == [("main", "outer'"), ("main", "outer")]
    assert found("nothing") == [("unseen", "main", "nothing")]
    assert isinstance(known.of("main", "Square")[0], Class)
    assert isinstance(known.of("main", "outer")[0], Function)
