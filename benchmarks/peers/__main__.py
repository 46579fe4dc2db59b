"""Runs one job on one peer: `python -m peers ray_tasks calls --workers 2 --count 10000`."""

import argparse
import importlib

from peers.jobs import JOBS


def main() -> None:
    """Read the command line, open the peer, do the job."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", help="a module of this package")
    parser.add_argument("job", choices=JOBS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--count", type=int, default=0, help="how many calls, if that is to say")
    parser.add_argument("--chunk", type=int, default=0, help="how many calls go together")
    arguments = parser.parse_args()
    peer = importlib.import_module(f"peers.{arguments.peer}")
    with peer.opened(arguments.workers) as opened:
        if opened is not None:  # None in processes that only serve
            if arguments.chunk:
                opened.chunk = arguments.chunk
            JOBS[arguments.job](opened, arguments.count)


if __name__ == "__main__":
    main()
