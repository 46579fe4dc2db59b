"""The DNA example prints the same bytes under `python` and under `cord run`."""

import subprocess
import sys
from pathlib import Path

import pytest

DNA = Path(__file__).resolve().parents[2] / "examples" / "dna"
SMALL_SEARCH = ["search.py", "--queries", "2", "--database", "few.fasta"]


@pytest.fixture
def few_orchids(tmp_path: Path) -> Path:
    """A folder with the program, its plan, and the first eight orchids to search."""
    for name in ("search.py", "compare.py", "cord.toml"):
        (tmp_path / name).write_bytes((DNA / name).read_bytes())
    records = (DNA / "ls_orchid.fasta").read_text().split(">")[1:9]
    (tmp_path / "few.fasta").write_text("".join(">" + record for record in records))
    return tmp_path


def run(folder: Path, *command: str) -> bytes:
    result = subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, timeout=60, check=False
    )
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout


@pytest.mark.parametrize("replicas", [1, 2, 3])
def test_search_prints_the_same_bytes_under_cord(few_orchids: Path, replicas: int) -> None:
    plain = run(few_orchids, *SMALL_SEARCH)
    plan = ["-c", "cord.toml", "--set", f"remote.compare.replicas={replicas}"]
    under_cord = run(few_orchids, "-m", "cord", "run", *plan, *SMALL_SEARCH)
    assert under_cord == plain


def test_search_finds_the_nearest_relatives(few_orchids: Path) -> None:
    lines = run(few_orchids, *SMALL_SEARCH).decode().splitlines()
    assert len(lines) == 1 + 2 * 3
    assert lines[0].split() == ["query", "match", "score", "identity"]
    assert lines[4].split()[:2] == ["Z78532.1", "Z78526.1"]
