"""Wrong inputs: what is said of each, and that following its hint puts it right.

The hint is taken from what was said. Where it proposes a word, the test puts that word in the place
of the wrong one; where it says what to do, the test does that.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from cord.cli.main import run_command

TABLE = "[remote.work]\n"
PLAN = TABLE + "replicas = 2\npure = true\n"
WIDE = PLAN + "[variants.wide.remote.work]\nreplicas = 3\n"
FILES = {
    "main.py": "import work\n\nprint(work.f(1))\n",
    "work.py": (
        "def f(x):\n    return x + 1\n\n\ndef g(text):\n    return len(text)\n\n\n"
        "class Model:\n    pass\n\n\ndef _own(x):\n    return x\n"
    ),
    "pkg/__init__.py": "",
    "pkg/deep.py": "def f(x):\n    return x\n",
    "pkg/__main__.py": "import work\n\nprint(work.f(2))\n",
    "sub/other.py": "import work\n\nprint(work.f(3))\n",
    "sub/work.py": "def f(x):\n    return x\n",
    "wide.toml": PLAN,
    "cord.toml": PLAN,
}
BOX = (
    b"class Box:\n    def grow(self):\n        return 2\n\ndef f(x):\n    return Box().grow() + x\n"
)
CHECK = "check main.py"
# Words that hints propose.
PROPOSED = (
    r'did you mean "(.+)"',
    r"did you mean (.+)\?",
    r"write (.+) without quotes",
    r"write (\[.+\])",
    r"text must be quoted: callstyle = (.+)",
    r"and may call .*(len)",
)


@dataclass(frozen=True)
class Wrong:
    """A wrong input.

    Attributes:
        said: What is wrong, as it is said first.
        hint: How the hint begins.
        plan: The plan.
        words: The command.
        wrong: What the word that the hint proposes is put in place of, in plan and command.
        then_plan: The plan when the hint was followed, where it proposes no word.
        then: The command when the hint was followed.
        files: Other files; None where there is none of that name.
        then_files: The same when the hint was followed.
        folder: Where the command is given.
    """

    said: str
    hint: str
    plan: str | None = PLAN
    words: str = CHECK
    wrong: str = ""
    then_plan: str | None = None
    then: str = ""
    files: dict[str, bytes | None] = field(default_factory=dict)
    then_files: dict[str, bytes] = field(default_factory=dict)
    folder: str = "."


WRONG = {
    # keys of the plan
    "a slip in a key": Wrong(
        "cord.toml:4:1: remote.work.callstlye is not a key",
        'did you mean "callstyle"?',
        PLAN + 'callstlye = "async"\n',
        wrong="callstlye",
    ),
    "a key like nothing else": Wrong(
        "cord.toml:4:1: remote.work.zzz is not a key",
        "[remote.work] may have batch,",
        PLAN + "zzz = 1\n",
        then_plan=PLAN + "batch = 1\n",
    ),
    "a key of a module outside of its table": Wrong(
        "cord.toml:1:1: replicas is not a key",
        '"replicas" belongs in [remote.M]',
        "replicas = 2\n[remote.work]\npure = true\n",
        then_plan=PLAN,
    ),
    "a table without remote": Wrong(
        "cord.toml:1:2: work is not a key",
        "the table of a remote module is [remote.work]",
        "[work]\npure = true\n",
        then_plan="[remote.work]\npure = true\n",
    ),
    "a table in the wrong one": Wrong(
        "cord.toml:4:1: remote.work.assume is not a key",
        "[assume] stands by itself",
        PLAN + "assume.pure = []\n",
        then_plan=PLAN + "[assume]\npure = []\n",
    ),
    "settings of no module": Wrong(
        "cord.toml:2:1: remote.replicas is 2; allowed: a table",
        "the key belongs in a table such as [remote.compare]",
        "[remote]\nreplicas = 2\n",
        then_plan=PLAN,
    ),
    "a dotted name without quotes": Wrong(
        "cord.toml:1:13: remote.pkg.deep is not a key",
        'a module\'s name with dots must be quoted: remote."pkg.deep"; '
        "if deep is a function of pkg, its table is remote.pkg.functions.deep",
        "[remote.pkg.deep]\n",
        then_plan='[remote."pkg.deep"]\n',
    ),
    "a function's settings in the wrong table": Wrong(
        "cord.toml:4:14: remote.work.f is not a key",
        'a module\'s name with dots must be quoted: remote."work.f"; '
        "if f is a function of work, its table is remote.work.functions.f",
        PLAN + "[remote.work.f]\npure = true\n",
        then_plan=PLAN + "[remote.work.functions.f]\npure = true\n",
    ),
    "a slip inside lookahead": Wrong(
        "cord.toml:4:11: remote.work.lookahead.call is not a key",
        'did you mean "calls"?',
        PLAN + "lookahead.call = 10\n",
        wrong=".call ",
    ),
    # values
    "a number in quotes": Wrong(
        'cord.toml:2:12: remote.work.replicas is "2"',
        "write 2 without quotes",
        TABLE + 'replicas = "2"\npure = true\n',
        wrong='"2"',
    ),
    "a truth in quotes": Wrong(
        'cord.toml:2:8: remote.work.pure is "true"',
        "write true without quotes",
        TABLE + 'pure = "true"\n',
        wrong='"true"',
    ),
    "a slip in a value": Wrong(
        'cord.toml:4:13: remote.work.callstyle is "Async"',
        'did you mean "async"?',
        PLAN + 'callstyle = "Async"\n',
        wrong="Async",
    ),
    "a number that is left out": Wrong(
        'cord.toml:4:13: remote.work.callstyle is "async-demand"',
        'n is a whole number from 1 to 1000000: "async-demand(5)"',
        PLAN + 'callstyle = "async-demand"\n',
        then_plan=PLAN + 'callstyle = "async-demand(5)"\n',
    ),
    "a word without quotes": Wrong(
        "cord.toml:4:13: not TOML: not a value",
        'text must be quoted: callstyle = "async"',
        PLAN + "callstyle = async\n",
        wrong="async",
    ),
    "one name for a list": Wrong(
        'cord.toml:4:8: remote.work.only is "f"',
        'write ["f"]',
        PLAN + 'only = "f"\n',
        wrong='"f"',
    ),
    "an empty list": Wrong(
        "cord.toml:4:8: remote.work.only is []",
        "leave the key out to have every public function",
        PLAN + "only = []\n",
        then_plan=PLAN,
    ),
    "a topology with a slip": Wrong(
        'cord.toml:4:12: remote.work.topology is "rign"',
        'did you mean "ring"?',
        PLAN + 'topology = "rign"\noverload = "load >= 2"\n',
        wrong="rign",
    ),
    "a condition that is none": Wrong(
        'cord.toml:5:12: remote.work.overload is "load > lots"',
        'a condition is written as "load >= 10"',
        PLAN + 'topology = "ring"\noverload = "load > lots"\n',
        then_plan=PLAN + 'topology = "ring"\noverload = "load >= 10"\n',
    ),
    "a priority that calls something": Wrong(
        'cord.toml:4:12: remote.work.priority is "lenn(text)"',
        "it calls lenn, and may call abs, len, max",
        PLAN + 'priority = "lenn(text)"\n',
        wrong="lenn",
    ),
    "an engine with a slip": Wrong(
        'cord.toml:5:8: engine.kind is "lokal"',
        'did you mean "local"?',
        PLAN + '[engine]\nkind = "lokal"\n',
        wrong="lokal",
    ),
    "an engine without its hosts": Wrong(
        'cord.toml:5:8: engine.kind is "ssh", but there is no engine.hosts',
        'write for instance hosts = ["node1", "node2"]',
        PLAN + '[engine]\nkind = "ssh"\n',
        then_plan=PLAN + '[engine]\nkind = "ssh"\nhosts = ["node1", "node2"]\n',
    ),
    "a slip in what runs may do": Wrong(
        'cord.toml:5:13: run.speculate is "exakt"',
        'did you mean "exact"?',
        PLAN + '[run]\nspeculate = "exakt"\n',
        wrong="exakt",
    ),
    "an assumed name without its module": Wrong(
        'cord.toml:5:9: item 1 of assume.pure is "helper"',
        "name it with the module that defines it, such as search.helper",
        PLAN + '[assume]\npure = ["helper"]\n',
        then_plan=PLAN + '[assume]\npure = ["work.f"]\n',
    ),
    # names
    "a module with a slip": Wrong(
        "cord.toml:1:9: remote.wrok: there is no module wrok",
        'did you mean "work"?',
        "[remote.wrok]\n",
        wrong="wrok",
    ),
    "a module of a package with a slip": Wrong(
        'cord.toml:1:9: remote."pkg.deap": there is no module pkg.deap',
        'did you mean "pkg.deep"?',
        '[remote."pkg.deap"]\n',
        wrong="pkg.deap",
    ),
    "a pattern of nothing": Wrong(
        'cord.toml:1:9: remote."wrok*": no module',
        'did you mean "work"?',
        '[remote."wrok*"]\n',
        wrong="wrok*",
    ),
    "a function with a slip": Wrong(
        "cord.toml:4:9: remote.work.only: work defines no function ff",
        'did you mean "f"?',
        PLAN + 'only = ["ff"]\n',
        wrong='"ff"',
    ),
    "a function that is like none": Wrong(
        "cord.toml:4:9: remote.work.only: work defines no function qqqq",
        'work has "f" and "g"',
        PLAN + 'only = ["qqqq"]\n',
        then_plan=PLAN + 'only = ["f"]\n',
    ),
    "a module that is like none": Wrong(
        "cord.toml:1:9: remote.zzzz: there is no module zzzz",
        "modules there: ",
        "[remote.zzzz]\npure = true\n",
        then_plan=PLAN,
    ),
    "a module by its file": Wrong(
        'cord.toml:1:9: remote."work.py": there is no module work.py',
        'did you mean "work"?',
        '[remote."work.py"]\n',
        wrong="work.py",
    ),
    "a class with methods": Wrong(
        "cord.toml:4:9: remote.work.only: Box is a class",
        'name its methods: "Box.grow"',
        PLAN + 'only = ["Box", "f"]\n',
        files={"work.py": BOX},
        then_plan=PLAN + 'only = ["Box.grow", "f"]\n',
    ),
    "a class": Wrong(
        "cord.toml:4:9: remote.work.only: Model is a class",
        'leave "Model" out',
        PLAN + 'only = ["Model", "f"]\n',
        then_plan=PLAN + 'only = ["f"]\n',
    ),
    "a private function": Wrong(
        "cord.toml:4:9: remote.work.only: work._own is private",
        'leave "_own" out',
        PLAN + 'only = ["_own", "f"]\n',
        then_plan=PLAN + 'only = ["f"]\n',
    ),
    "a client with a slip": Wrong(
        "cord.toml:4:9: client.mian: there is no module mian",
        'did you mean "main"?',
        PLAN + '[client.mian.remote.work]\ncallstyle = "sync"\n',
        wrong="mian",
    ),
    "a client's module with a slip": Wrong(
        "cord.toml:4:21: client.main.remote.wrok: wrok is not a remote module",
        'did you mean "work"?',
        PLAN + '[client.main.remote.wrok]\ncallstyle = "sync"\n',
        wrong="wrok",
    ),
    "a variant with a slip": Wrong(
        'cord.toml has no variant "wdie"',
        'did you mean "wide"?',
        WIDE,
        "check --variant wdie main.py",
        wrong="wdie",
    ),
    "a variant where there are none": Wrong(
        'cord.toml has no variant "fast"; it has none',
        "a variant says what is other than in the rest of the file",
        words="check --variant fast main.py",
        then_plan=PLAN + "[variants.fast.remote.work]\nreplicas = 4\n",
    ),
    # what contradicts itself
    "replicas of functions with state": Wrong(
        "cord.toml:2:12: remote.work.replicas is 2, but the functions of work are not declared",
        "set pure = true if the functions have no effects",
        TABLE + "replicas = 2\n",
        then_plan=PLAN,
    ),
    "pure and independent": Wrong(
        "cord.toml:4:15: remote.work.independent is true, but so is remote.work.pure",
        "take out pure where functions have effects",
        PLAN + "independent = true\n",
        then_plan=TABLE + "replicas = 2\nindependent = true\n",
    ),
    "inside without pure": Wrong(
        "cord.toml:2:10: remote.work.inside is true, but not all functions",
        "the module's own code would not see what calls leave in a replica; set pure = true",
        TABLE + "inside = true\n",
        then_plan=PLAN + "inside = true\n",
    ),
    "settings of a function that is not remote": Wrong(
        "cord.toml:5:11: remote.work.functions.g has settings, but g is not remote",
        'add "g" to only, or leave its table out',
        PLAN + 'only = ["f"]\nfunctions.g.pure = true\n',
        then_plan=PLAN + 'only = ["f", "g"]\nfunctions.g.pure = true\n',
    ),
    # files
    "no plan": Wrong(
        "there is no cord.toml in HERE",
        "let cord init write one, or do it, for example:",
        None,
        then_plan='[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n',
    ),
    "a plan above": Wrong(
        "there is no cord.toml in HERE/sub",
        "name the one above it: -c ../cord.toml",
        words="check other.py",
        folder="sub",
        then="check -c ../cord.toml other.py",
    ),
    "an empty plan": Wrong(
        "cord.toml makes no module remote",
        "for example:",
        "",
        then_plan='[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n',
    ),
    "a plan that is not there": Wrong(
        "the plan wied.toml cannot be read: No such file or directory",
        "did you mean wide.toml?",
        words="check -c wied.toml main.py",
        wrong="wied.toml",
    ),
    "a plan in another encoding": Wrong(
        "cord.toml:1: the plan is not UTF-8 text (byte 0xf6)",
        "save the file in UTF-8",
        None,
        files={"cord.toml": f"# größe\n{PLAN}".encode("latin-1")},
        then_plan=f"# größe\n{PLAN}",
    ),
    "a key twice": Wrong(
        "cord.toml:4:1: not TOML: this key or table is there twice",
        "take one of the two out",
        PLAN + "pure = false\n",
        then_plan=PLAN,
    ),
    "a table without end": Wrong(
        "cord.toml:1:13: not TOML: unclosed table",
        "`]` is missing here",
        "[remote.work\n",
        then_plan="[remote.work]\n",
    ),
    "a value that is missing": Wrong(
        "cord.toml:4:12: not TOML: the value is missing",
        "write one, or take the line out",
        PLAN + "callstyle =\n",
        then_plan=PLAN,
    ),
    "a program with a slip": Wrong(
        "the program mian.py cannot be read: No such file or directory",
        "did you mean main.py?",
        words="check mian.py",
        wrong="mian.py",
    ),
    "a program that is a folder": Wrong(
        "sub is a folder, not a program",
        "name its main file, such as sub/other.py",
        words="check -c cord.toml sub",
        then="check -c cord.toml sub/other.py",
    ),
    "a program that is a package": Wrong(
        "pkg is a folder, not a program",
        "cord check -m pkg",
        words="check pkg",
        then="check -m pkg",
    ),
    "a program that is a plan": Wrong(
        "cord.toml is a plan, not a program",
        "cord check -c cord.toml PROGRAM",
        words="check cord.toml",
        then="check -c cord.toml main.py",
    ),
    "a module that is not there": Wrong(
        "the source of -m mian is not found from HERE",
        'did you mean "main"?',
        words="check -m mian",
        wrong="mian",
    ),
    # the command line
    "a command with a slip": Wrong(
        "chekc is not a command", 'did you mean "check"?', words="chekc main.py", wrong="chekc"
    ),
    "an option with a slip": Wrong(
        "--jsno is not an option of cord check",
        'did you mean "--json"?',
        words="check --jsno main.py",
        wrong="--jsno",
    ),
    "an option before the command": Wrong(
        "-c is not an option that stands before a command",
        'options follow the command; see "cord --help"',
        words="-c cord.toml check main.py",
        then="check -c cord.toml main.py",
    ),
    "another command's option": Wrong(
        "--source is not an option of cord check",
        "it is an option of cord explain",
        words="check --source main.py",
        then="explain --source main.py",
    ),
    "no program": Wrong(
        "cord.toml has no [http], so it is for a program",
        "cord check -c cord.toml PROGRAM",
        words="check",
        then="check main.py",
    ),
    "two programs": Wrong(
        "work.py stands after PROGRAM",
        "usage: cord check [OPTIONS] [PROGRAM]",
        words="check main.py work.py",
        then="check main.py",
    ),
    "an option without its value": Wrong(
        "-c needs a value",
        "write -c FILE",
        words="check main.py -c",
        then="check main.py -c wide.toml",
    ),
    "a setting without a value": Wrong(
        "--set remote.work.replicas: KEY=VALUE is expected",
        "for example --set remote.compare.replicas=8",
        words="check --set remote.work.replicas main.py",
        then="check --set remote.work.replicas=8 main.py",
    ),
    "a setting with a slip": Wrong(
        "--set remote.work.callstyle=asnc: remote.work.callstyle is",
        'did you mean "async"?',
        words="check --set remote.work.callstyle=asnc main.py",
        wrong="asnc",
    ),
    "a shell that is not known": Wrong(
        "tcsh is not a shell that Cord completes for",
        "cord completion bash, cord completion zsh",
        words="completion tcsh",
        then="completion bash",
    ),
}


@pytest.mark.parametrize("one", WRONG.values(), ids=WRONG)
def test_following_the_hint_puts_it_right(
    one: Wrong,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lay_out(tmp_path, one)
    monkeypatch.chdir(tmp_path / one.folder)
    assert run_command(shlex.split(one.words)) == 2
    out, err = capsys.readouterr()
    said, _, hint = err.removeprefix("cord: ").partition("\n\nhint: ")
    assert out == ""
    assert said.replace(str(tmp_path), "HERE").startswith(one.said)
    assert hint.startswith(one.hint)
    follow(tmp_path, one, hint)
    words = one.words.replace(one.wrong, proposed(hint)) if one.wrong else one.then or one.words
    code = run_command(shlex.split(words))
    assert code == 0, capsys.readouterr().err


def lay_out(folder: Path, one: Wrong) -> None:
    files: dict[str, bytes | None] = {name: text.encode() for name, text in FILES.items()}
    files["cord.toml"] = None if one.plan is None else one.plan.encode()
    for name, content in {**files, **one.files}.items():
        if content is not None:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)


def follow(folder: Path, one: Wrong, hint: str) -> None:
    """Change the files as the hint says."""
    if one.then_plan is not None:
        (folder / "cord.toml").write_text(one.then_plan)
    elif one.wrong and one.plan is not None:
        plan = one.plan.replace(one.wrong, kept_signs(one.wrong, proposed(hint)))
        (folder / "cord.toml").write_text(plan)
    for name, content in one.then_files.items():
        (folder / name).write_bytes(content)


def proposed(hint: str) -> str:
    """The word that a hint proposes."""
    for pattern in PROPOSED:
        found = re.match(pattern, hint) or re.search(pattern, hint)
        if found is not None:
            return found[1]
    raise AssertionError(f"no word is proposed: {hint}")


def kept_signs(wrong: str, word: str) -> str:
    """The word in what stood around the wrong one: a dot before it, quotes around it."""
    if wrong[0] == '"' and word[0].isalpha() and not word.startswith("true"):
        return f'"{word}"'
    return f".{word} " if wrong[0] == "." else word


def test_all_hints_of_the_list_are_of_different_kinds() -> None:
    assert len(WRONG) >= 50
    assert len({(one.plan, one.words, one.folder) for one in WRONG.values()}) == len(WRONG) - 1


def test_a_plan_in_a_home_is_no_project_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cord.toml").write_text(PLAN)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "main.py").touch()
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    monkeypatch.chdir(tmp_path / "sub")
    assert run_command(["check", "main.py"]) == 2
    assert "\n\nhint: let cord init write one, or do it, for example:" in capsys.readouterr().err
