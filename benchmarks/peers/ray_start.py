"""A Ray cluster on this machine."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import ray


@contextmanager
def cluster(workers: int) -> Iterator[None]:
    """Ray's processes, for the time of the block."""
    ray.init(
        num_cpus=workers,
        include_dashboard=False,
        logging_level=logging.ERROR,
        log_to_driver=False,
        configure_logging=False,
    )
    try:
        yield
    finally:
        ray.shutdown()
