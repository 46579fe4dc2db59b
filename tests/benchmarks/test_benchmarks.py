"""The policy of `make bench`, what the figures say, and the page; no peer is run."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.common.timing import median, per_call
from benchmarks.contenders import PEERS
from benchmarks.model import CORD, Claim, Column, Contender, Measured, Result, Row
from benchmarks.peers.peer import Peer
from benchmarks.rounds import Failed, measure, turns
from benchmarks.running import run
from benchmarks.verdicts import medians, verdicts

from benchmarks import bars, page, places, results, rows

ROOT = Path(__file__).resolve().parents[2]
PEER = "another"
SVG = "{http://www.w3.org/2000/svg}"
FACTS = {
    **dict.fromkeys(("date", "commit", "load"), "x"),
    **{"machine": "a machine", "system": "Linux", "python": "3.11", "packages": "cord 1"},
}


def contender(name: str, *words: str) -> Contender:
    return Contender(name, (sys.executable, *words))


def row(*claims: Claim, name: str = "nap", shown: bool = False) -> Row:
    columns = (Column("one call, ms", "seconds", 1e3),)
    contenders = (contender(CORD), contender(PEER))
    return Row(name, f"A {name}", "Of all.", columns, contenders, claims, shown=shown)


def ratio(wanted: float, at_most: bool = True, name: str = "nap") -> Claim:
    return Claim(
        f"{name}, of another's",
        lambda m: m.of(CORD, "seconds") / m.of(PEER, "seconds"),
        wanted,
        at_most,
    )


def measured(name: str, *seconds: float, failure: str | None = None) -> Measured:
    return Measured(name, [{"seconds": each} for each in seconds], failure)


def result(*found: Measured) -> Result:
    return Result("nap", 3, FACTS, list(found))


BOTH = (measured(CORD, 0.3, 0.1, 0.2), measured(PEER, 0.4, 0.9, 0.4))


def test_contenders_take_turns_and_each_round_begins_with_another():
    contenders = tuple(contender(name) for name in "abc")
    order = " ".join(f"{number}{one.name}" for number, one in turns(contenders, 3))
    assert order == "1a 1b 1c 2b 2c 2a 3c 3a 3b"


def test_one_that_fails_is_told_of_and_not_run_again():
    told: list[str] = []
    samples: Iterator[dict[str, float]] = iter([{"seconds": 1.0}, {"seconds": 2.0}])

    def runs(one: Contender) -> dict[str, float]:
        if one.name == PEER:
            raise Failed("No module named 'another'")
        return next(samples)

    found = measure((contender(CORD), contender(PEER)), 2, runs, told.append)
    assert found == [
        measured(CORD, 1.0, 2.0),
        measured(PEER, failure="No module named 'another'"),
    ]
    assert told == [
        "round 1 of 2: Cord: seconds 1",
        "round 1 of 2: another: No module named 'another'",
        "round 2 of 2: Cord: seconds 2",
    ]


def test_a_contender_prints_its_measures_last():
    program = 'print("noise"); print(\'{"seconds": 2}\')'
    sample = run(contender(CORD, "-c", program), None, 60)
    assert sample.pop("process") > 0
    assert sample == {"seconds": 2.0}


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import nothing_like_it", "ModuleNotFoundError: No module named 'nothing_like_it'"),
        ("pass", "it printed no measures"),
        ("raise SystemExit(3)", "exit status 3"),
        ("import os; os.kill(os.getpid(), 9)", "exit status -9"),
    ],
)
def test_why_a_contender_is_not_here(program: str, reason: str):
    with pytest.raises(Failed) as caught:
        run(contender(CORD, "-c", program), None, 60)
    assert str(caught.value) == reason


def test_a_command_that_is_not_there():
    with pytest.raises(Failed, match="no-such-command: No such file"):
        run(Contender(CORD, ("no-such-command",)), None, 60)


def test_figures_are_ratios_of_medians():
    (verdict,) = verdicts(row(ratio(0.5)), medians(list(BOTH)))
    assert verdict.figure == 0.2 / 0.4
    assert verdict.holds


def test_a_bound_is_at_most_or_at_least():
    claims = [ratio(0.49), ratio(0.5), ratio(0.5, at_most=False), ratio(0.51, at_most=False)]
    found = verdicts(row(*claims), medians(list(BOTH)))
    assert [each.holds for each in found] == [False, True, True, False]


def test_what_does_not_hold_or_was_not_measured_says_no():
    claims = row(ratio(0.4))
    lines = page.summary([claims], {"nap": result(*BOTH)})
    assert lines[2] == "| nap, of another's | 0.50 | ≤ 0.4 | **NO** |"
    alone = result(BOTH[0], measured(PEER, failure="it is broken"))
    assert page.summary([claims], {"nap": alone})[2].split(" | ")[1:] == [
        "not measured: another",
        "≤ 0.4",
        "**NO** |",
    ]
    assert "not measured: Cord" in page.summary([claims], {})[2]


def test_the_table_of_a_row_shows_everyone():
    broken = measured("a third", failure="it is broken")
    text = "\n".join(page.section(row(), result(*BOTH, broken), "nap.svg"))
    assert "| **Cord** | 200.0 | 1 | 100.0, 300.0 |" in text
    assert "| another | 400.0 | 2 | 400.0, 900.0 |" in text
    assert "| a third | - | not here | |" in text
    assert "- a third: not here: it is broken" in text
    assert "![A nap](nap.svg)" in text


def test_a_row_of_one_contender_shows_its_measures():
    alone = Row("nap", "A nap", "", row().columns, (contender(CORD),), ())
    text = "\n".join(page.section(alone, result(BOTH[0]), None))
    assert "| one call, ms | 200.0 |" in text
    assert bars.bars(alone, result(BOTH[0])) == [("one call, ms", 200.0)]


def test_bars_are_the_first_measure_of_each():
    assert bars.bars(row(), result(*BOTH)) == [(CORD, 200.0), (PEER, 400.0)]


def test_the_page_is_replaced_between_its_markers_only():
    text = f"before\n{page.BEGIN}\nold\n{page.END}\nafter\n"
    replaced = page.inserted(text, "new")
    assert replaced == f"before\n{page.BEGIN}\n\nnew\n\n{page.END}\nafter\n"
    assert page.inserted(replaced, "new") == replaced
    with pytest.raises(ValueError, match="the page has no"):
        page.inserted("nothing", "new")


def test_figures_are_small_and_their_text_is_text():
    picture = bars.draw(row(), result(*BOTH))
    assert picture is not None and picture.count("\n") < 50
    root = ET.fromstring(picture)
    texts = [one.text for one in root.iter(f"{SVG}text")]
    assert texts == [CORD, "200", PEER, "400", "one call, ms"]
    widths = {one.get("class"): one.get("width") for one in root.iter(f"{SVG}rect")}
    assert float(widths["hand"]) == 2 * float(widths["cord"])
    assert bars.draw(row(), result()) is None


def test_a_figure_of_unlike_values_is_logarithmic():
    picture = bars.draw(row(), result(measured(CORD, 0.001), measured(PEER, 9.0)))
    assert picture is not None and "one call, ms, logarithmic" in picture


NAP, REST = row(ratio(0.4), shown=True), row(ratio(0.9, name="rest"), name="rest")
OLD = page.content([NAP, REST], {"nap": result(*BOTH), "rest": result(*BOTH)}, "", "figures")


def test_a_page_has_machine_judgements_and_sections_in_the_order_of_rows():
    lines = OLD.splitlines()
    assert lines[0] == "Measured (nap, rest) on: a machine; Linux; Python 3.11; cord 1."
    assert [line for line in lines if "another's |" in line] == [
        "| nap, of another's | 0.50 | ≤ 0.4 | **NO** |",
        "| rest, of another's | 0.50 | ≤ 0.9 | yes |",
    ]
    assert [line for line in lines if line.startswith("### ")] == ["### A nap", "### A rest"]
    assert "![A nap](figures/nap.svg)" in lines
    assert "![A rest](figures/rest.svg)" not in lines


def test_rows_that_are_not_measured_anew_stay_as_they_stand():
    assert page.content([NAP, REST], {}, OLD, "figures").strip() == OLD.strip()
    other = Result("rest", 1, {**FACTS, "machine": "another one"}, [measured(CORD, 0.3)])
    new = page.content([NAP, REST], {"rest": other}, OLD, "figures")
    assert "Measured (nap) on: a machine; Linux; Python 3.11; cord 1." in new
    assert "Measured (rest) on: another one; Linux; Python 3.11; cord 1." in new
    assert "| nap, of another's | 0.50 |" in new
    assert "| rest, of another's | not measured: another |" in new
    assert "| another | 400.0 | 2 | 400.0, 900.0 |" in new.partition("### A rest")[0]
    assert "| **Cord** | 300.0 | 1 | 300.0, 300.0 |" in new.partition("### A rest")[2]


def test_rows_that_are_no_more_leave_the_page():
    left = page.content([REST], {}, OLD, "figures")
    assert "A rest" in left and "nap" not in left


def test_results_are_kept_as_they_are(tmp_path: Path):
    found = result(*BOTH, measured("a third", failure="it is broken"))
    assert results.load("nap", tmp_path) is None
    results.save(found, tmp_path)
    assert results.load("nap", tmp_path) == found


def test_the_documented_page_is_what_would_be_written_if_nothing_were_measured():
    kept = page.between(places.PAGE.read_text())
    assert page.content(rows.ROWS, {}, kept, places.SHOWN.name).strip() == kept
    assert set(page.sections(kept, "###")[1]) == {each.title for each in rows.ROWS}


def test_the_pages_have_few_pictures_and_each_is_there():
    assert {path.name for path in places.SHOWN.iterdir()} == {
        f"{each.name}.svg" for each in rows.ROWS if each.shown
    }


def test_claims_are_told_apart_by_their_texts():
    texts = [claim.text for each in rows.ROWS for claim in each.claims]
    assert len(texts) == len(set(texts))


def test_every_row_is_whole():
    names = [each.name for each in rows.ROWS]
    assert len(names) == len(set(names))
    for each in rows.ROWS:
        assert each.claims and each.columns
        assert CORD in [one.name for one in each.contenders]
        contenders = [one.name for one in each.contenders]
        assert len(contenders) == len(set(contenders))


def test_every_claim_can_be_judged_from_what_its_row_measures():
    for each in rows.ROWS:
        keys = {column.measure for column in each.columns} | {"process"}
        samples = [
            Measured(one.name, [{key: 1.0 + place for key in keys}])
            for place, one in enumerate(each.contenders)
        ]
        found = verdicts(each, medians(samples))
        assert [verdict.missing for verdict in found] == [""] * len(each.claims)


def test_every_peer_is_measured_somewhere():
    there = {one.name for each in rows.ROWS for one in each.contenders}
    assert set(PEERS.values()) <= there
    modules = {path.stem for path in (ROOT / "benchmarks" / "peers").glob("*.py")}
    assert set(PEERS) <= modules


def test_calls_are_put_together_by_hand():
    peer = Peer()
    peer.chunk = 3
    assert peer.chunks([1, 2, 3, 4, 5, 6, 7]) == [[1, 2, 3], [4, 5, 6], [7]]


AGENT = """
import socket, sys
host, port = sys.argv[sys.argv.index("--connect") + 1].split(":")
with socket.create_connection((host, int(port))) as link:
    link.sendall(b"hello")
    assert len(link.makefile("rb").read()) == 100_000
"""


def test_what_an_agent_is_sent_is_counted(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        link = ROOT / "benchmarks" / "common" / "counted_link.py"
        counting = subprocess.Popen(
            [sys.executable, link, sys.executable, "-c", AGENT, "--connect", address],
            env={**os.environ, "BENCH_BUILD": str(tmp_path)},
        )
        gateway, _ = listener.accept()
        with gateway:
            assert gateway.recv(5, socket.MSG_WAITALL) == b"hello"
            gateway.sendall(bytes(100_000))
        assert counting.wait(60) == 0
    assert (tmp_path / "link").read_text() == "100000"


def test_a_call_takes_the_median_of_its_batches():
    batches: list[int] = []
    assert per_call(batches.append, 7, seconds=0) >= 0
    assert batches == [7, 7]
    assert (median([3.0, 1.0, 2.0]), median([1.0, 4.0])) == (2.0, 2.5)
