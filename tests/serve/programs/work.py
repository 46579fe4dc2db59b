"""Remote functions that the tests put behind HTTP."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import BinaryIO


@dataclass
class Point:
    x: int
    y: int = 0


class NotFound(Exception):
    status = 404


def hello(name: str) -> str:
    """Greet somebody.

    By name.
    """
    return f"hello {name}"


def add(a: int, b: int = 1) -> dict[str, int]:
    return {"sum": a + b}


def total(of: list[float], scale: float = 1.0) -> float:
    return sum(of) * scale


def move(point: Point, by: int = 1) -> Point:
    return Point(point.x + by, point.y)


def agent(name: str, agent: str = "nobody") -> str:
    return f"{name} by {agent}"


def wait(seconds: float) -> str:
    time.sleep(seconds)
    return "done"


def nothing() -> None:
    pass


def made(name: str) -> SimpleNamespace:
    headers = {"Location": f"/{name}", "X-Kind": "new"}
    return SimpleNamespace(status=201, headers=headers, body={"name": name})


def broken() -> object:
    return object()


def fail(word: str) -> None:
    print("about to fail")
    raise ValueError(word)


def find(key: str) -> str:
    raise NotFound(f"there is no {key}")


def digest(data: BinaryIO) -> dict[str, object]:
    found, length = hashlib.sha256(), 0
    while piece := data.read(65536):
        found.update(piece)
        length += len(piece)
    return {"bytes": length, "sha256": found.hexdigest()}


def echo(data: bytes) -> bytes:
    return data


def twice(parts: Iterator[bytes]) -> Iterator[bytes]:
    for part in parts:
        yield part + part


def count(to: int, pause: float = 0.0) -> Iterator[dict[str, int]]:
    for number in range(min(to, 10_000)):  # random bytes may ask for any number
        time.sleep(pause)
        yield {"number": number}


def breaks() -> Iterator[str]:
    yield "first "
    raise ValueError("in the midst")


def zeros(size: int) -> Iterator[bytes]:
    piece = b"\0" * 65536
    for _ in range(size // len(piece)):
        yield piece


def end() -> None:
    os._exit(3)
