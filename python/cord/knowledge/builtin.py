"""The functions and classes that are built in; what has no row (`exec`, `globals`) is unknown."""

from __future__ import annotations

from .rows import CONST, EVERY, FIRST, OTHERS, PRINTS, READS_FILES, SECOND, STDIN, Row, rows

BUILTINS = rows(
    {
        "builtins: isinstance issubclass ord type": CONST,
        "builtins: ascii bin chr format hex oct range": Row("const", again=True),
        "builtins: bool complex float hash int len": Row("const", special="typed"),
        "builtins: repr str": Row("const", again=True, special="typed"),
        "builtins: abs divmod pow round": Row("const", special="free"),
        "builtins: super": Row("same"),
        "builtins: slice": Row("const", shallow=True),
        "builtins: all any": Row("const", walks=FIRST),
        "builtins: bytes": Row("const", walks=FIRST, again=True, special="typed"),
        # what these tell, or make, is of no use to a scout
        """builtins: callable hasattr id property staticmethod classmethod object NotImplemented
        Ellipsis __build_class__ exit quit""": Row("const", ahead=False),
        "builtins: list": Row("list", walks=FIRST, shallow=True),
        "builtins: tuple": Row("tuple", walks=FIRST, shallow=True),
        "builtins: set": Row("set", walks=FIRST),
        "builtins: frozenset": Row("frozenset", walks=FIRST),
        "builtins: dict": Row("dict", walks=FIRST),
        "builtins: bytearray": Row("bytearray"),
        "builtins: sorted": Row("list", walks=FIRST, calls="key"),
        "builtins: sum": Row("sum", walks=FIRST),
        "builtins: min max": Row("item", walks=FIRST, calls="key"),
        "builtins: getattr": Row("item"),
        "builtins: next": Row("item", changes=(0,), walks=FIRST),
        "builtins: anext": Row("item", changes=(0,)),
        "builtins: iter": Row("iterator", walks=FIRST, ahead=False),
        "builtins: aiter": Row("iterator", ahead=False),
        "builtins: reversed": Row("iterator", shallow=True),
        "builtins: map": Row("iterator", walks=OTHERS, calls=0, ahead=False),
        "builtins: filter": Row("iterator", walks=SECOND, calls=0, ahead=False),
        "builtins: enumerate": Row("pairs", walks=FIRST, shallow=True),
        "builtins: zip": Row("pairs", walks=EVERY, shallow=True),
        "builtins: memoryview": Row("same", ahead=False),
        "builtins: print": Row("const", effects=(PRINTS,)),
        "builtins: input": Row("const", effects=(STDIN,)),
        "builtins: open": Row("file", effects=(READS_FILES,)),
        "builtins: setattr delattr": Row(changes=(0,)),
    }
)
