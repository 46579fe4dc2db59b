"""The same, on all cores by hand: with a pool of processes."""

from multiprocessing import Pool
from pathlib import Path

import darkroom
import main


def develop_all(paths: list[Path], gallery: Path, width: int) -> list[int]:
    """Develop the photographs in a pool, and give the sizes of the pictures in bytes."""
    with Pool() as pool:
        jobs = [(path, gallery / path.name, width) for path in paths]
        return pool.starmap(darkroom.develop, jobs, chunksize=1)


if __name__ == "__main__":
    main.develop_all = develop_all
    main.main()
