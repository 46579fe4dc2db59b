"""Where things are."""

from benchmarks.places import BIN, ROOT

__all__ = ["BIN", "BUILD", "KERNELS", "LAB", "PAGE", "PICTURES", "RESULTS", "ROOT", "SHOWN"]

LAB = ROOT / "lab"
KERNELS = LAB / "kernels"
BUILD = ROOT / "build" / "lab"
PAGE = LAB / "README.md"
RESULTS = BUILD / "results"
PICTURES = BUILD / "pictures"
SHOWN = LAB / "pictures"
