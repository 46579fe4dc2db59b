"""Figures of the examples: what is drawn, and what is written into which page."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from benchmarks.examples.listed import EXAMPLES, FOLDER, Example
from benchmarks.examples.measuring import BY_HAND, Ran, measured
from benchmarks.examples.pages import best, section, with_gain
from benchmarks.examples.picture import draw
from benchmarks.places import ROOT

from benchmarks import page
from cord.plan.variants import PLAIN
from cord.plan.words import BASE
from cord.tools.compare.measure import Measured

SVG = "{http://www.w3.org/2000/svg}"
FACTS = {"machine": "a machine", "python": "3.11.7", "date": "today"}


def took(name: str, seconds: float, replicas: int | None = None) -> Measured:
    return Measured(name, replicas, [seconds] * 3, [seconds] * 3, [0.0] * 3)


def test_each_example_has_a_page_with_markers_and_a_row() -> None:
    readme = (ROOT / "README.md").read_text()
    for example in EXAMPLES:
        assert (example.folder / example.program).exists()
        assert page.inserted(example.page.read_text(), "figures").count("figures") >= 1
        assert with_gain(readme, example, "99.9") != readme  # there is a place for it


def test_every_folder_of_examples_is_told_of() -> None:
    folders = {path.parent.name for path in (ROOT / "examples").glob("*/cord.toml")}
    assert folders == {example.name for example in EXAMPLES} | {"table1", "web"}
    assert all((ROOT / "examples" / name / "README.md").exists() for name in folders)


def test_the_table_has_gains_and_lines_of_code(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "main.py").write_text("a = 1\n\n# why\nb = 2\n")
    (tmp_path / "by_hand.py").write_text("a = 1\nb = 2\nc = 3\n")
    (tmp_path / "cord.toml").write_text("[remote.a]\npure = true\n\n[variants.b]\n")
    monkeypatch.setattr(Example, "folder", tmp_path)
    example = Example("some", by_hand=("by_hand.py",))
    found = [took(PLAIN, 4.0), took(BY_HAND, 2.5), took(BASE, 2.0, 2)]
    lines = section(example, found, FACTS).splitlines()
    assert lines[2:5] == [
        "| `python` |  | 4.00 |  |  | 4.00 | 2 |",
        "| by hand |  | 2.50 | 1.60 | 1.60 to 1.60 | 2.50 | 3 |",
        "| **`cord run`** | 2 | 2.00 | 2.00 | 2.00 to 2.00 | 2.00 | 2 + 2 of the plan |",
    ]
    assert "say little" not in lines[-1]


def test_the_gain_is_that_of_the_plan_or_of_a_better_variant() -> None:
    plain, base = took(PLAIN, 4.0), took(BASE, 2.5, 2)
    assert best([plain, took(BY_HAND, 1.0), base, took("sync", 5.0, 1)]) == "1.6"
    assert best([plain, base, took("resident", 2.0, 2)]) == "2.0 (`resident`)"


def test_an_example_without_a_row_is_told() -> None:
    with pytest.raises(ValueError, match="0 rows of other"):
        with_gain("| [dna](examples/dna) | x | y | 1.0 |\n", Example("other"), "2.0")


def test_the_picture_has_bars_and_what_replicas_ran() -> None:
    found = [took(PLAIN, 4.0), took(BASE, 2.0, 2)]
    ran = [
        Ran("main.py:3 f(x)", ("work", 1), 0.5, 1.5, True),
        Ran("main.py:3 f(x)", ("work", 2), 0.5, 1.0, False),
    ]
    root = ET.fromstring(draw("an example", found, ran))
    texts = [one.text for one in root.iter(f"{SVG}text")]
    assert {"python", "cord run", "4.00 s", "2.00 s", "main.py:3 f(x)"} <= set(texts)
    boxes = {
        one.get("class"): float(one.get("width", "0").rstrip("%"))
        for one in root.iter(f"{SVG}rect")
    }
    assert boxes["plain"] == 2 * boxes["cord"]
    assert "c0 vain" in boxes


def test_a_run_without_replicas_has_bars_alone() -> None:
    root = ET.fromstring(draw("an example", [took(PLAIN, 4.0), took(BASE, 4.0, 2)], []))
    assert (
        len([one for one in root.iter(f"{SVG}rect") if one.get("class") in ("plain", "cord")]) == 2
    )


def test_few_examples_show_their_picture_and_it_is_there() -> None:
    shown = {example.name for example in EXAMPLES if example.shown}
    assert {path.parent.name for path in FOLDER.glob("*/*.svg")} == shown
    for example in EXAMPLES:
        told = "![Times of all ways, and what the replicas ran](times.svg)"
        assert (told in example.page.read_text()) == example.shown
        assert (told in section(example, [took(PLAIN, 4.0)], FACTS)) == example.shown


def test_figures_of_a_busy_machine_say_so() -> None:
    busy = Measured(PLAIN, None, [4.0], [4.0], [1.0])
    example = next(one for one in EXAMPLES if not one.by_hand)
    assert section(example, [busy], FACTS).endswith("these figures say little.**")


def test_all_ways_are_measured_and_one_run_is_traced(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "work.py").write_text("def double(x):\n    return 2 * x\n")
    program = "import work\nprint([work.double(x) for x in range(5)])\n"
    (tmp_path / "main.py").write_text(program)
    (tmp_path / "by_hand.py").write_text(program)
    plan = '[remote.work]\ncallstyle = "async"\npure = true\ninline = false\n'
    (tmp_path / "cord.toml").write_text(f"{plan}[variants.two.remote.work]\nreplicas = 2\n")
    monkeypatch.setattr(Example, "folder", tmp_path)
    found, ran = measured(Example("some", by_hand=("by_hand.py",)), rounds=1)
    assert [one.name for one in found] == [PLAIN, BY_HAND, BASE, "two"]
    assert not any(one.unlike for one in found)
    assert [one.place for one in ran] == ["main.py:2 work.double(x)"] * 5
    assert all(one.begin <= one.end for one in ran)
