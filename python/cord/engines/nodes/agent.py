"""An agent: serves a node for one run, with a zygote of its own."""

from __future__ import annotations

import json
import os
import pickle
import socket
import sys
from typing import TYPE_CHECKING

from cord import _core
from cord.engines.local import fresh
from cord.engines.local.zygote import TERMINAL_SIGNALS
from cord.engines.nodes import facts, request
from cord.engines.nodes.lasting import ABOUT
from cord.engines.nodes.launchers import CORES, KEY
from cord.engines.nodes.stopping import told_to_stop
from cord.errors import CordError

if TYPE_CHECKING:
    from typing import Any

    from cord.engines.nodes.lasting import Lasting
    from cord.plan.model import RemotePlan

SEED = "PYTHONHASHSEED"
# Seconds in which a gateway says what is to be served.
_PATIENCE = 60.0
# The same for those that may be anybody.
_STRANGERS = 10.0


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
    return _serve(_core.Agent.behind(reader, writer), told_to_stop(TERMINAL_SIGNALS), _PATIENCE)


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
    return _serve(agent, told_to_stop(TERMINAL_SIGNALS), _PATIENCE)


class Service:
    """What the agent of a standing agent's client needs to know of that.

    Args:
        name: Under which it serves.
        lasting: The replicas that it keeps; None where it keeps none.
        way: What leads to those, if there are any.
    """

    def __init__(self, name: str, lasting: Lasting | None, way: socket.socket | None) -> None:
        self.name = name
        self.way = way
        modules = [] if lasting is None else lasting.modules
        self._digests = {} if lasting is None else lasting.digests
        self._numbers = {one.module: number for number, one in enumerate(modules)}

    def problem(self, wanted: dict[str, Any], modules: list[RemotePlan]) -> str | None:
        """Why a client cannot be served."""
        if wanted["name"] != self.name:
            return (
                f'the agent there serves under the name "{self.name}", '
                f'and engine.name is "{wanted["name"]}"'
            )
        kept = [one.module for one in modules if one.module in self._numbers]
        for name in kept:
            if wanted["digests"].get(name) != self._digests[name]:
                return (
                    f"the module {name}, or what it imports of the project, is another version "
                    "than the one that the agent there has loaded"
                )
        if kept and wanted["flags"].count("-O") != sys.flags.optimize:
            return f"python -O changes {kept[0]}, which the agent there has loaded"
        if kept and not wanted["hides_seed"] and wanted["seed"] != os.environ.get(SEED):
            return f"{SEED} is {wanted['seed']} here and {os.environ.get(SEED)} there"
        return None

    def there(self, modules: list[RemotePlan]) -> list[int | None]:
        """The numbers that the modules of a client have among those that are kept."""
        return [self._numbers.get(one.module) for one in modules]

    def introduce(self, wanted: dict[str, Any]) -> None:
        """Say what the client is like."""
        if self.way is None:
            return
        about = {name: wanted[name] for name in ("folder", "path", "argv", "resident")}
        about |= {"environment": _environment(wanted), "transport": "auto", "client": os.getpid()}
        file = os.memfd_create("cord-client")
        os.write(file, json.dumps(about).encode())
        socket.send_fds(self.way, [ABOUT], [file])
        os.close(file)


def serve_client(connection: int, key: bytes, stop: int, service: Service) -> int:
    """Serve the gateway that has connected to a standing agent.

    Args:
        connection: The socket; taken over, as is `stop`.
        key: The agent's.
        stop: Can be read when this process is told to end.
        service: What the agent keeps for all clients.

    Returns:
        The exit code.

    Raises:
        CordError: The gateway has another key, or does not say what to serve.
    """
    agent = _core.Agent.accepted(connection, key)
    return _serve(agent, stop, _STRANGERS, service)


def _serve(agent: _core.Agent, stop: int, patience: float, service: Service | None = None) -> int:
    try:
        wanted = request.read(agent.welcome(patience))
    except OSError as error:
        raise CordError(f"the gateway does not say what to serve: {error}") from None
    problem = _prepare(wanted)
    modules = [] if problem is not None else pickle.loads(bytes.fromhex(wanted["modules"]))
    if problem is None and service is not None:
        problem = service.problem(wanted, modules)
    if problem is not None:
        agent.refuse(f"{socket.gethostname()}: {problem}")
        return 1
    there: list[int | None] = []
    if service is not None:
        service.introduce(wanted)
        there = service.there(modules)
        for number, kept in enumerate(there):
            if kept is not None:
                wanted["transports"][number] = "auto"
    cores = int(os.environ.get(CORES) or _core.means()[0])
    modules = [module.on_cores(cores) for module in modules]
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
            None if service is None or service.way is None else service.way.detach(),
            there,
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
