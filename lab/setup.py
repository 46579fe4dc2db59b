"""Installs the systems of the lab from Debian's packages and builds the native programs.

`make lab-setup`. Without root or network it says what it skips: the lab then leaves those rows out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from lab.common.building import build
from lab.common.presence import INSTALLABLE
from lab.papers import PAPERS


def main() -> int:
    """Install, build, and tell; the exit status is always 0: what is missing is skipped."""
    wanted = sorted({one for need in INSTALLABLE if need.missing() for one in need.packages})
    # what has been found missing is asked for again by another process, which knows nothing yet
    if wanted and (reason := _install(wanted)):
        print(f"not installed: {' '.join(wanted)}: {reason}", file=sys.stderr)
    elif wanted:
        os.execv(sys.executable, [sys.executable, "-m", "lab.setup"])
    lacking = build(native for paper in PAPERS for native in paper.natives)
    for name, reason in lacking.items():
        print(f"skipped: {name}: {reason}", file=sys.stderr)
    return 0


def _install(packages: list[str]) -> str | None:
    """Install packages; why that is impossible, if it is."""
    if shutil.which("apt-get") is None:
        return "there is no apt-get here"
    if os.geteuid() != 0:
        return "that needs root"
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages]
    for command in (["apt-get", "update", "--quiet"], install):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{' '.join(command[:2])} failed: {done.stderr.strip()[-300:]}"
    still = [need.name for need in INSTALLABLE if not need.found()]
    return f"still missing: {', '.join(still)}" if still else None


if __name__ == "__main__":
    sys.exit(main())
