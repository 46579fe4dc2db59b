"""What shells complete, asked of the shells themselves."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from cord.cli.commands import COMMANDS
from cord.cli.completion import script
from cord.cli.main import run_command

# What is typed, and what the shell offers for its last word; folders end with "/".
COMPLETED = {
    "cord ru": {"run"},
    "cord co": {"compare", "completion"},
    "cord run --se": {"--set"},
    "cord run --st": {"--stats"},
    "cord run sea": {"search.py"},
    "cord run -c pl": {"plan.toml"},
    "cord check --config pl": {"plan.toml"},
    "cord run -c plan.toml --va": {"--variant"},
    "cord run -c plan.toml sea": {"search.py"},
    "cord run search.py orc": {"orchids.fasta"},
    "cord run search.py --se": set(),
    "cord check search.py --js": {"--json"},
    "cord report orc": {"orchids.fasta"},
    "cord keys p": {"pictures/"},
    "cord completion f": {"fish"},
    "cord doctor p": set(),
}
IN_BASH = """\
source completion
words=({words})
COMP_WORDS=("${{words[@]}}")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
COMPREPLY=()
_cord
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("search.py", "plan.toml", "orchids.fasta"):
        (tmp_path / name).touch()
    (tmp_path / "pictures").mkdir()
    return tmp_path


def installed(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    return found


def told(words: list[str], folder: Path) -> set[str]:
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    return {line.partition("\t")[0] for line in done.stdout.splitlines() if line}


@pytest.mark.parametrize(("line", "offered"), COMPLETED.items())
def test_bash(folder: Path, line: str, offered: set[str]) -> None:
    (folder / "completion").write_text(script("bash"))
    assert told([installed("bash"), "-c", IN_BASH.format(words=line)], folder) == offered


def test_bash_takes_names_with_spaces_and_signs(folder: Path) -> None:
    (folder / "completion").write_text(script("bash"))
    (folder / "my *search.py").touch()
    line = "cord run my"
    assert told([installed("bash"), "-c", IN_BASH.format(words=line)], folder) == {"my *search.py"}


# fish offers files of any name, and what has been typed of an option's value as such
@pytest.mark.parametrize(
    ("line", "offered"),
    [one for one in COMPLETED.items() if one[0] not in ("cord run search.py --se", "cord keys p")],
)
def test_fish(folder: Path, line: str, offered: set[str]) -> None:
    (folder / "completion").write_text(script("fish"))
    assert told(
        [installed("fish"), "--no-config", "-c", f"source completion; complete -C '{line}'"], folder
    ) == (offered)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("cord ru", "cord run "),
        ("cord run --vari", "cord run --variant "),
        ("cord run sea", "cord run search.py "),
        ("cord run -c pl", "cord run -c plan.toml "),
        ("cord run search.py orc", "cord run search.py orchids.fasta "),
        ("cord keys pic", "cord keys pictures/"),
        ("cord completion fi", "cord completion fish "),
    ],
)
def test_zsh(folder: Path, typed: str, shown: str) -> None:
    (folder / "completion").write_text(script("zsh"))
    assert shown in typed_into_zsh(installed("zsh"), folder, typed, shown)


def typed_into_zsh(zsh: str, folder: Path, typed: str, awaited: str) -> str:
    """What stands in a terminal's last line when Tab has been pressed."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(HOME=str(folder), TERM="vt100", PS1="ready> ", COLUMNS="200")
        os.execv(zsh, [zsh, "-f", "-i"])
    try:
        setup = "autoload -U compinit; compinit -u -D; source ./completion; print rea''dy-now\n"
        os.write(terminal, setup.encode())
        read_until(terminal, "ready-now")
        os.write(terminal, f"{typed}\t".encode())
        return read_until(terminal, awaited)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(terminal)


def read_until(terminal: int, awaited: str) -> str:
    """What the terminal shows, to where this stands in it; or all that comes in ten seconds."""
    shown, end = "", time.monotonic() + 10
    while awaited not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")
            shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\0\x07\x0f]", "", shown)
            shown = re.sub(r".\x08", "", shown)
    return shown


def test_all_commands_and_options_are_completed() -> None:
    for shell in ("bash", "zsh", "fish"):
        text = script(shell)
        for command in COMMANDS.values():
            assert command.name in text
            for option in command.options:
                assert all(name.lstrip("-") in text for name in option.names)


def test_another_shell(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["completion", "tcsh"]) == 2
    assert capsys.readouterr().err == (
        "cord: tcsh is not a shell that Cord completes for\n\n"
        "hint: cord completion bash, cord completion zsh or cord completion fish\n"
    )
