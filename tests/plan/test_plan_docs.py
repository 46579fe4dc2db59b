"""docs/configuration/keys.md describes the keys that there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from cord.plan import schema
from cord.plan.keys import Key, Table

PAGES = Path(__file__).resolve().parents[2] / "docs" / "configuration"
DOCUMENT = (PAGES / "keys.md").read_text()

TABLES = (
    schema.REMOTE,
    schema.FUNCTION,
    schema.CLIENT_REMOTE,
    schema.RUN,
    schema.ASSUME,
    schema.ENGINE,
    schema.PLAN,
)
KEYS = [(table, key) for table in TABLES for key in table.keys.values()]
VALUES = [(table, key) for table, key in KEYS if key.read is not None]


def section(table: Table) -> str:
    """The part of the page under the table's own heading."""
    return DOCUMENT.split(f"\n## `{table.header}`\n")[1].split("\n## ")[0]


@pytest.mark.parametrize(("table", "key"), VALUES)
def test_each_key_has_a_row_with_its_default(table: Table, key: Key):
    rows = [line for line in section(table).splitlines() if line.startswith(f"| `{key.name}` |")]
    assert len(rows) == 1
    default = key.default if key.default is not None else "none"
    inherited = {schema.FUNCTION: "the module's", schema.CLIENT_REMOTE: "M's"}
    if key.name in schema.REMOTE.keys:
        default = inherited.get(table, default)
    assert default in rows[0].split("|")[3]
