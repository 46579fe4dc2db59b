"""Draws the pictures of the tutorial: `make pictures`.

Each picture `![COMMAND](pictures/NAME.svg)` of docs/tutorial.md shows what COMMAND really prints, in a
terminal, in a folder with the page's files. The commands run in their order. The last picture is that of
the report's page, and needs Chromium.
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
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "tutorial.md"
WIDTH, HEIGHT = 100, 200
FILE = re.compile(r'^```\w+ title="([\w.]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[(.*)\]\((pictures/[\w-]+\.svg)\)")
REPORT = ROOT / "docs" / "pictures" / "report-page.png"
# Rich's own frame asks a server for its font, so this one does not.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines}
</defs>
<rect fill="#1e1e2a" x="1" y="1" width="{terminal_width}" height="{terminal_height}" rx="8"/>
<g transform="translate({terminal_x}, 12)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


def typed(command: str, folder: Path) -> list[Text]:
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
    while select.select([terminal], [], [], 120)[0]:
        try:
            stream.feed(os.read(terminal, 65536))
        except OSError:  # the other end is closed
            break
    os.waitpid(child, 0)
    return [line(screen, row) for row in range(screen.cursor.y + 1)]


def line(screen: pyte.Screen, row: int) -> Text:
    """One row of a terminal, with its colours."""
    text = Text()
    for column in range(WIDTH):
        cell = screen.buffer[row][column]
        colour = "" if cell.fg == "default" else cell.fg.replace("brown", "yellow")
        colour = f"#{colour}" if re.fullmatch("[0-9a-f]{6}", colour) else colour
        text.append(cell.data, style=f"{'bold' if cell.bold else ''} {colour}".strip())
    text.rstrip()
    return text


def draw(command: str, lines: list[Text], picture: Path) -> None:
    """Write what a terminal shows as SVG."""
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w"), force_terminal=True)
    shown, hidden, _ = command.rpartition("; ")  # what prepares is not shown
    console.print(Text.assemble(("$ ", "bold green"), (command if not hidden else _, "bold")))
    while lines and not lines[-1].plain:
        lines.pop()
    for text in lines:
        console.print(text, no_wrap=True, crop=False)
    svg = console.export_svg(title="", code_format=FRAME, unique_id=picture.stem)
    picture.write_text("\n".join(part.rstrip() for part in svg.splitlines()) + "\n")


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


def main() -> None:
    """Draw all pictures anew."""
    text = PAGE.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "essays"
        folder.mkdir()
        for file, body in FILE.findall(text):
            (folder / file).write_text(body)
        typed("cord run essays.py 24", folder)  # what a first run finds out is kept
        for command, picture in PICTURE.findall(text):
            print(command, file=sys.stderr)
            draw(command, typed(command, folder), PAGE.parent / picture)
        photograph(folder / "run.trace.html")


if __name__ == "__main__":
    main()
