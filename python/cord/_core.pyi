"""The private native module: types for what Python uses of it."""

from typing import Any, TypeAlias

# An entry of parsed TOML: kind, value, line, column, key_line, key_column. A table's value is a
# dict of entries, an array's a list of them.
_RawEntry: TypeAlias = tuple[str, Any, int, int, int, int]

def parse_document(text: str) -> dict[str, _RawEntry]: ...
