"""The functions and classes that are built in; what has no row (`exec`, `globals`) is unknown."""

from __future__ import annotations

from .rows import CONST, EVERY, FIRST, OTHERS, PRINTS, READS_FILES, SECOND, STDIN, Row, rows

_CONST_LEFT = Row("const", ahead=False)

BUILTINS = rows(
    "builtins",
    {
        """abs ascii bin bool chr complex divmod float format hash hex int isinstance issubclass len
        oct ord pow range repr round str type""": CONST,
        "super": Row("same"),
        "slice": Row("const", shallow=True),
        "all any bytes": Row("const", walks=FIRST),
        # what these tell, or make, is of no use to a scout
        """callable hasattr id property staticmethod classmethod object NotImplemented Ellipsis
        __build_class__ exit quit""": _CONST_LEFT,
        "list": Row("list", walks=FIRST, shallow=True),
        "tuple": Row("tuple", walks=FIRST, shallow=True),
        "set": Row("set", walks=FIRST),
        "frozenset": Row("frozenset", walks=FIRST),
        "dict": Row("dict", walks=FIRST),
        "bytearray": Row("bytearray"),
        "sorted": Row("list", walks=FIRST, calls="key"),
        "sum": Row("sum", walks=FIRST),
        "min max": Row("item", walks=FIRST, calls="key"),
        "getattr": Row("item"),
        "next": Row("item", changes=(0,), walks=FIRST),
        "anext": Row("item", changes=(0,)),
        "iter": Row("iterator", walks=FIRST, ahead=False),
        "aiter": Row("iterator", ahead=False),
        "reversed": Row("iterator", shallow=True),
        "map": Row("iterator", walks=OTHERS, calls=0, ahead=False),
        "filter": Row("iterator", walks=SECOND, calls=0, ahead=False),
        "enumerate": Row("pairs", walks=FIRST, shallow=True),
        "zip": Row("pairs", walks=EVERY, shallow=True),
        "memoryview": Row("same", ahead=False),
        "print": Row("const", effects=(PRINTS,)),
        "input": Row("const", effects=(STDIN,)),
        "open": Row("file", effects=(READS_FILES,)),
        "setattr delattr": Row(changes=(0,)),
    },
)
