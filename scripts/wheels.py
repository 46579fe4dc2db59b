"""Builds what is given out: the sdist, and from it a wheel for each Python and kind of machine.

`make wheels` runs it for this machine. The wheels are linked by Zig against an old C library
(manylinux_2_17), so they load wherever CPython 3.11 does, and for another kind of machine as well.
Each wheel is of one version of Python: the native module reads objects of Python where the stable
interface has only calls, or nothing at all.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, os.fspath(Path(__file__).resolve().parent))
from public_links import make_public

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "wheels"
# The oldest C library for which Rust builds programs.
OLDEST = "manylinux_2_17"
# Where Pythons may be besides on the PATH; what is named 3.11.7 there has its command in bin.
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def run(command: list[str], cwd: Path, **environment: str) -> None:
    """Run a command, its words on stderr.

    Raises:
        SystemExit: It failed.
    """
    print("+", " ".join(command), file=sys.stderr, flush=True)
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | environment, stdout=sys.stderr, check=False
    )
    if done.returncode != 0:
        sys.exit(f"wheels: exit status {done.returncode} from: {' '.join(command)}")


def git(*words: str) -> str:
    """What git says, "" where this is no checkout."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit() -> str:
    """The commit that is built, with a "+" where files differ from it."""
    name = git("rev-parse", "--short=12", "HEAD")
    return name + "+" if name and git("status", "--porcelain") else name


def pythons() -> dict[str, str]:
    """The interpreters of this machine, by version such as 3.11."""
    found = {}
    for version in VERSIONS:
        candidates = [shutil.which(f"python{version}")]
        candidates += [os.fspath(path / "bin" / "python3") for path in PYENV.glob(f"{version}.*")]
        for path in candidates:
            if path is not None and _is_version(path, version):
                found[version] = path
    return found


def _is_version(path: str, version: str) -> bool:
    """A pyenv's stand-in is there also for versions that cannot be run."""
    ask = "import sys; print('%d.%d' % sys.version_info[:2], sys.implementation.name)"
    try:
        done = subprocess.run([path, "-c", ask], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return done.stdout.split() == [version, "cpython"]


def export(links: str) -> Path:
    """A copy of what git knows, its links made public."""
    source = WORK / "source"
    shutil.rmtree(source, ignore_errors=True)
    for name in git("ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    if links:
        make_public(source, links)
    return source


def build_sdist(source: Path, out: Path) -> Path:
    """The sdist; returns it unpacked, for wheels are made of what is given out."""
    run(["maturin", "sdist", "--out", os.fspath(out)], source)
    (archive,) = out.glob("cord_run-*.tar.gz")
    unpacked = WORK / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(archive) as opened:
        opened.extractall(unpacked, filter="data")
    (folder,) = unpacked.iterdir()
    return folder


def build_wheels(folder: Path, out: Path, machines: list[str], found: dict[str, str]) -> None:
    """A wheel for each kind of machine and each version of Python."""
    for machine in machines:
        for version, path in found.items():
            # of another machine's Python only the version is known, and maturin knows the rest
            own = machine == platform.machine()
            run(
                [
                    *("maturin", "build", "--release", "--locked", "--strip", "--zig"),
                    *("--target", f"{machine}-unknown-linux-gnu", "--compatibility", OLDEST),
                    *("--interpreter", path if own else f"python{version}"),
                    *("--out", os.fspath(out)),
                ],
                folder,
                CARGO_TARGET_DIR=os.fspath(ROOT / "target" / "wheels"),
                CORD_COMMIT=commit(),
                PYO3_PYTHON=path,
            )


def main() -> None:
    """Builds, then tries each wheel for this machine's Pythons."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument(
        "--machine", action="append", help="x86_64 or aarch64, more than once; this one without it"
    )
    parser.add_argument(
        "--python", action="append", help="a version such as 3.12; without it, all that are here"
    )
    parser.add_argument(
        "--links", default="", help="the repository's address, for the index's page"
    )
    parser.add_argument("--no-try", action="store_true", help="do not try the wheels")
    options = parser.parse_args()
    found = pythons()
    wanted = options.python or list(found)
    if lacking := [version for version in wanted if version not in found]:
        sys.exit(f"wheels: there is no CPython {', '.join(lacking)} on this machine")
    found = {version: found[version] for version in wanted}
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    folder = build_sdist(export(options.links), options.out)
    build_wheels(folder, options.out, options.machine or [platform.machine()], found)
    built = sorted(map(os.fspath, options.out.iterdir()))
    run([sys.executable, "-m", "twine", "check", "--strict", *built], ROOT)
    for version, path in found.items():
        tag = f"cp{version.replace('.', '')}"
        for wheel in options.out.glob(f"*-{tag}-*{platform.machine()}.whl"):
            if not options.no_try:
                run([path, "-I", "scripts/try_wheel.py", os.fspath(wheel)], ROOT)
    print("\n".join(built))


if __name__ == "__main__":
    main()
