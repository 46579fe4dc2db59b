"""The suite that every engine passes. Without `--engine`, a quick part of it on two of them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import engines
from engines import Engine


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        names = engines.chosen(metafunc.config.getoption("engine"))
        if "case" in metafunc.fixturenames and not metafunc.config.getoption("engine"):
            names.remove("local")  # which has all cases in tests/semantics
        metafunc.parametrize("engine", names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    """An engine that is ready for programs."""
    lacking = engines.lacks(request.param)
    if lacking:
        pytest.skip(lacking)
    with engines.started(request.param, tmp_path_factory.mktemp("engine")) as ready:
        yield ready


class Program:
    """A program laid out in a folder, and the engine that it is run on."""

    def __init__(self, project: Any, engine: Engine) -> None:
        self.folder: Path = project.folder
        self._project = project
        self._settings = engine.settings

    def start(self) -> subprocess.Popen[str]:
        """Start it under Cord."""
        process: subprocess.Popen[str] = self._project.start(*self._settings, "main.py")
        return process

    def run(self) -> subprocess.CompletedProcess[str]:
        """Run it under Cord; nothing is left of that."""
        result: subprocess.CompletedProcess[str] = self._project.run(*self._settings, "main.py")
        lines = result.stderr.splitlines(keepends=True)
        result.stderr = "".join(x for x in lines if not x.startswith("cord: waiting for "))
        self.leaves_nothing()
        return result

    def plain(self) -> subprocess.CompletedProcess[str]:
        """Run it with plain Python."""
        result: subprocess.CompletedProcess[str] = self._project.run("main.py", cord=False)
        return result

    def leaves_nothing(self) -> None:
        """No process of it lives on, and no file lies about."""
        assert self._project.left_behind() == []


@pytest.fixture
def program(
    project: Callable[..., Any], engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Program]:
    """Lays a program out: its plan, its main script, and its modules by name."""
    for name, value in engine.environment.items():
        monkeypatch.setenv(name, value)

    def lay_out(plan: str, main: str, **modules: str) -> Program:
        files = {f"{name}.py": text for name, text in modules.items()}
        return Program(project({"cord.toml": plan, "main.py": main, **files}), engine)

    return lay_out
