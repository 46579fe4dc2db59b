"""How a plan is written."""

from __future__ import annotations

import tomllib

from cord.plan.program import script
from cord.plan.words import AUTO
from cord.tools.init.choice import Candidate
from cord.tools.init.evidence import Evidence
from cord.tools.init.profile import Function
from cord.tools.init.proposal import as_file, as_variants, tables


def candidate(module: str, name: str, *, inside: bool = False) -> Candidate:
    return Candidate(
        0, Function(module, name, "", 1, "function", "project", 9, 9.0, 9.0), inside, 9, 9
    )


def test_a_table_for_each_module() -> None:
    chosen = [candidate("a.b", "f"), candidate("__main__", "h"), candidate("a.b", "g")]
    some = tables(script("search.py"), chosen, {}, AUTO)
    plan = tomllib.loads(as_file(["Why."], some))
    same = {"pure": True}
    assert plan == {
        "remote": {"a.b": {**same, "only": ["f", "g"]}, "search": {**same, "only": ["h"]}}
    }


def test_what_is_said_beside_the_lines_is_comment() -> None:
    (table,) = tables(script("x.py"), [candidate("w", "f", inside=True)], {}, 8, resident=True)
    table.notes = {"": "all of it", "pure": "it is " + "very " * 30 + "pure", "only": "9 calls"}
    text = as_file(["A heading " * 20], [table])
    assert max(map(len, text.splitlines())) <= 92
    assert "[remote.w]" in text
    assert tomllib.loads(text)["remote"]["w"] == {
        "replicas": 8,
        "pure": True,
        "only": ["f"],
        "inside": True,
        "resident": "auto",
    }


def test_what_the_user_accepts_is_repeatable_and_what_waits_has_threads() -> None:
    known = {"w.f": Evidence(accepted={"network"})}
    (table,) = tables(script("x.py"), [candidate("w", "f")], known, 8, threads=True)
    plan = tomllib.loads(as_file([], [table]))["remote"]["w"]
    assert plan == {"threads": 8, "repeatable": True, "only": ["f"]}


def test_several_plans_in_one_file() -> None:
    some = tables(script("x.py"), [candidate("w", "f")], {}, 8)
    plans = tomllib.loads(as_variants({"plan1": some, "plan2": some}))["variants"]
    assert plans["plan1"] == plans["plan2"]
    assert plans["plan1"]["remote"]["w"]["only"] == ["f"]
