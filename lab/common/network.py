"""Machines that are network namespaces of this one, joined by a switch, with a rate or without.

Each machine has one cable to the switch: a veth pair with a token-bucket filter at both ends, as
every card of an Ethernet has its rate. Files and processors are shared.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

from lab.common.places import LAB
from lab.common.presence import NETWORK

SWITCH = "cordlabsw"
NAME = "cordlab"
THERE = LAB / "common" / "there.sh"
RSH = LAB / "common" / "rsh.sh"
RATE = "10mbit"


def name(number: int) -> str:
    """What a machine is called; 0 is the client's."""
    return f"{NAME}{number}"


def address(number: int) -> str:
    """Where a machine is reached."""
    return f"10.78.0.{number + 1}"


def at(number: int | str) -> tuple[str, ...]:
    """What a command begins with that runs there."""
    return ("sh", str(THERE), f"{NAME}{number}")


@contextmanager
def machines(count: int, rate: str | None = RATE) -> Iterator[None]:
    """Have so many machines besides the client's while the block runs.

    Args:
        count: How many.
        rate: What each card sends at most, as `tc` writes it; None for as much as it can.
    """
    _remove()
    try:
        _ip("netns", "add", SWITCH)
        _inside(SWITCH, "ip", "link", "add", "bridge", "type", "bridge")
        _inside(SWITCH, "ip", "link", "set", "bridge", "up")
        for number in range(count + 1):
            _plug_in(number, rate)
        yield
    finally:
        _remove()


def if_permitted(count: int, rate: str | None = RATE) -> AbstractContextManager[None]:
    """The same, or nothing at all where namespaces cannot be made."""
    return machines(count, rate) if NETWORK.missing() is None else nullcontext()


def _plug_in(number: int, rate: str | None) -> None:
    machine, cable = name(number), f"port{number}"
    _ip("netns", "add", machine)
    _inside(machine, "ip", "link", "set", "lo", "up")
    words = ("type", "veth", "peer", "name", "net0", "netns", machine)
    _inside(SWITCH, "ip", "link", "add", cable, *words)
    _inside(SWITCH, "ip", "link", "set", cable, "master", "bridge", "up")
    _inside(machine, "ip", "addr", "add", f"{address(number)}/24", "dev", "net0")
    _inside(machine, "ip", "link", "set", "net0", "up")
    if rate is not None:
        for space, device in ((SWITCH, cable), (machine, "net0")):
            # as much at once as a packet needs, and a queue as long as a switch's
            limit = ("tbf", "rate", rate, "burst", "2kb", "latency", "400ms")
            _inside(space, "tc", "qdisc", "add", "dev", device, "root", *limit)


def _remove() -> None:
    spaces = Path("/run/netns")
    if spaces.is_dir():
        for space in spaces.iterdir():
            if space.name.startswith(NAME):
                with suppress(subprocess.CalledProcessError):
                    _ip("netns", "delete", space.name)


def _inside(space: str, *command: str) -> None:
    _ip("netns", "exec", space, *command)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)
