"""`cord` and `python -m cord`."""

from __future__ import annotations

import gc
import sys


def main() -> int:
    """Runs the command line; returns the exit code."""
    # Before any other import: the rest of Cord need not even parse elsewhere.
    if sys.version_info < (3, 11):  # noqa: UP036
        sys.stderr.write(
            "cord: Python 3.11 or newer is needed, and this is Python %d.%d\n"  # noqa: UP031
            % sys.version_info[:2]
        )
        return 2
    if sys.platform != "linux":
        sys.stderr.write("cord: Linux is needed, and this is " + sys.platform + "\n")
        return 2
    collects = gc.isenabled()
    gc.disable()  # what is imported here stays
    from cord import own

    sys.meta_path.insert(0, own.Finder)  # until the program begins
    from cord.cli.main import run_command

    return run_command(sys.argv[1:], collects)


if __name__ == "__main__":
    sys.exit(main())
