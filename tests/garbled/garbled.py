"""Garbled texts and bytes for what reads what others have written: `make fuzz` runs it for longer.

    python tests/garbled/garbled.py --seconds 60 --seed 1

The seeds are the files of `corpus`, and pickles that are made here. What goes wrong is told with
the number by which it comes again. Frames, packets and HTTP are garbled in Rust (cord-node's
`random_bytes.rs`, cord-http's `tests/fuzz.rs`), a whole server by `tests/serve/fuzz.py`.
"""

from __future__ import annotations

import argparse
import io
import pickle
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from lab.notation.command import convert
from lab.notation.source import Source

from cord._core import decode_natively, decode_plain, encode_natively, encode_plain
from cord.errors import PlanError
from cord.plan import read_variants
from cord.plan.program import script
from garbling import garbled

HERE = Path(__file__).parent
WORDS = (
    b"\0",
    b"\xff",
    b'"',
    b"[",
    b"{",
    b"::",
    b"=",
    b"99999999999999999999",
    b"\r\n",
    b"}",
    b".",
)


def pickles() -> list[bytes]:
    """Pickles as they are written natively."""
    values = (
        *(None, True, -1, 1 << 40, 1.5, "a text", b"bytes", [1, [2, "x"]], {"a": (1, 2), 3: None}),
        *(np.float64(2.5), np.int8(-3), ("f", (1, "x"), {"key": [0.5]})),
    )
    made = [encode_natively(value) for value in values]
    return [one[0] for one in made if one is not None] + [
        one for one in map(encode_plain, [(1,), 5, "text"]) if one is not None
    ]


class Careful(pickle.Unpickler):
    """Reads pickles that name nothing but numpy's."""

    def find_class(self, module: str, name: str) -> object:
        if not module.startswith("numpy"):
            raise pickle.UnpicklingError(module)
        return super().find_class(module, name)


def try_pickle(text: bytes) -> str:
    """What is wrong with how a pickle is read; "" for nothing."""
    for read in (lambda: decode_natively(text, []), lambda: decode_plain(text)):
        found = read()
        if found is None:
            continue  # it is for Python's own
        try:
            meant = Careful(io.BytesIO(text)).load()
        except Exception:
            continue  # nobody has written it
        if (type(found), repr(found)) != (type(meant), repr(meant)):
            return f"it is read as {found!r}, and Python reads {meant!r}"
    return ""


def try_plan(text: bytes, folder: Path) -> str:
    """What is wrong with how a plan is read."""
    plan = folder / "cord.toml"
    plan.write_bytes(text)
    try:
        read_variants(str(plan), [], script(str(folder / "main.py")), None)
    except PlanError as error:
        return "" if str(error) else "its error says nothing"
    return ""


def try_notation(text: bytes) -> str:
    """What is wrong with how CORD's notation is read."""
    written, findings = convert(Source("a.cfg", text.decode(errors="replace")))
    return "" if written or findings.all() else "nothing is said of it"


def fuzz(seconds: float, seed: int) -> int:
    """Try inputs for so long; how many there were.

    Raises:
        AssertionError: Something went wrong.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "work.py").write_text("def f(x): ...\n")
        plans = [(HERE / "corpus" / "plan").read_bytes()]
        plans += [path.read_bytes() for path in HERE.parents[1].glob("examples/*/cord.toml")]
        notation = [(HERE / "corpus" / "notation").read_bytes()]
        readers: list[tuple[Callable[[bytes], str], list[bytes]]] = [
            (try_pickle, pickles()),
            (lambda text: try_plan(text, folder), plans),
            (try_notation, notation),
        ]
        until, tried = time.monotonic() + seconds, 0
        while time.monotonic() < until or tried < len(readers):
            chance = random.Random(seed + tried)
            # a pickle is read in no time
            for _ in range(200 if tried % len(readers) == 0 else 1):
                read, corpus = readers[tried % len(readers)]
                text = garbled(chance, corpus, WORDS)
                try:
                    wrong = read(text)
                except Exception as error:
                    error.add_note(f"seed {seed + tried}: {text!r}")
                    raise
                assert not wrong, f"seed {seed + tried}: {text!r}: {wrong}"
            tried += 1
    return tried


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
