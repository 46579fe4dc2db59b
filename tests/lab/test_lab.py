"""The lab's policy and pages; nothing is run that need not be installed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from benchmarks.model import Measured, Medians, Result
from lab.common import lessons, network, pictures, presence, report, starting
from lab.common.building import Native, build
from lab.common.lines import lines_of_code
from lab.common.measuring import without_unlike
from lab.common.model import Figure, Paper
from lab.common.places import LAB, PAGE, SHOWN
from lab.common.presence import Need
from lab.common.tables import beside, figure, table
from lab.papers import PAPERS

from benchmarks import page

NOTHING = Medians({})
SVG = "{http://www.w3.org/2000/svg}"
GONE = Need("a system of the past", lambda: False, ("its-package",))
FORMS = [(paper, short) for paper in PAPERS for short in (True, False)]


def measured(name: str, **measures: float) -> Measured:
    return Measured(name, [{key.replace("_", " "): value for key, value in measures.items()}])


def test_what_is_missing_is_named_with_its_packages():
    assert GONE.missing() == "a system of the past is not installed (its-package)"


def test_a_program_whose_system_is_missing_is_not_built(monkeypatch, tmp_path: Path):
    monkeypatch.setattr("lab.common.building.BUILD", tmp_path)
    monkeypatch.setattr("lab.common.building.kernels", lambda: _touching("kernels"))
    lacking = build([_touching("first"), _touching("second", GONE)])
    assert lacking == {"second": "a system of the past is not installed (its-package)"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "kernels"]


def test_a_program_that_cannot_be_compiled_says_why(monkeypatch, tmp_path: Path):
    monkeypatch.setattr("lab.common.building.BUILD", tmp_path)
    monkeypatch.setattr("lab.common.building.kernels", lambda: _touching("kernels"))
    broken = Native("broken", (), (("sh", "-c", "echo no such header >&2; exit 1"),), ())
    assert build([broken]) == {"broken": "sh failed: no such header"}


def _touching(name: str, *needs: Need) -> Native:
    return Native(name, (), (("touch", name),), needs)


def test_who_computes_something_else_has_failed():
    found = without_unlike(
        [
            measured("plain", seconds=2.0, check_10=7.0),
            measured("like it", seconds=1.0, check_10=7.0),
            measured("unlike it", seconds=0.1, check_10=8.0),
        ]
    )
    assert [one.failure for one in found] == [
        None,
        None,
        "it computed something else (check 10)",
    ]
    assert found[2].samples == []


def test_figures_have_three_digits_that_count():
    texts = [figure(0.0123456, 1e3), figure(1234567.0), figure(0.0), figure(None)]
    assert texts == ["12.3", "1,234,567", "0", "-"]
    assert beside("12.3", 4.5) == "12.3 (4.5)"
    assert table(("a", "b"), [("x", "1")]) == ["| a | b |", "|---|--:|", "| x | 1 |", ""]


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("a.c", "/* one\n   two */\nint main(void) {\n\n    return 0; // end\n}\n", 3),
        ("a.py", '"""What it is."""\n\n# why\ndef f():\n    """Twice."""\n    return 1\n', 2),
        ("a.rkt", "#lang racket\n;; why\n(define a 1)\n", 2),
        ("a.erl", "%% why\n-module(a).\n", 1),
        ("cord.toml", "# why\n[remote.a]\npure = true\n\n[variants.b.remote.a]\nreplicas = 1\n", 2),
    ],
)
def test_lines_of_code_are_counted_without_comments(
    tmp_path: Path, name: str, text: str, count: int
):
    path = tmp_path / name
    path.write_text(text)
    assert lines_of_code(path) == count


def test_a_machine_of_the_network_has_a_name_and_an_address():
    assert (network.name(3), network.address(3)) == ("cordlab3", "10.78.0.4")
    assert network.at(3)[-1] == "cordlab3"


def test_figures_need_something_to_draw():
    assert (
        pictures.draw(Figure("none", "None", "x", "y", lambda found: {"Cord": []}), NOTHING) is None
    )


@pytest.mark.parametrize("logarithmic", ["", "x", "y", "xy"])
def test_figures_are_small_and_have_a_line_for_each_system(logarithmic: str):
    lines = {"Cord": [(10.0, 1.0), (1000.0, 20.0)], "CORD (1994)": [(10.0, 40.0)]}
    picture = pictures.draw(
        Figure("a", "A", "bytes", "µs", lambda found: lines, logarithmic), NOTHING
    )
    assert picture is not None and picture.count("\n") < 60
    root = ET.fromstring(picture)
    found = {one.get("class"): one.get("points").split() for one in root.iter(f"{SVG}polyline")}
    assert set(found) == {"cord", "c1 dashed"}
    # the first point is at the left end; the last one at the right end, and higher
    left, low, right, high = map(float, found["cord"])
    assert left == pictures.LEFT and right > left and high < low
    assert {"µs, by bytes", "Cord", "CORD (1994)"} <= {one.text for one in root.iter(f"{SVG}text")}


def test_an_axis_has_round_numbers():
    assert pictures._Axis([3.0, 9.0], False, 0.0).numbered() == [0, 2, 4, 6, 8]
    assert pictures._Axis([3.0, 9000.0], True).numbered() == [10, 100, 1000]
    assert pictures._Axis([3.0, 60.0], True).numbered() == [5, 10, 20, 50]


@pytest.mark.parametrize(("paper", "short"), FORMS, ids=lambda one: getattr(one, "name", str(one)))
def test_every_experiment_is_whole(monkeypatch, tmp_path: Path, paper: Paper, short: bool):
    monkeypatch.setattr("lab.sort.paper.random_numbers", lambda count: tmp_path)
    natives = {native.name for native in paper.natives}
    for experiment in paper.experiments(short):
        names = [one.contender.name for one in experiment.systems]
        assert len(names) == len(set(names))
        assert any(name.startswith(("Cord", "cord")) for name in names)
        for system in experiment.systems:
            assert set(system.native) <= natives
        # where nothing is installed there is a page nevertheless
        assert all("None" not in line for line in experiment.show(Medians({})))


def shown(paper: Paper) -> set[str]:
    figures = [figure for one in paper.experiments(True) for figure in one.figures]
    return {f"{figure.name}.svg" for figure in figures if figure.shown}


def test_the_report_has_few_pictures_and_each_is_there(monkeypatch, tmp_path: Path):
    monkeypatch.setattr("lab.sort.paper.random_numbers", lambda count: tmp_path)
    names = {name for paper in PAPERS for name in shown(paper)}
    assert {path.name for path in SHOWN.iterdir()} == names
    assert set(re.findall(r"!\[.*\]\(pictures/(.*)\)", PAGE.read_text())) == names


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_what_is_not_measured_anew_stays_as_it_stands(monkeypatch, tmp_path: Path, paper: Paper):
    monkeypatch.setattr("lab.sort.paper.random_numbers", lambda count: tmp_path)
    kept = page.between(PAGE.read_text(), paper.name)
    assert report.content(paper, {}, kept).strip() == kept
    _, sections = page.sections(kept, report.LEVEL)
    assert {one.title for one in paper.experiments(True)} < set(sections)


def test_an_experiment_takes_its_own_place_in_the_report(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(report, "PICTURES", tmp_path)
    monkeypatch.setattr(report, "SHOWN", tmp_path / "pictures")
    paper = next(one for one in PAPERS if one.name == "paradigms")
    kept = page.between(PAGE.read_text(), paper.name)
    facts = {"machine": "a machine", "date": "today", "commit": "abc", "load": "0"}
    new = Result("paradigms-stream", 2, facts, [measured("Cord", **{"1000": 7e-6})])
    written = report.content(paper, {"paradigms-stream": new}, kept)
    before, after = page.sections(kept, report.LEVEL)[1], page.sections(written, report.LEVEL)[1]
    assert list(before) == list(after)
    changed = [title for title in before if before[title] != after[title]]
    assert len(changed) == 1 and "2 rounds in turns" in "\n".join(after[changed[0]])
    table = page.between(PAGE.read_text(), lessons.NAME)
    assert lessons.lines(PAPERS, {}, table)[:-1] == table.splitlines()
    cells = [line.split(" | ") for line in lessons.lines(PAPERS, {"paradigms-stream": new}, table)]
    old = [line.split(" | ") for line in table.splitlines()]
    assert (cells[-2][1], cells[-2][2]) == (old[-1][1], "7")  # Cord's row
    assert [row[3:] for row in cells[:-1]] == [row[3:] for row in old]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_every_paper_has_its_place_in_the_report_and_its_own_page(paper: Paper):
    assert page.inserted(PAGE.read_text(), "x", paper.name)
    assert (LAB / paper.name / "README.md").exists()
    for program in paper.programs:
        for file in program.files:
            assert (LAB / file).is_file(), file


def test_the_report_has_a_place_for_what_all_teach():
    assert page.inserted(PAGE.read_text(), "x", "together")


def test_a_page_with_several_markers_is_written_in_the_named_ones():
    text = "a\n<!-- measured: begin one -->\nold\n<!-- measured: end -->\nb\n"
    text += "<!-- measured: begin two -->\nold\n<!-- measured: end -->\nc\n"
    written = page.inserted(text, "new", "two")
    assert written.count("old") == 1 and written.index("old") < written.index("new")


def test_all_papers_have_variants_of_one_plan():
    """Every row of Cord is the same program: none of them imports it."""
    for program in LAB.glob("*/program/*.py"):
        assert not re.search(r"^\s*(import|from) cord\b", program.read_text(), re.MULTILINE)


def test_settings_come_before_the_program():
    command = starting.cord(
        "Cord", "sort/program/main.py", 1, variant="sync", settings=("remote.sorting.replicas=2",)
    ).contender.command
    options = ("--variant", "sync", "--set", "remote.sorting.replicas=2")
    assert command[1:] == ("run", *options, "main.py", "1")


def test_results_tell_their_paper():
    paper = PAPERS[0]
    assert report.file_name(paper, paper.experiments(True)[0]) == "sort-insertion"


def test_needs_that_no_package_brings_say_so():
    for need in (presence.NETWORK, presence.GROUPS):
        assert need.missing() is None or "installed" not in str(need.missing())
