"""What an agent is told to serve, and what is known of a side of the wire."""

from __future__ import annotations

import json
import os
import pickle
import sys
from typing import TYPE_CHECKING

from cord.engines.local.fresh import Surroundings
from cord.engines.nodes import bundle, facts
from cord.engines.nodes.anew import Hidden

if TYPE_CHECKING:
    from typing import Any

    from cord.plan.engine_plan import EnginePlan
    from cord.plan.model import RemotePlan


def make(
    plan: EnginePlan, modules: list[RemotePlan], folder: str, path: list[str]
) -> tuple[bytes, bytes]:
    """Say what agents are to serve.

    Args:
        plan: The engine's.
        modules: The remote modules.
        folder: The program's.
        path: `sys.path` as replicas see it.

    Returns:
        Bytes that any agent of any version can read as far as it must to refuse; and the program's
        code, for those that lack it.

    Raises:
        CordError: The code cannot be sent.
    """
    around = Surroundings()
    code = None
    if plan.code == "send":
        code = bundle.of_program(modules, plan.files, folder, path)
    request = {
        "facts": facts.of_client(modules, path),
        "name": plan.name,
        "digests": {} if plan.name is None else _digests(modules, path),
        "cpu": plan.cpu,
        "modules": pickle.dumps(modules).hex(),
        "transports": [module.transport for module in modules],
        "resident": resident_bytes(modules),
        "path": path,
        "own_path": [] if plan.python is None else _own(path),
        "argv": around.argv,
        "flags": around.flags,
        "seed": os.environ.get("PYTHONHASHSEED") or Hidden.seed,
        "hides_seed": Hidden.seed is not None,
        "folder": os.getcwd(),
        "environment": around.environment,
        "reconnect": plan.reconnect,
        "code": None if code is None else [folder, code.digest, len(code.content)],
        "not_sent": [] if code is None else facts.not_sent(code.others, path),
    }
    return json.dumps(request).encode(), b"" if code is None else code.content


def _own(path: list[str]) -> list[str]:
    """What of `sys.path` belongs to this interpreter, not to the program or to PYTHONPATH."""
    first = [] if sys.flags.safe_path else path[:1]
    named = "" if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "")
    added = [os.path.abspath(one) for one in named.split(os.pathsep)] if named else []
    return [entry for entry in path if entry not in (*first, *added)]


def _digests(modules: list[RemotePlan], path: list[str]) -> dict[str, str]:
    return {one.module: facts.digest(one.module, path) for one in modules if not one.is_program}


def resident_bytes(modules: list[RemotePlan]) -> int:
    """How much of resident arguments a node keeps."""
    return max((module.resident_bytes for module in modules), default=0)


def read(content: bytes) -> dict[str, Any]:
    """What `make` has made."""
    request: dict[str, Any] = json.loads(content)
    return request
