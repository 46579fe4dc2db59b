"""Makes pictures for the web out of a folder of photographs, and a page that shows them."""

import argparse
from pathlib import Path

import darkroom
import photos


def develop_all(paths: list[Path], gallery: Path, width: int) -> None:
    """Develop each photograph, and say how small its picture is."""
    for path in paths:
        size = darkroom.develop(path, gallery / path.name, width)
        tell(path, size)


def tell(path: Path, size: int) -> None:
    """Say how large a photograph is, and its picture."""
    print(f"{path.name}: {path.stat().st_size // 1024} KiB, now {size // 1024} KiB")


def main() -> None:
    """Read the command line, develop the photographs, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, default=Path("photos"), help="the folder to read")
    parser.add_argument("--gallery", type=Path, default=Path("gallery"), help="where to write")
    parser.add_argument("--count", type=int, default=20, help="photographs to make if none are")
    parser.add_argument("--width", type=int, default=800, help="width of the pictures")
    arguments = parser.parse_args()

    photos.take(arguments.photos, arguments.count)
    arguments.gallery.mkdir(exist_ok=True)
    paths = sorted(arguments.photos.glob("*.jpg"))
    develop_all(paths, arguments.gallery, arguments.width)
    page = "\n".join(f'<img src="{path.name}" alt="{path.stem}">' for path in paths)
    (arguments.gallery / "index.html").write_text(f"<!doctype html>\n{page}\n")


if __name__ == "__main__":
    main()
