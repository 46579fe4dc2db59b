"""The examples that are measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.places import ROOT

FOLDER = ROOT / "examples"
PICTURES = ROOT / "build" / "examples"


@dataclass(frozen=True, slots=True)
class Example:
    """An example.

    Attributes:
        name: Its folder.
        program: The file that is run.
        source: The files that a change to many processes would be made in: the program's.
        by_hand: What takes their place in the version written by hand, the first one is run; none
            if there is no such version.
        shown: Whether its page shows its picture, which is then kept beside the page.
    """

    name: str
    program: str = "main.py"
    source: tuple[str, ...] = ("main.py",)
    by_hand: tuple[str, ...] = ()
    shown: bool = False

    @property
    def folder(self) -> Path:
        """Where it is."""
        return FOLDER / self.name

    @property
    def page(self) -> Path:
        """Its own page."""
        return self.folder / "README.md"

    @property
    def picture(self) -> Path:
        """Its picture."""
        return self.folder / "times.svg" if self.shown else PICTURES / f"{self.name}.svg"

    def lines(self, files: tuple[str, ...]) -> int:
        """How many lines of such files are neither empty nor a comment."""
        lines = [line.strip() for file in files for line in self._text(file).splitlines()]
        return sum(bool(line) and not line.startswith("#") for line in lines)

    def _text(self, file: str) -> str:
        text = (self.folder / file).read_text()
        # variants are there to be compared with
        return text.partition("\n[variants.")[0] if file.endswith(".toml") else text


EXAMPLES = (
    Example("dna", "search.py"),
    Example("agents", by_hand=("by_hand.py",), shown=True),
    Example("report"),
    Example("images", by_hand=("by_hand.py", "main.py")),
    Example("montecarlo"),
    Example("crawler"),
    Example("downloads"),
    Example("mandelbrot"),
    Example("matmul"),
    Example("sort", "recursive.py"),
    Example("pipeline"),
)
