"""`cord batch`: calls that go together, layer by layer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from keep.project import RUN, Project

PLAN = (
    "[remote.llm]\nonly = ['ask', 'other']\nrepeatable = true\nkeep = true\n"
    f"[remote.llm.functions.ask]\nsubmit = 'ask_all'\n{RUN.replace('exact', 'likely')}"
)
LLM = """
import os
import signal


def ask(question, style='plain'):
    return f'{style} {question}'.upper()


def other(n):
    return n + 1


def ask_all(calls, id):
    if os.path.exists('broken') and any('AGAIN' in call[0].upper() for call in calls):
        how = open('broken').read()
        if how:
            os.kill(int(how), signal.SIGKILL)
        raise ConnectionError('the service is down')
    with open('sent', 'a') as file:
        print(len(calls), id, sorted(calls)[0], file=file)
    return [ask(*call) for call in calls]
"""
MAIN = """
import os
import llm

if os.path.exists('kill'):
    with open('broken', 'w') as file:
        file.write(str(os.getpid()))
total = 0
for n in range(20):
    answer = llm.ask(f'question {n}', style='short')
    again = llm.ask(f'again {answer}')
    print(llm.other(n), again)
    total += len(again)
print(total)
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A program with two layers."""
    return Project(tmp_path, {"cord.toml": PLAN, "llm.py": LLM, "main.py": MAIN})


def batch(project: Project, *words: str) -> subprocess.CompletedProcess[str]:
    """What the command prints."""
    return subprocess.run(
        [sys.executable, "-m", "cord", "batch", *words, "main.py"],
        cwd=project.folder,
        env={**os.environ},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def layers(run: subprocess.CompletedProcess[str]) -> list[int]:
    """How many calls each layer had, as stderr tells."""
    return list(map(int, re.findall(r"cord: layer \d+: (\d+) calls? of llm.ask", run.stderr)))


def sent(project: Project) -> list[list[str]]:
    """What the function that sends has noted."""
    return [line.split(" ", 2) for line in (project.folder / "sent").read_text().splitlines()]


def test_calls_go_together(project: Project) -> None:
    """In few layers; the output is the plain program's, and the next run asks for nothing."""
    plain = project.plain()
    run = batch(project)
    assert run.stdout == plain, run.stderr
    assert sum(layers(run)) >= 40
    assert len(layers(run)) < 12
    assert [int(count) for count, *_ in sent(project)] == layers(run)
    assert sent(project)[0][2] == "('question 0', 'short')"
    assert (batch(project).stdout, project.cord().stdout) == (plain, plain)
    assert len(sent(project)) == len(layers(run))


def test_what_the_function_prints_is_not_the_programs(project: Project) -> None:
    """Neither now nor when what it has brought is taken from the store."""
    project.edit("llm.py", "    with open('sent'", "    print('sending')\n    with open('sent'")
    plain = project.plain()
    assert batch(project).stdout == plain
    assert project.cord().stdout == plain


def test_it_goes_on_after_a_failure(project: Project) -> None:
    """What has come back is not sent again."""
    plain = project.plain()
    project.write("broken", "")
    run = batch(project)
    assert run.returncode == 1
    assert "ConnectionError: the service is down" in run.stderr
    first = sent(project)
    (project.folder / "broken").unlink()
    run = batch(project)
    assert run.stdout == plain, run.stderr
    questions = [
        line for line in sent(project) if "question 0" in line[2] and "again" not in line[2]
    ]
    assert len(questions) == 1
    assert sent(project)[: len(first)] == first


def test_it_goes_on_after_it_was_killed(project: Project) -> None:
    """By the strictest signal, while a batch is under way."""
    plain = project.plain()
    project.write("kill", "")
    assert batch(project).returncode == -9
    first = sent(project)
    (project.folder / "broken").unlink()
    (project.folder / "kill").unlink()
    run = batch(project)
    assert run.stdout == plain, run.stderr
    calls = sum(int(count) for count, *_ in sent(project)[len(first) :])
    assert calls <= 40 - sum(int(count) for count, *_ in first)


def test_the_same_calls_have_the_same_id(project: Project, tmp_path: Path) -> None:
    """In the same order, whoever collects them."""
    main = "import llm\nfor n in range(9):\n    print(llm.ask(f'question {n}'))\n"
    project.write("main.py", main)
    assert layers(batch(project)) == [9]
    words = [sys.executable, "-m", "cord", "kept", "clear"]
    subprocess.run(words, cwd=project.folder, check=True, capture_output=True)
    assert layers(batch(project)) == [9]
    assert sent(project)[0] == sent(project)[1]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return [1]", "ask_all() was given 3 calls of ask(), and has returned a list of 1"),
        ("return None", "ask_all() was given 3 calls of ask(), and has returned NoneType"),
    ],
)
def test_wrong_results(project: Project, body: str, said: str) -> None:
    """They are errors, and nothing is kept of them."""
    project.write("llm.py", f"def ask(q):\n    return q\n\n\ndef other():\n    pass\n\n\n"
                  f"def ask_all(calls):\n    {body}\n")  # fmt: skip
    project.write("main.py", "import llm\nfor n in range(3):\n    print(llm.ask(n))\n")
    run = batch(project)
    assert run.returncode == 1
    assert said in run.stderr
    assert project.cord().stdout == "0\n1\n2\n"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("submit = 'ask_all'", "batch = 4", "has no function with submit"),
        ("submit = 'ask_all'", "submit = 'ask_none'", "llm defines no function ask_none"),
        ("keep = true", "keep = false", "what ask returns is not kept"),
        ("repeatable = true", "", "declared pure"),
    ],
)
def test_wrong_plans(project: Project, before: str, after: str, said: str) -> None:
    """Each is told."""
    project.edit("cord.toml", before, after)
    run = batch(project)
    assert run.returncode == 2
    assert said in run.stderr, run.stderr
