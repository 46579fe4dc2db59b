"""The documentation's example does what its page says; and the page /docs works in a browser."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from web_lab import Serve, Server

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "serve.md").read_text()
FILE = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"^\$ (curl [^\n]*)\n([^\n]*)$", re.MULTILINE)
FILES = dict(FILE.findall(PAGE))


def test_what_the_page_types_gives_what_it_shows(serve: Serve) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    server = serve(FILES["work.py"], FILES["cord.toml"])
    typed = TYPED.findall(PAGE)
    assert len(typed) == 4
    for command, shown in typed:
        words = shlex.split(command.replace("8080", str(server.port)))
        done = subprocess.run(as_older(words), capture_output=True, text=True, check=True)
        assert done.stdout == shown, command


def as_older(words: list[str]) -> list[str]:
    """The same for a curl before 7.82, which has no `--json`."""
    if "--json" not in words:
        return words
    at = words.index("--json")
    return [*words[:at], "-H", "content-type: application/json", "-d", *words[at + 1 :]]


def browser() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("there is no chromium")
    return found


def test_the_page_of_routes_works_in_a_browser(usual: Server, tmp_path: Path) -> None:
    address = f"http://localhost:{usual.port}/docs#try=/add&a=20&b=3"
    words = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
    done = subprocess.run(
        [browser(), *words, "--virtual-time-budget=8000", "--dump-dom", address],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    shown = done.stdout
    assert "<code>/hello/{name}</code>" in shown
    assert "Greet somebody." in shown
    assert "query, integer, optional" in shown
    assert '"sum": 23' in shown  # it has sent the request that the address names
