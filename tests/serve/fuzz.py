"""Random bytes for a whole server: it answers or closes, lives on, and speaks HTTP.

    python tests/serve/fuzz.py --seconds 60 --seed 1

The seeds are the files of `corpus`. What goes wrong is told with the number by which it
comes again.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import socket
import sys
import tempfile
import time
from pathlib import Path

from web_lab import PLAN, WORK, Server, start

from garbling import garbled

CORPUS = [path.read_bytes() for path in sorted((Path(__file__).parent / "corpus").iterdir())]
WORDS = (b"\r\n", b"\0", b"%", b"content-length: 9\r\n", b"99999")
_STATUS = re.compile(rb"HTTP/1\.[01] [1-5]\d\d ")
LONGEST = 20.0  # seconds in which the server is done with any input, whose patience is one


def try_one(server: Server, text: bytes, chance: random.Random) -> str:
    """What is wrong with how a server takes these bytes; "" for nothing."""
    began = time.monotonic()
    answer = b""
    with contextlib.suppress(ConnectionResetError, BrokenPipeError), server.connect() as connection:
        connection.settimeout(LONGEST)
        cut = chance.randrange(len(text) + 1)
        connection.sendall(text[:cut])
        connection.sendall(text[cut:])
        connection.shutdown(socket.SHUT_WR)
        try:
            while piece := connection.recv(65536):
                answer += piece
        except TimeoutError:
            return "it neither answers nor closes"
    if time.monotonic() - began > LONGEST:
        return "it takes too long"
    is_http2 = text.startswith(b"PRI ")
    if answer and not is_http2 and not _STATUS.match(answer):
        return f"it answers {answer[:80]!r}"
    return ""


def fuzz(seconds: float, seed: int) -> int:
    """Try inputs for so long; how many there were.

    Raises:
        AssertionError: Something went wrong.
    """
    with tempfile.TemporaryDirectory() as folder:
        server = start(Path(folder), WORK, PLAN)
        try:
            until = time.monotonic() + seconds
            tried = 0
            while time.monotonic() < until or not tried:
                chance = random.Random(seed + tried)
                text = garbled(chance, CORPUS, WORDS)
                wrong = try_one(server, text, chance)
                assert not wrong, f"seed {seed + tried}: {text!r}: {wrong}"
                assert server.process.poll() is None, f"seed {seed + tried}: {text!r} ends it"
                tried += 1
            assert server.ask("/hello/you").body == b"hello you"
            assert server.end() == 0
            panics = [line for line in server.lines if "panicked" in line]
            assert not panics, panics
            return tried
        finally:
            server.process.kill()


def main() -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"{fuzz(given.seconds, given.seed)} inputs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
