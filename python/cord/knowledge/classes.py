"""The library's classes: what can be said of their objects, whatever is done with them."""

from __future__ import annotations

# Where Python 3.13 defines the classes of pathlib, which all other versions define in pathlib.
_OF_PATHLIB = frozenset({"pathlib._local", "pathlib._abc"})


def home_of(module: str | None) -> str | None:
    """The module by whose name what is defined in `module` of the library is known here."""
    return "pathlib" if module in _OF_PATHLIB else module


def full_name(cls: type) -> str:
    """The name by which a class is known here."""
    home = home_of(cls.__module__)
    return cls.__name__ if home == "builtins" else f"{home}.{cls.__name__}"


def _names(texts: dict[str, str]) -> frozenset[str]:
    return frozenset(f"{owner}.{name}" for owner, text in texts.items() for name in text.split())


# What is built in, cannot be changed, and has nothing in it but itself.
ATOMS = frozenset("int float str bool bytes complex".split())
# Values that compute and compare as numbers do, and cannot be changed either.
NUMBERS = _names(
    {
        "datetime": "date datetime time timedelta timezone",
        "decimal": "Decimal",
        "fractions": "Fraction",
    }
)
# Values that compare, hash, print and travel without running the program's code.
PLAIN = NUMBERS | _names(
    {
        "uuid": "UUID",
        "pathlib": "PosixPath PurePosixPath",
        "re": "Pattern Match",
        "array": "array",
        "numpy": """ndarray float64 float32 float16 int64 int32 int16 int8 uint64 uint32 uint16
        uint8 bool_ bool complex128 complex64 str_ bytes_""",
    }
)
