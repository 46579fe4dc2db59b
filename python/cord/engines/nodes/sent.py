"""The program's own files on a node: seen there by themselves, or sent."""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

from cord import _core
from cord.engines.nodes.kept_code import Cache, Unpacked, cache_folder
from cord.plan.modules import find_module

if TYPE_CHECKING:
    from typing import Any


class CannotServe(Exception):
    """This node cannot serve the program; the text says why."""


def fetch(agent: _core.Agent, wanted: dict[str, Any], patience: float) -> Unpacked | None:
    """Have the program's own files here.

    Args:
        agent: This node's.
        wanted: What it is to serve.
        patience: Seconds in which each piece of them comes.

    Returns:
        Them; None where nodes see them by themselves.

    Raises:
        CannotServe: They cannot be had, or are not all that is needed.
    """
    if wanted["code"] is None:
        return None
    folder, digest, size = wanted["code"]
    cache = Cache(cache_folder())
    try:
        content = cache.get(digest, lambda: agent.fetch_code(size, patience))
        code = Unpacked(content)
    except (OSError, ValueError, zlib.error) as error:
        raise CannotServe(f"the program's files cannot be had there: {error}") from None
    places = _core.Places(folder, code.folder, [])
    path = [*wanted["path"], *filter(None, map(places.of, wanted["path"]))]
    missing = [name for name in wanted["not_sent"] if find_module(name, path) is None]
    if missing:
        code.remove()
        raise CannotServe(
            f"there is no module {missing[0]}: it is none of the files in the program's folder "
            f"{folder} that are sent"
        )
    return code


def enter_folder(wanted: dict[str, Any], code: Unpacked | None) -> None:
    """Be where the program is.

    Args:
        wanted: What is to be served.
        code: Its files, where they were sent.

    Raises:
        CannotServe: That is not here.
    """
    folder, here = wanted["folder"], None
    try:
        if code is not None:
            here = _core.Places(wanted["code"][0], code.folder, []).of(folder)
        if here is not None:
            os.makedirs(here, exist_ok=True)
        os.chdir(here or folder)
    except OSError as error:
        reason = (
            'nodes must see its files under the same path, unless engine.code is "send"'
            if code is None
            else "it is not in the program's folder, of which files are sent"
        )
        what = "program's folder" if code is None else "working directory"
        raise CannotServe(
            f"the {what} {folder} cannot be entered there ({error.strerror}): {reason}"
        ) from None
