"""Runs what the tutorial runs, and writes what is printed into its page: `make tutorial`.

Each block `console` of docs/tutorial.md begins with a command, and shows what it really prints in a
terminal, in a folder with the page's files. The commands run in their order; a comment
`<!-- first: COMMAND -->` before a block prepares it. The front page shows some of them again. The
picture is that of the report's page, and needs Chromium.
"""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "tutorial.md"
FRONT = ROOT / "docs" / "index.md"
REPORT = ROOT / "docs" / "pictures" / "report-page.png"
WIDTH, HEIGHT = 144, 200
PATIENCE = 600  # seconds in which a command says nothing
FILE = re.compile(r'^```\w+ title="([\w.]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
BLOCK = re.compile(
    r"(?:^<!-- first: (?P<first>.*) -->\n\n)?"
    r"^```console\n\$ (?P<command>.*)\n(?P<shown>(?s:.*?))^```$",
    re.MULTILINE,
)


def typed(command: str, folder: Path) -> str:
    """The lines of a terminal in which a command was typed and has ended."""
    screen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.ByteStream(screen)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        kept["PATH"] = f"{Path(sys.executable).parent}:{kept['PATH']}"
        kept |= {"TERM": "xterm-256color", "COLUMNS": str(WIDTH), "TIMEFORMAT": "\n%1R s"}
        os.execvpe("bash", ["bash", "-c", f"stty cols {WIDTH} rows {HEIGHT}; {command}"], kept)
    while select.select([terminal], [], [], PATIENCE)[0]:
        try:
            stream.feed(os.read(terminal, 65536))
        except OSError:  # the other end is closed
            break
    os.waitpid(child, 0)
    return "".join(f"{line.rstrip()}\n" for line in screen.display).rstrip("\n") + "\n"


def photograph(page: Path) -> None:
    """Take a picture of a page with Chromium, if there is one."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print(f"no Chromium here: {REPORT.name} stays as it is", file=sys.stderr)
        return
    options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1100,900"]
    subprocess.run(
        [chromium, *options, f"--screenshot={REPORT}", page.as_uri()],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )


def filled(block: re.Match[str], shown: str) -> str:
    """A block with what its command prints."""
    return f"{block[0].removesuffix(block['shown'] + '```')}{shown}```"


def main() -> None:
    """Run all commands, and write the pages anew."""
    text, shown = PAGE.read_text(), {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "essays"
        folder.mkdir()
        for file, body in FILE.findall(text):
            (folder / file).write_text(body)
        typed("cord run essays.py 24", folder)  # what a first run finds out is kept

        def run(block: re.Match[str]) -> str:
            command = block["command"]
            print(command, file=sys.stderr)
            if block["first"]:
                typed(block["first"], folder)
            new = typed(command, folder)
            shown.setdefault(command, new)
            return filled(block, new)

        PAGE.write_text(BLOCK.sub(run, text))
        photograph(folder / "run.trace.html")
    front = FRONT.read_text()
    FRONT.write_text(
        BLOCK.sub(lambda one: filled(one, shown.get(one["command"], one["shown"])), front)
    )


if __name__ == "__main__":
    main()
