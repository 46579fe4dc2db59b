"""Where schedules are played: this machine, or three nodes (namespaces) in a network."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from typing import Protocol

from schedules import PROGRAMS_NODE, Event

from nodes.network import Network, tell

Undo = Callable[[], None]
LIMIT = 60.0  # seconds after which a run counts as hanging
MIB = 1 << 20


class Stage(Protocol):
    """Has things happen."""

    def begin(self, event: Event) -> Undo | None:
        """Have it happen; gives what ends it again."""


class Nodes:
    """A network of nodes.

    Args:
        network: The network.
    """

    def __init__(self, network: Network) -> None:
        self._network = network

    def begin(self, event: Event) -> Undo | None:
        """Have it happen; gives what ends it again."""
        network, node = self._network, event.which
        match event.what:
            case "cut":
                network.cut(node)
                return lambda: network.mend(node)
            case "down":
                network.set_interface(node, "down")
                return lambda: network.set_interface(node, "up")
            case "stop" | "hang":
                stopped = network.agents(node) if event.what == "stop" else network.processes(node)
                tell(stopped, signal.SIGSTOP)
                return lambda: tell(stopped, signal.SIGCONT)
            case "kill":
                tell(network.agents(node), signal.SIGKILL)
            case "replica":
                tell(network.processes(node)[-1:], signal.SIGKILL)
            case "end":
                network.end(node)
        return None


class Here:
    """This machine.

    Args:
        program: The process of the command.
        marker: What all processes of the run have in their environment.
        folder: Where what the run needs lies: `needed`, `clock`, and `disk`, which may be filled.
    """

    def __init__(self, program: int, marker: str, folder: Path) -> None:
        self._program = program
        self._marker = marker
        self._folder = folder

    def processes(self) -> list[int]:
        """All of the run that live, in the order of their numbers."""
        return processes_with(self._marker)

    def chosen(self, event: Event) -> list[int]:
        """To which processes it happens."""
        parents = {one: _parent(one) for one in self.processes()}
        children = sorted(one for one, parent in parents.items() if parent == self._program)
        zygote = children[:1]
        replicas = sorted(one for one, parent in parents.items() if parent in zygote)
        match event.whom:
            case "replica":
                found = replicas
            case "zygote":
                found = zygote
            case "copy":
                found = children[1:]
            case "any":
                found = sorted(one for one in parents if one != self._program)
            case "program":
                found = [self._program]
            case _:
                return sorted(parents)
        return [found[event.which % len(found)]] if found else []

    def begin(self, event: Event) -> Undo | None:
        """Have it happen; gives what ends it again."""
        match event.what:
            case "kill":
                tell(self.chosen(event), signal.SIGKILL)
            case "segv":
                tell(self.chosen(event), signal.SIGSEGV)
            case "term":
                tell(self.chosen(event), signal.SIGTERM)
            case "stop" | "suspend":
                found = self.processes() if event.what == "suspend" else self.chosen(event)
                tell(found, signal.SIGSTOP)
                return lambda: tell(found, signal.SIGCONT)
            case "interrupt":
                with suppress(ProcessLookupError):
                    os.killpg(self._program, signal.SIGINT)
            case "end program":
                tell([self._program], signal.SIGTERM)
            case "kill program":
                tell([self._program], signal.SIGKILL)
            case "lack":
                return self._without("needed")
            case "slow start":
                (self._folder / "needed").write_text("0.3")
                return lambda: self._write("needed", "0")
            case "few descriptors":
                return self._limited(event, resource.RLIMIT_NOFILE, 3 + event.which)
            case "little memory":
                return self._limited(event, resource.RLIMIT_AS, None)
            case "small files":
                return self._limited(event, resource.RLIMIT_FSIZE, event.which * 10_000)
            case "full disk":
                return self._filled()
            case "clock":
                self._write("clock", str((event.which - 50) * 1000))
                return lambda: self._write("clock", "0")
        return None

    def _write(self, name: str, text: str) -> None:
        with suppress(OSError):
            (self._folder / name).write_text(text)

    def _without(self, name: str) -> Undo:
        path, away = self._folder / name, self._folder / f"{name} (away)"
        with suppress(OSError):
            path.rename(away)

        def back() -> None:
            with suppress(OSError):
                away.rename(path)

        return back

    def _limited(self, event: Event, which: int, least: int | None) -> Undo:
        before = []
        for process in self.chosen(event):
            most = least if least is not None else _size(process) + event.which * MIB
            with suppress(OSError, ValueError):
                _, hard = resource.prlimit(process, which)
                before.append((process, resource.prlimit(process, which, (most, hard))))

        def lifted() -> None:
            for process, limits in before:
                with suppress(OSError, ValueError):
                    resource.prlimit(process, which, limits)

        return lifted

    def _filled(self) -> Undo:
        # as the program sees it: the disk is mounted for it alone, or is not yet
        disk = Path(f"/proc/{self._program}/root") / (self._folder / "disk").relative_to("/")
        filled = disk / "filled"
        with suppress(OSError):
            if disk.stat().st_dev != self._folder.stat().st_dev:
                with filled.open("wb", buffering=0) as file:
                    while file.write(bytes(1 << 16)):
                        pass

        def emptied() -> None:
            with suppress(OSError):
                filled.unlink()

        return emptied


def processes_with(marker: str) -> list[int]:
    """Ids of the living processes that have this in their environment."""
    said = marker.encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                if said in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
    return sorted(found)


def _parent(process: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


def _size(process: int) -> int:
    with suppress(OSError):
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[0])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 1 << 40


def play(stage: Stage, events: Sequence[Event], process: Popen[bytes], begun: Path) -> str:
    """Have it all happen while a program runs; what is wrong with its end: "" or that it hangs."""
    started = time.monotonic()
    began: float | None = None
    waiting: list[tuple[float, Undo]] = []
    for_good: list[Undo] = []
    to_do = list(events)
    while process.poll() is None and time.monotonic() < started + LIMIT:
        now = time.monotonic()
        if began is None and begun.exists():
            began = now
        for undo in [one for one in waiting if one[0] <= now]:
            waiting.remove(undo)
            undo[1]()
        due = [
            event
            for event in to_do
            if (event.at < 0 and now >= started - event.at)
            or (event.at >= 0 and began is not None and now >= began + event.at)
        ]
        for event in due:
            to_do.remove(event)
            if (back := stage.begin(event)) is not None:
                if event.seconds is None:
                    for_good.append(back)
                else:
                    waiting.append((time.monotonic() + event.seconds, back))
        if not to_do and not waiting:
            break
        time.sleep(0.004)
    hangs = ""
    try:
        process.wait(max(0.0, started + LIMIT - time.monotonic()))
    except Exception:
        hangs = "it hangs"
    if not hangs:
        for back in [*for_good, *(one for _, one in waiting)]:
            back()
    return hangs


__all__ = ["LIMIT", "PROGRAMS_NODE", "Here", "Nodes", "Stage", "play", "processes_with"]
