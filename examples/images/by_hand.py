"""The same, on all cores by hand: with a pool of processes."""

from multiprocessing import Pool
from pathlib import Path

import darkroom
import main


def develop_all(paths: list[Path], gallery: Path, width: int) -> None:
    """Develop the photographs in a pool, and say how small each picture is."""
    with Pool() as pool:
        jobs = [(path, gallery / path.name, width) for path in paths]
        sizes = pool.starmap(darkroom.develop, jobs, chunksize=1)
    for path, size in zip(paths, sizes, strict=True):
        main.tell(path, size)


if __name__ == "__main__":
    main.develop_all = develop_all
    main.main()
