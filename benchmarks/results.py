"""The samples of each row's last run on this machine, kept in files below build/."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from benchmarks.model import Measured, Result


def save(result: Result, folder: Path) -> None:
    """Keep a result in place of the row's last one."""
    folder.mkdir(parents=True, exist_ok=True)
    _file(folder, result.name).write_text(json.dumps(asdict(result), indent=1) + "\n")


def load(name: str, folder: Path) -> Result | None:
    """The last result of a row, if there is one."""
    try:
        data = json.loads(_file(folder, name).read_text())
    except FileNotFoundError:
        return None
    measured = [Measured(**one) for one in data.pop("measured")]
    return Result(**data, measured=measured)


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"
