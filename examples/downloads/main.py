"""Downloads the files of an archive, with a progress bar, and says what is there."""

import argparse
from pathlib import Path

import fetch
import website

WIDTH = 40


def show(done: int, count: int, name: str) -> None:
    """Draw the progress bar."""
    full = WIDTH * done // count
    print(
        f"\r[{'#' * full}{'.' * (WIDTH - full)}] {done:>3} of {count} {name:<12}",
        end="",
        flush=True,
    )


def main() -> None:
    """Read the command line, start the site, and download the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="how many files to download")
    parser.add_argument("--folder", type=Path, default=Path("files"), help="where to write")
    arguments = parser.parse_args()

    arguments.folder.mkdir(exist_ok=True)
    total = 0
    with website.running() as site:
        for done in range(1, arguments.count + 1):
            name = f"{done:03}.txt"
            total += fetch.download(f"{site}/{name}", arguments.folder / name)
            show(done, arguments.count, name)
    print(f"\n{arguments.count} files, {total} bytes")


if __name__ == "__main__":
    main()
