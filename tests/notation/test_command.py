"""`cord import`: where the plan goes, what is said, and the exit code."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from imported import one_call

from cord.cli.main import run_command
from cord.plan import read_plan
from cord.plan.program import script

PAGE = Path(__file__).resolve().parents[2] / "docs" / "import.md"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(text: str, encoding: str = "utf-8") -> None:
    Path("a.cfg").write_text(text, encoding=encoding)


def test_the_example_of_the_page(capsys):
    found = re.findall(r'^```\w+ title="(\S+)"\n(.*?)^```$', PAGE.read_text(), re.M | re.S)
    blocks = dict(found)
    write(blocks["a.cfg"])
    assert run_command(["import", "a.cfg"]) == 0
    assert capsys.readouterr().out == blocks["cord.toml"]


def test_the_plan_goes_to_stdout_and_what_is_said_to_stderr(capsys):
    write(one_call(': callstyle = "asink" : accepts = { float }'))
    assert run_command(["import", "a.cfg"]) == 1
    out, err = capsys.readouterr()
    assert '[remote.scorer]\nonly = ["score"]\n' in out
    assert (
        err
        == """\
a.cfg:1:26: note: the language "C" has no equal: Cord's modules are Python
a.cfg:1:75: error: callstyle is "asink"; allowed: "sync", "async" or "async-demand(N)"
    hint: did you mean "async"?
a.cfg:1:85: note: accepts has no equal: Python functions say their types themselves
a.cfg:2:26: note: the language "C" has no equal: Cord's modules are Python
a.cfg: 1 error, 3 notes
"""
    )


def test_nothing_is_said_of_what_is_equal(capsys):
    write(one_call(': callstyle = "sync"').replace('"C"', '"Python"'))
    assert run_command(["import", "a.cfg"]) == 0
    assert capsys.readouterr().err == ""


def test_output_to_a_file(capsys):
    write(one_call())
    assert run_command(["import", "-o", "cord.toml", "a.cfg"]) == 0
    assert capsys.readouterr().out == ""
    assert "[remote.scorer]" in Path("cord.toml").read_text()


def test_a_file_that_is_there_is_not_overwritten(capsys):
    write(one_call())
    Path("cord.toml").write_text("mine")
    assert run_command(["import", "--output=cord.toml", "a.cfg"]) == 2
    assert Path("cord.toml").read_text() == "mine"
    assert capsys.readouterr().err == (
        "cord: cord.toml is there already\n\nhint: remove it, or write to another file\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.cfg"], "cord: the file none.cfg cannot be read: No such file or directory\n"),
        (["."], "cord: the file . cannot be read: Is a directory\n"),
        (["-o", "no/cord.toml", "a.cfg"], "cord: no/cord.toml cannot be written: No such file or"),
        ([], "cord: FILE is missing after cord import\n\nhint: usage: cord import [OPTIONS] FILE"),
        (["-"], "cord: the file cannot be read from standard input\n"),
        (["a.cfg", "b.cfg"], "cord: b.cfg stands after FILE, where cord import takes nothing\n"),
    ],
)
def test_what_cannot_be_done(words, said, capsys):
    write(one_call())
    assert run_command(["import", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(said)


def test_without_its_parser_it_says_what_to_install(capsys, monkeypatch):
    write(one_call())
    monkeypatch.setitem(sys.modules, "lark", None)
    assert run_command(["import", "a.cfg"]) == 2
    assert capsys.readouterr() == (
        "",
        "cord: cord import needs the parser lark, which is not installed for this Python\n\n"
        'hint: install it with Cord: pip install "cord-run[notation]"\n',
    )


def test_only_the_notation_needs_the_parser():
    package = Path(__file__).resolve().parents[2] / "python" / "cord"
    users = {
        path for path in package.rglob("*.py") if re.search(r"(from|import) lark", path.read_text())
    }
    assert {path.parent for path in users} == {package / "tools" / "notation"}


def test_a_file_that_is_not_utf8(capsys):
    write("module größe { }", encoding="latin-1")
    assert run_command(["import", "a.cfg"]) == 2
    assert capsys.readouterr().err.startswith("cord: a.cfg:1: the file is not UTF-8 text")


def test_a_byte_order_mark(capsys):
    write(one_call(": x"), encoding="utf-8-sig")
    assert run_command(["import", "a.cfg"]) == 1
    assert "a.cfg:1:63: error: x is not an attribute" in capsys.readouterr().err


@pytest.mark.parametrize("style", ["sync", "async"])
def test_cord_reads_what_was_written(style, folder):
    write(one_call(f': callstyle = "{style}"'))
    run_command(["import", "-o", "cord.toml", "a.cfg"])
    Path("scorer.py").write_text("def score(x): ...\ndef other(x): ...\n")
    Path("reader.py").write_text("import scorer\n")
    plan = read_plan(None, [], script("reader.py"))
    score = plan.remote["scorer"].function("score")
    assert (score.callstyle, score.pure) == (style, style == "async")


def test_what_this_version_does_not_accept_is_told(capsys, monkeypatch):
    from cord.plan import schema

    write(one_call().replace('"C"', '"Python"'))
    refused = {key: value for key, value in schema.REMOTE.keys.items() if key != "only"}
    monkeypatch.setattr(schema.REMOTE, "keys", refused)
    assert run_command(["import", "a.cfg"]) == 0
    said = capsys.readouterr().err
    assert said.startswith("the output:8:1: note: remote.scorer.only is not a key that Cord knows")
