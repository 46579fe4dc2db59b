"""What a run knows of its program's translation: kept by an earlier run, or analysed now."""

from __future__ import annotations

import os
from importlib.util import source_hash

from cord.kept import Kept
from cord.runtime.client.answers import Answers
from cord.silence import silence
from cord.tools.judging import Judgement
from cord.tools.names import assumed_ahead, read_project, remote_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cord.plan.model import Plan, RemotePlan
    from cord.plan.program import Program
    from cord.translate.results import Remote
    from cord.translate.translation import Translation

_FILES = ("files",)
Seen = tuple[tuple[str, bytes | None], ...]


def find_answers(
    plan: Plan, program: Program
) -> tuple[Answers, Judgement, Callable[[dict[str, int]], None]]:
    """The answers about a program; nothing is analysed if they were kept.

    Returns:
        The answers, what is to be told of the program, and what keeps new answers for later runs;
        to be called when the program ends, with how many replicas of each module there were calls
        for at once.

    Raises:
        SyntaxError: The main file cannot be parsed.
    """
    remote = remote_names(plan, program)
    settings = _settings(plan, program, remote)
    # a file for each plan, so that two that are compared do not drive each other's answers out
    part = source_hash(repr(settings).encode())[:4].hex()
    where = os.path.abspath(program.path), program.folder
    kept = Kept(program.kept_beside, part, (*where, *settings))
    files = _Files()
    made: list[Translation] = []

    def translation() -> Translation:
        if not made:
            from cord.translate.translation import Translation

            with silence():
                made.append(Translation(read_project(plan, program, remote, files.read)))
        return made[0]

    if _FILES not in kept or not files.are(kept[_FILES]):
        kept.clear()
        translation()
        kept[_FILES] = files.seen()

    served = tuple((one.module, one.replicas) for one in plan.remote.values())
    answers = Answers(remote, translation, kept, (os.cpu_count(), *served))

    def keep(had: dict[str, int]) -> None:
        if made and kept.is_writable:
            answers.complete()
        answers.remember(had)
        program.outlines.save()
        kept.save()

    version = (*where, *settings, kept[_FILES])
    return answers, Judgement(plan, program, kept, part, version), keep


class _Files:
    """Reads each file once: what was compared is what is analysed, whenever that may be."""

    def __init__(self) -> None:
        self._found: dict[str, bytes | None] = {}

    def read(self, path: str) -> bytes:
        """What is in a file.

        Raises:
            OSError: It cannot be read.
        """
        if path not in self._found:
            self._found[path] = None
            with open(path, "rb") as file:
                self._found[path] = file.read()
        found = self._found[path]
        if found is None:
            raise FileNotFoundError(path)
        return found

    def seen(self) -> Seen:
        """The files that were asked for, with a hash of what is in each that is there."""
        return tuple((path, self._hash(path)) for path in self._found)

    def are(self, seen: Seen) -> bool:
        """Whether the files are as they were when they were seen."""
        return all(self._hash(path) == known for path, known in seen)

    def _hash(self, path: str) -> bytes | None:
        try:
            return source_hash(self.read(path))
        except OSError:
            return None


def _settings(plan: Plan, program: Program, remote: dict[str, Remote]) -> tuple[Any, ...]:
    """What the answers depend on besides files."""
    remotes = [
        (name, *_remote_settings(one), _listed(remote[name].functions))
        for name, one in zip(remote, plan.remote.values(), strict=True)
    ]
    return program.package, tuple(sorted(assumed_ahead(plan, program))), tuple(remotes)


def _remote_settings(remote: RemotePlan) -> tuple[Any, ...]:
    own = remote.functions.values()
    clients = ((name, keys.get("callstyle")) for name, keys in remote.clients.items())
    functions = [
        (function.name, function.callstyle, function.pure, function.independent) for function in own
    ]
    only = None if remote.only is None else tuple(sorted(remote.only))
    functions_and_clients = tuple(sorted(functions)), tuple(sorted(clients))
    usual = remote.callstyle, remote.pure, remote.independent
    return *usual, only, remote.is_given_values, *functions_and_clients


def _listed(names: object) -> tuple[str, ...] | None:
    """The names of remote functions; None where they are unknown until the program runs."""
    return tuple(sorted(names)) if isinstance(names, frozenset) else None
