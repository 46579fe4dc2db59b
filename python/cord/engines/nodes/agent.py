"""An agent: serves a node for one run, with a zygote of its own."""

from __future__ import annotations

import os
import pickle
import socket
from typing import TYPE_CHECKING

from cord import _core
from cord.engines.local import fresh
from cord.engines.local.zygote import TERMINAL_SIGNALS
from cord.engines.nodes import facts, request
from cord.engines.nodes.launchers import CORES, KEY
from cord.engines.nodes.stopping import told_to_stop
from cord.errors import CordError

if TYPE_CHECKING:
    from typing import Any

# Seconds in which a gateway says what is to be served.
_PATIENCE = 60.0


def serve_stdio() -> int:
    """Serve the gateway at the other end of standard input and output.

    Returns:
        The exit code.
    """
    reader, writer = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)  # what anybody prints must not get between
    os.close(null)
    return _serve(_core.Agent.behind(reader, writer))


def serve_address(address: str) -> int:
    """Serve the gateway that listens at an address.

    Args:
        address: Its host and port.

    Returns:
        The exit code.

    Raises:
        CordError: Nobody listens there, or there is no key.
    """
    key = os.environ.pop(KEY, None)
    if key is None:
        raise CordError(
            f"there is no key of a run in the environment variable {KEY}",
            "an agent is started by what starts the program: see docs/engines.md",
        )
    try:
        agent = _core.Agent.connect(address, bytes.fromhex(key))
    except (OSError, ValueError) as error:
        raise CordError(f"cannot connect to {address}: {error}") from None
    return _serve(agent)


def _serve(agent: _core.Agent) -> int:
    stop = told_to_stop(TERMINAL_SIGNALS)
    try:
        wanted = request.read(agent.welcome(_PATIENCE))
    except OSError as error:
        raise CordError(f"the gateway does not say what to serve: {error}") from None
    problem = _prepare(wanted)
    if problem is not None:
        agent.refuse(f"{socket.gethostname()}: {problem}")
        return 1
    cores = int(os.environ.get(CORES) or _core.means()[0])
    modules = [module.on_cores(cores) for module in pickle.loads(bytes.fromhex(wanted["modules"]))]
    zygote = fresh.start(
        modules,
        fresh.Surroundings(
            path=wanted["path"],
            argv=wanted["argv"],
            flags=wanted["flags"],
            environment=_environment(wanted),
            hides_seed=wanted["hides_seed"],
        ),
    )
    told_of = f"{cores}\n{socket.gethostname()}"
    try:
        why = agent.serve(
            zygote.control,
            stop,
            told_of,
            wanted["transports"],
            wanted["resident"],
            wanted["reconnect"],
        )
    finally:
        zygote.close()
    return 0 if why is None else 1


def _prepare(wanted: dict[str, Any]) -> str | None:
    """Make this node ready for a program; why it cannot be."""
    theirs = wanted["facts"]
    ours = {
        **facts.of_machine(),
        "distributions": facts.versions(list(theirs.get("distributions", ()))),
    }
    problems = facts.differences(theirs, ours, wanted["cpu"])
    if problems:
        return "; ".join(problems)
    try:
        os.chdir(wanted["folder"])
    except OSError as error:
        return (
            f"the program's folder {wanted['folder']} cannot be entered there "
            f"({error.strerror}): nodes must see the program's files under the same path"
        )
    return None


def _environment(wanted: dict[str, Any]) -> dict[str, str]:
    """The program's environment, and the hash seed that its interpreter has."""
    environment: dict[str, str] = dict(wanted["environment"])
    if wanted["seed"] is not None:
        environment["PYTHONHASHSEED"] = wanted["seed"]
    return environment
