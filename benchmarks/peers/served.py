"""What the peers that are servers have in common: processes that serve on Unix sockets."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def servers(serve: Callable[[str], None], count: int) -> Iterator[list[str]]:
    """Start servers, and end them with the block.

    Args:
        serve: Serves on the socket of this path until its process is ended.
        count: How many processes.

    Yields:
        The paths of the sockets.
    """
    with tempfile.TemporaryDirectory(prefix="cord-bench-") as folder:
        paths = [os.path.join(folder, str(number)) for number in range(count)]
        context = multiprocessing.get_context("spawn")
        processes = [context.Process(target=serve, args=(path,), daemon=True) for path in paths]
        for process in processes:
            process.start()
        try:
            for path in paths:
                _wait_for(path)
            yield paths
        finally:
            for process in processes:
                process.kill()
                process.join()


def _wait_for(path: str) -> None:
    for _ in range(3000):
        if os.path.exists(path):
            return
        time.sleep(0.01)
    raise TimeoutError(f"no server at {path}")
