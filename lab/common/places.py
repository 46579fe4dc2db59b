"""Where things are."""

from benchmarks.places import BIN, ROOT

__all__ = ["BIN", "BUILD", "KERNELS", "LAB", "PAGE", "PICTURES", "RESULTS", "ROOT"]

LAB = ROOT / "lab"
KERNELS = LAB / "kernels"
BUILD = ROOT / "build" / "lab"
PAGE = LAB / "README.md"
RESULTS = LAB / "results"
PICTURES = LAB / "pictures"
