"""Draws the pictures of the tutorial: `make pictures`.

Each picture `![COMMAND](pictures/NAME.svg)` of docs/tutorial.md shows what COMMAND really prints in
a terminal, in a folder with the page's files. The commands run in their order. The last picture is
that of the report's page, and needs Chromium.
"""

from __future__ import annotations

import html
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pyte

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "tutorial.md"
WIDTH, HEIGHT = 144, 200
FILE = re.compile(r'^```\w+ title="([\w.]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[(.*)\]\((pictures/[\w-]+\.svg)\)")
REPORT = ROOT / "docs" / "pictures" / "report-page.png"
FONT = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace'
ADVANCE, LEADING, MARGIN = 8.4, 20, 14  # of a letter, of a line, around all; in pixels
BACKGROUND, FOREGROUND, PROMPT = "#1e1e2a", "#d4d4dc", "#7fc97f"
COLOURS = {
    "red": "#ff7b7b",
    "green": "#7fc97f",
    "brown": "#e5c07b",
    "blue": "#7aa2f7",
    "magenta": "#c792ea",
    "cyan": "#7fdbca",
}


class Piece(NamedTuple):
    """Letters of one colour."""

    text: str
    colour: str
    bold: bool


def typed(command: str, folder: Path) -> list[list[Piece]]:
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


def line(screen: pyte.Screen, row: int) -> list[Piece]:
    """One row of a terminal, in pieces of one colour."""
    cells = [screen.buffer[row][column] for column in range(WIDTH)]
    while cells and cells[-1].data == " ":
        cells.pop()
    looks = groupby(cells, lambda cell: (COLOURS.get(cell.fg, FOREGROUND), cell.bold))
    return [Piece("".join(cell.data for cell in same), *look) for look, same in looks]


def draw(command: str, lines: list[list[Piece]], picture: Path) -> None:
    """Write what a terminal shows as SVG."""
    shown = command.rpartition("; ")[2]  # what prepares is not shown
    while lines and not lines[-1]:
        lines.pop()
    lines = [[Piece("$ ", PROMPT, True), Piece(shown, FOREGROUND, True)], *lines]
    columns = max(80, *(sum(len(piece.text) for piece in one) for one in lines))
    width = round(columns * ADVANCE + 2 * MARGIN)
    height = len(lines) * LEADING + 2 * MARGIN
    parts = [
        f'<svg viewBox="0 0 {width} {height}" width="{width}" xmlns="http://www.w3.org/2000/svg">',
        f"<style>text {{ font: 14px {FONT}; white-space: pre }}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>',
    ]
    for row, pieces in enumerate(lines):
        column = 0
        for text, colour, bold in pieces:
            x, y = MARGIN + column * ADVANCE, MARGIN + row * LEADING + 14
            look = f'fill="{colour}"' + (' font-weight="bold"' if bold else "")
            length = f'x="{x:.1f}" y="{y}" textLength="{len(text) * ADVANCE:.1f}"'
            if text.strip():
                parts.append(f"<text {length} {look}>{html.escape(text, quote=False)}</text>")
            column += len(text)
    picture.write_text("\n".join([*parts, "</svg>"]) + "\n")


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
