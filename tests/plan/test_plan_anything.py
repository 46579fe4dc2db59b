"""Whatever the file and the settings hold, there is a plan or a PlanError, never a crash."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from cord.errors import PlanError
from cord.plan import read_variants
from cord.plan.program import script

WORDS = st.sampled_from(
    [
        *("[remote.work]\n", '[remote."work.x"]\n', "[remote.work.x]\n", "[[remote]]\n"),
        *("[remote.work.functions.f]\n", "[assume]\n", "[client.x]\n", "[", "]", "remote.", "."),
        *("[variants.v.remote.work]\n", "[variants.v]\n", "[variants]\n", "v = "),
        *("replicas = ", "callstyle = ", "pure = ", "only = ", "functions = ", " = ", "= "),
        *("true", "2", '"async"', '["f"]', '["a.b", 3]', "{f = {pure = true}}", "{", "}", "1.5"),
        *("\n", "\n", "\r\n", '"ü"', "'''", "# x\n", "1979-05-27", "\ufeff", "\0", ",", "é"),
    ]
)
SETTINGS = st.lists(
    st.sampled_from(
        [
            "remote.work.replicas=",
            "variants.",
            "v.",
            "x",
            "=",
            "remote.",
            "2",
            '"',
            "[",
            "\udc80",
            "\n",
        ]
    ),
    max_size=4,
).map("".join)


@settings(derandomize=True, database=None, max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=14).map("".join), st.lists(SETTINGS, max_size=2))
def test_a_plan_or_a_plan_error(text: str, overrides: list[str]):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "work.py").write_text("def f(): ...\n")
        plan = os.path.join(folder, "cord.toml")
        Path(plan).write_text(text, encoding="utf-8", newline="")
        with suppress(PlanError):
            read_variants(plan, overrides, script(os.path.join(folder, "main.py")), None)
