"""The command line: Cord's options stand before PROGRAM, what follows it is the program's."""

from __future__ import annotations

import pytest

from cord.cli.arguments import parse
from cord.errors import CordError


def run(line: str) -> tuple[str | None, list[str], str, list[str]]:
    arguments = parse(["run", *line.split()])
    return arguments.config, arguments.settings, arguments.program, arguments.rest


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("search.py", (None, [], "search.py", [])),
        ("-c a.toml search.py", ("a.toml", [], "search.py", [])),
        ("-ca.toml search.py", ("a.toml", [], "search.py", [])),
        ("--config a.toml search.py", ("a.toml", [], "search.py", [])),
        ("--config=a.toml search.py", ("a.toml", [], "search.py", [])),
        ("--set a=1 --set=b=c search.py", (None, ["a=1", "b=c"], "search.py", [])),
        ("-- -odd.py -c", (None, [], "-odd.py", ["-c"])),
    ],
)
def test_options(line, read):
    assert run(line) == read


@pytest.mark.parametrize("rest", ["-c x", "--set a=b", "--help", "-- x", "--", "run --version -"])
def test_what_follows_the_program_belongs_to_it(rest):
    assert run(f"--set a=1 search.py {rest}") == (None, ["a=1"], "search.py", rest.split())


@pytest.mark.parametrize("line", ["-c a.toml -m pkg.tool -c x", "-ca.toml -mpkg.tool -c x"])
def test_what_follows_a_module_belongs_to_it(line):
    arguments = parse(["run", *line.split()])
    assert arguments.module
    assert (arguments.config, arguments.program, arguments.rest) == (
        "a.toml",
        "pkg.tool",
        ["-c", "x"],
    )
    assert not parse(["run", "pkg.tool", "-m", "x"]).module


def test_a_variant():
    assert parse(["run", "search.py"]).variant is None
    for command in ("run", "check", "explain", "verify"):
        assert parse([command, "--variant", "wide", "search.py"]).variant == "wide"


def test_options_may_follow_what_a_command_works_on_if_nothing_else_does():
    assert parse(["check", "search.py", "-c", "a.toml"]).config == "a.toml"
    read = parse(["explain", "search.py", "--run", "-c", "4"])
    assert (read.run, read.config, read.rest) == (True, "4", [])
    assert parse(["check", "search.py", "--help"]).asks == "help"


def test_source_is_for_explain():
    assert parse(["explain", "--source", "search.py"]).source
    assert not parse(["explain", "search.py"]).source


WRONG = {
    "search.py": "search.py is not a command\n\nhint: cord run search.py",
    "rnu search.py": 'rnu is not a command\n\nhint: did you mean "run"?',
    "zzz search.py": 'zzz is not a command\n\nhint: see "cord --help"',
    "-c a.toml run search.py": (
        "-c is not an option that stands before a command\n\n"
        'hint: options follow the command; see "cord --help"'
    ),
    "run": "PROGRAM is missing after cord run\n\nhint: usage: cord run [OPTIONS] PROGRAM [ARGS...]",
    "run -c": "-c needs a value\n\nhint: write -c FILE",
    "run --sett a=b search.py": (
        '--sett is not an option of cord run\n\nhint: did you mean "--set"?'
    ),
    "run -x search.py": '-x is not an option of cord run\n\nhint: see "cord run --help"',
    "run --source search.py": (
        "--source is not an option of cord run\n\nhint: it is an option of cord explain"
    ),
    "run -m": "-m needs a value\n\nhint: write -m MODULE",
    "run -": (
        "a program cannot be read from standard input\n\n"
        "hint: usage: cord run [OPTIONS] PROGRAM [ARGS...]"
    ),
    "agent": (
        "cord agent takes one of --connect, --stdio and --serve\n\n"
        "hint: usage: cord agent --connect HOST:PORT"
    ),
    "agent --stdio --connect a:1": (
        "cord agent takes one of --connect, --stdio and --serve\n\n"
        "hint: usage: cord agent --connect HOST:PORT"
    ),
    "agent --serve --name a": (
        "--keys is missing after cord agent --serve\n\n"
        "hint: usage: cord agent --serve --keys FILE --name NAME"
    ),
    "agent --serve --ray auto": (
        "--name is missing after cord agent --serve\n\n"
        "hint: usage: cord agent --serve --keys FILE --name NAME"
    ),
    "agent --serve --ray auto --name a --keys b": (
        "cord agent --serve takes one of --keys and --ray\n\n"
        "hint: usage: cord agent --serve --keys FILE --name NAME"
    ),
    "agent --stdio --ray auto": "--ray is for cord agent --serve",
    "agent --stdio --listen 0.0.0.0": "--listen is for cord agent --serve",
    "keys": "FOLDER is missing after cord keys\n\nhint: usage: cord keys [OPTIONS] FOLDER",
    "report -": (
        "the file cannot be read from standard input\n\nhint: usage: cord report [OPTIONS] FILE"
    ),
    "check search.py a.toml": (
        "a.toml stands after PROGRAM, where cord check takes nothing\n\n"
        "hint: usage: cord check [OPTIONS] [PROGRAM]"
    ),
}


@pytest.mark.parametrize(("line", "said"), WRONG.items())
def test_what_makes_no_sense(line, said):
    with pytest.raises(CordError) as caught:
        parse(line.split())
    assert str(caught.value) == said
