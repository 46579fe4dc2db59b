"""Writes grey pictures in the PNG format, with nothing but the standard library."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def encode(rows: list[bytes]) -> bytes:
    """Encode a picture.

    Args:
        rows: The rows from top to bottom, all of one length: a byte for each pixel, 0 is black.

    Returns:
        The content of the PNG file.
    """
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)  # 8 bits, grey
    pixels = b"".join(b"\0" + row for row in rows)  # each row is stored as it is: filter 0
    data = zlib.compress(pixels)
    return SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def chunk(name: bytes, data: bytes) -> bytes:
    """One chunk of a PNG file: its length, its name, its data and their checksum."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
