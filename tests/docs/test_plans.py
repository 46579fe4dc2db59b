"""Every plan, or part of one, that a page shows is one that Cord accepts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import DOCS

from cord.cli.main import run_command

PLAN = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MODULE = re.compile(r'^\[(?:remote|client)\.("?)([\w.*]+)\1[].]', re.MULTILINE)
GUESS = re.compile(r'guess = "([\w.]+)\.(\w+)"')
NAMES = re.compile(r'"([\w.]+)"')
PLANS = [
    pytest.param(plan, id=f"{page.relative_to(DOCS)} {number}")
    for page in sorted(DOCS.rglob("*.md"))
    for number, plan in enumerate(PLAN.findall(page.read_text()), 1)
]
PARAMETERS = "pattern=1, b=2"  # what plans name: of functions to which the pages refer


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_is_accepted(
    plan: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not re.search(r"^\[remote", plan, re.MULTILINE):
        plan += "\n[remote.compare]\n"
    only = [
        name for names in re.findall(r"only = \[(.*?)\]", plan) for name in NAMES.findall(names)
    ]
    named = [(module, only) for _, module in MODULE.findall(plan)]
    for module, names in [*named, *((module, [name]) for module, name in GUESS.findall(plan))]:
        path = tmp_path.joinpath(*module.replace("*", "one").split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(module_text(names))
    (tmp_path / "compare.py").write_text(module_text(only))
    (tmp_path / "main.py").write_text("")
    (tmp_path / "cord.toml").write_text(plan)
    monkeypatch.chdir(tmp_path)
    run_command(["check", "main.py"])
    assert "cord.toml:" in capsys.readouterr().out  # the plan was read, and functions looked at


def module_text(only: list[str]) -> str:
    """A module with the functions and methods that a plan names."""
    methods = [name.split(".") for name in only if "." in name]
    lines = [
        f"def {name}({PARAMETERS}): return pattern" for name in {*only, "f"} if "." not in name
    ]
    for kind in {kind for kind, _ in methods}:
        lines.append(f"class {kind}:")
        lines += [f"    def {name}(self): return 1" for owner, name in methods if owner == kind]
    return "\n".join(lines) + "\n"
