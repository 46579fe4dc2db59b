"""`python -m lab.notation`: where the plan goes, what is said, and the exit code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from imported import one_call
from lab.notation.__main__ import main

from cord.plan import read_plan
from cord.plan.program import script

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "lab" / "notation" / "README.md"


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
    assert main(["a.cfg"]) == 0
    assert capsys.readouterr().out == blocks["cord.toml"]


def test_the_plan_goes_to_stdout_and_what_is_said_to_stderr(capsys):
    write(one_call(': callstyle = "asink" : accepts = { float }'))
    assert main(["a.cfg"]) == 1
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
    assert main(["a.cfg"]) == 0
    assert capsys.readouterr().err == ""


def test_output_to_a_file(capsys):
    write(one_call())
    assert main(["-o", "cord.toml", "a.cfg"]) == 0
    assert capsys.readouterr().out == ""
    assert "[remote.scorer]" in Path("cord.toml").read_text()


def test_a_file_that_is_there_is_not_overwritten(capsys):
    write(one_call())
    Path("cord.toml").write_text("mine")
    assert main(["--output=cord.toml", "a.cfg"]) == 2
    assert Path("cord.toml").read_text() == "mine"
    assert capsys.readouterr().err == (
        "cord.toml is there already\n\nhint: remove it, or write to another file\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.cfg"], "the file none.cfg cannot be read: No such file or directory\n"),
        (["."], "the file . cannot be read: Is a directory\n"),
        (["-o", "no/cord.toml", "a.cfg"], "no/cord.toml cannot be written: No such file or"),
    ],
)
def test_what_cannot_be_done(words, said, capsys):
    write(one_call())
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(said)


def test_nothing_else_needs_the_notation_or_its_parser():
    texts = {
        path: path.read_text()
        for folder in ("python", "lab", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
    }
    named = re.compile(r"\b(from|import) (lark|lab\.notation)\b")
    users = {path.parent for path, text in texts.items() if named.search(text)}
    assert users == {ROOT / "lab" / "notation"}


def test_a_file_that_is_not_utf8(capsys):
    write("module größe { }", encoding="latin-1")
    assert main(["a.cfg"]) == 2
    assert capsys.readouterr().err.startswith("a.cfg:1: the file is not UTF-8 text")


def test_a_byte_order_mark(capsys):
    write(one_call(": x"), encoding="utf-8-sig")
    assert main(["a.cfg"]) == 1
    assert "a.cfg:1:63: error: x is not an attribute" in capsys.readouterr().err


@pytest.mark.parametrize("style", ["sync", "async"])
def test_cord_reads_what_was_written(style, folder):
    write(one_call(f': callstyle = "{style}"'))
    main(["-o", "cord.toml", "a.cfg"])
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
    assert main(["a.cfg"]) == 0
    said = capsys.readouterr().err
    assert said.startswith("the output:8:1: note: remote.scorer.only is not a key that Cord knows")
