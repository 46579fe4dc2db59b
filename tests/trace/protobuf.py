"""Reads Perfetto's files as far as these tests ask: fields by number, of messages in messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The number and value of each field."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        field, kind = divmod(varint(), 8)
        if kind == 0:
            yield field, varint()
        else:
            size = 8 if kind == 1 else varint()
            yield field, message[at : at + size]
            at += size


def message(value: int | bytes) -> dict[int, int | bytes]:
    assert isinstance(value, bytes)
    return dict(fields(value))


class Exported:
    """What there is in a file: names of tracks, and events as (kind, track, name, time, flow)."""

    def __init__(self, path: Path) -> None:
        self.tracks: dict[int, str] = {}
        self.events: list[tuple[int, str, str, int, int]] = []
        names: dict[int, str] = {}
        for _, packet in fields(path.read_bytes()):
            told = message(packet)
            if 60 in told:
                track = message(told[60])
                name = track[2] if 2 in track else message(track[3])[6]
                self.tracks[int(track[1])] = name.decode()
            if 12 in told:
                name = message(message(told[12])[2])
                names[int(name[1])] = name[2].decode()
            if 11 in told:
                event = message(told[11])
                track = self.tracks[int(event[11])]
                flow = int.from_bytes(event[47], "little") if 47 in event else 0
                name = names[int(event[10])] if 10 in event else ""
                self.events.append((int(event[9]), track, name, int(told[8]), flow))

    def on(self, track: str, kind: int = BEGIN) -> list[tuple[str, int, int]]:
        """Name, time and flow of the events on tracks whose names begin so."""
        return [
            (name, at, flow)
            for one, on, name, at, flow in self.events
            if one == kind and on.startswith(track)
        ]
