"""Where agents and programs listen, as it is written."""

from __future__ import annotations

LOOPBACK = "127.0.0.1"
PORT = 7420
ANY_PORT = 0  # one that is free


def address_of(text: str, usual: int = PORT) -> tuple[str, int]:
    """The host and the port of `HOST`, `HOST:PORT` or `[HOST]:PORT`.

    Args:
        text: It.
        usual: The port, if it has none.

    Raises:
        ValueError: The port is none.
    """
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]"):
        return text.strip("[]"), usual
    number = int(port)
    if not 0 <= number < 1 << 16:
        raise ValueError(f"{port} is no port")
    return host.strip("[]"), number
