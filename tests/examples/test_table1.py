"""Table 1 of CORD's paper: all its strategies draw the same picture. (Their times are no test.)"""

import struct
import subprocess
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = [sys.executable, str(ROOT / "scripts" / "table1.py")]


def test_all_strategies_draw_the_same_picture():
    result = subprocess.run(
        [*TABLE, "--repeat", "1", "--rows", "5"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    begins = ["sync", "async", "type 1", "type 2", "type 3", "async-demand(1)", "ideal"]
    assert all(any(line.startswith(begin) for line in lines) for begin in begins)
    assert lines[-1].startswith("The same picture from all runs")


def test_the_picture_is_a_png_file_finer_than_the_rows(tmp_path: Path):
    program = str(ROOT / "examples" / "table1" / "picture.py")
    words = ["--rows", "4", "--width", "7", "--limit", "9"]
    subprocess.run([sys.executable, program, *words], cwd=tmp_path, check=True)
    data = (tmp_path / "mandelbrot.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (21, 12)
    begin = data.index(b"IDAT") + 4
    (length,) = struct.unpack(">I", data[begin - 8 : begin - 4])
    assert len(zlib.decompress(data[begin : begin + length])) == 12 * (1 + 3 * 21)
