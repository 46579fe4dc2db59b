"""The program's own files as one bundle, for nodes that do not see them."""

from __future__ import annotations

import glob
import json
import os
import sys
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.plan.modules import is_of_python
from cord.plan.project import Needed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cord.plan.model import RemotePlan

# More of them, counted before they are compressed, are not sent: they are kept in memory.
LARGEST = 256 << 20
_LENGTH = 8  # bytes of the length of the list of files
_SUGGESTION = "put large data where nodes see it by themselves, or name fewer engine.files"


class Bundle:
    """Files, packed.

    Attributes:
        folder: The folder that they are in.
        content: All of them, as `unpack` takes them.
        digest: That of the content.
        others: The top-level names of modules that remote modules import and that are not in it.
    """

    def __init__(self, folder: str, paths: Iterable[str], others: Iterable[str] = ()) -> None:
        self.folder = folder
        self.others = set(others)
        self.content = _pack(folder, sorted(set(paths)))
        self.digest = digest_of(self.content)


def of_program(
    modules: list[RemotePlan], patterns: tuple[str, ...], folder: str, path: list[str]
) -> Bundle:
    """Bundle what replicas may need of a program.

    That is what the remote modules import, and the program too: what it passes to them may be of
    classes that they do not know themselves.

    Args:
        modules: The remote modules.
        patterns: Which files it is to have besides.
        folder: The program's folder.
        path: Where modules are looked for.

    Raises:
        CordError: A file is not there, or they are too large.
    """
    needed = Needed(path, lambda source: is_within(source, folder) and not is_of_python(source))
    needed.follow(module.module for module in modules)
    others = set(needed.others)
    script = sys.argv[0]
    if is_within(os.path.abspath(script), folder) and os.path.isfile(script):
        needed.follow_script(os.path.abspath(script))
    return Bundle(folder, [*needed.sources, *_named(patterns, folder)], others)


def is_within(path: str, folder: str) -> bool:
    """Whether a path is that of something in a folder."""
    return path.startswith(os.path.join(folder, ""))


def digest_of(content: bytes) -> str:
    """The name by which nodes keep a bundle."""
    return sha256(content).hexdigest()


def _named(patterns: tuple[str, ...], folder: str) -> Iterator[str]:
    for pattern in patterns:
        found = glob.glob(pattern, root_dir=folder, recursive=True)
        if not found:
            raise CordError(
                f"engine.files names {pattern}, and there is no such file in {folder}",
                "files are named from the program's folder on",
            )
        for name in found:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                yield path
                continue
            for inner, _, names in os.walk(path):
                yield from (os.path.join(inner, name) for name in names)


def _pack(folder: str, paths: list[str]) -> bytes:
    entries: list[tuple[str, int, int, int]] = []
    contents: list[bytes] = []
    total = 0
    for path in paths:
        try:
            about = os.stat(path)
            total += about.st_size
            if total > LARGEST:
                break
            with open(path, "rb") as file:
                content = file.read()
        except OSError as error:
            raise CordError(f"cannot send {path} to nodes: {error.strerror}") from None
        entries.append(
            (os.path.relpath(path, folder), about.st_mode, about.st_mtime_ns, len(content))
        )
        contents.append(content)
    if total > LARGEST:
        raise CordError(
            f"the program's files that nodes are to be sent have more than {LARGEST >> 20} MiB",
            _SUGGESTION,
        )
    listed = json.dumps(entries).encode()
    whole = b"".join((len(listed).to_bytes(_LENGTH, "little"), listed, *contents))
    return zlib.compress(whole, 1)


def unpack(content: bytes, into: str) -> None:
    """Lay the files of a bundle out.

    Args:
        content: The bundle's, which is what its digest says.
        into: A folder, which is there.

    Raises:
        OSError: The system has no room for them.
        ValueError: It is no bundle.
    """
    whole = zlib.decompress(content)
    start = _LENGTH + int.from_bytes(whole[:_LENGTH], "little")
    for name, mode, modified, size in json.loads(whole[_LENGTH:start]):
        if os.path.isabs(name) or ".." in name.split(os.sep):
            raise ValueError(f"{name} is outside of the bundle's folder")
        path = os.path.join(into, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(whole[start : start + size])
        start += size
        os.chmod(path, mode & 0o777 | 0o600)
        os.utime(path, ns=(modified, modified))  # bytecode goes by it
