"""What programs with effects hold, and steps with it: `effect_things.txt`, read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Thing:
    """Something that a program has, and steps with it."""

    first: str
    steps: tuple[str, ...]


def _read(text: str) -> dict[str, Thing]:
    things = {}
    for part in text.split("\n== ")[1:]:
        head, _, steps = part.partition("--\n")
        name, _, first = head.partition("\n")
        things[name] = Thing(first.strip(), tuple(steps.strip().splitlines()))
    return things


THINGS = _read(Path(__file__).with_name("effect_things.txt").read_text("utf-8"))
