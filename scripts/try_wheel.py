"""Installs a wheel as anybody would, outside of the source tree, and uses it.

Usage: PYTHON -I scripts/try_wheel.py WHEEL, with the Python that the wheel is for. The environment
is new, and nothing on its PATH builds anything: no cargo, no compiler, no make.
"""

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

WORK = '''\
def score(text, times):
    """How often neighbours are alike, summed over and over."""
    total = 0
    for turn in range(times):
        total += sum(a == b for a, b in zip(text, text[1:])) + turn % 3
    return total
'''
MAIN = """\
import sys

import work

texts = ["orchid" * n for n in range(40)]
for number, text in enumerate(texts):
    print(number, work.score(text, 30))
print("done", file=sys.stderr)
work.score(1, 2)
"""
PLAN = '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n'


class Place:
    """A new environment and a program, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "program"
        self.folder.mkdir()
        for name, text in (("work.py", WORK), ("main.py", MAIN), ("cord.toml", PLAN)):
            (self.folder / name).write_text(text)
        self.bin = folder / "venv" / "bin"
        venv.create(folder / "venv", with_pip=True)
        tools = folder / "tools"
        tools.mkdir()
        self._path = f"{self.bin}:{tools}"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command that the environment has."""
        command = [os.fspath(self.bin / words[0]), *words[1:]]
        kept = {
            name: text for name, text in os.environ.items() if name.startswith(("PIP_", "SSL_"))
        }
        return subprocess.run(
            command,
            cwd=self.folder,
            env={**kept, "PATH": self._path},
            capture_output=True,
            text=True,
            check=False,
        )


def expect(holds: bool, what: str, done: subprocess.CompletedProcess[str]) -> None:
    """End with what a command said where it did not do what it should.

    Raises:
        SystemExit: `holds` is false.
    """
    if not holds:
        words = " ".join(map(str, done.args))
        sys.exit(f"try_wheel: {what}: {words}\n{done.returncode}\n{done.stdout}\n{done.stderr}")
    print(f"  {what}", file=sys.stderr, flush=True)


def use(place: Place, wheel: str) -> None:
    """Install the wheel, and do what its user would do first."""
    done = place.run("python", "-m", "pip", "install", "--quiet", wheel)
    expect(done.returncode == 0, "it installs without a compiler", done)
    done = place.run("cord", "--version")
    expect(done.returncode == 0 and done.stdout.startswith("cord "), "it tells its version", done)
    print("    " + done.stdout.replace("\n", "\n    ").rstrip(), file=sys.stderr)
    done = place.run("python", "-c", "import cord; print('cord', cord.__version__)")
    told = place.run("cord", "--version").stdout.splitlines()[0]
    expect(done.stdout.strip() == told, "cord.__version__ is the same", done)
    plain = place.run("python", "main.py")
    for turn in ("first", "second"):
        done = place.run("cord", "run", "main.py")
        same = (done.stdout, done.stderr, done.returncode) == (
            plain.stdout,
            plain.stderr,
            plain.returncode,
        )
        expect(same, f"a program shows the same, at the {turn} run", done)
    done = place.run("cord", "check", "main.py")
    expect(done.returncode == 0, "cord check finds nothing wrong", done)
    done = place.run("cord", "explain", "main.py")
    expect("ahead:" in done.stdout, "cord explain sees ahead", done)
    done = place.run("cord", "doctor", "--json")
    expect(
        done.returncode == 0 and json.loads(done.stdout)["works"], "cord doctor is content", done
    )


def main() -> None:
    """Tries the wheel that is named."""
    (wheel,) = sys.argv[1:]
    print(f"trying {os.path.basename(wheel)}", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="cord-wheel-") as folder:
        use(Place(Path(folder)), os.path.abspath(wheel))


if __name__ == "__main__":
    main()
