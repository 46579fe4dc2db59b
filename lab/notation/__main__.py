"""Writes the cord.toml that is equal to a file of CORD's: `python -m lab.notation search.cfg`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from cord.errors import CordError
from lab.notation.command import import_notation


def main(words: Sequence[str] | None = None) -> int:
    """Read the command line and the file, write the plan; returns the exit status."""
    parser = argparse.ArgumentParser(prog="lab.notation", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="a file in CORD's module notation")
    told = "the file to write, which must not be there yet; without it, stdout"
    parser.add_argument("-o", "--output", metavar="PLAN", help=told)
    arguments = parser.parse_args(words)
    try:
        return import_notation(arguments.file, arguments.output)
    except CordError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
