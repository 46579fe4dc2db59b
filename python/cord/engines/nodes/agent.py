"""An agent: serves a node for one run, with a zygote of its own."""

from __future__ import annotations

import json
import os
import pickle
import socket
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from cord import _core
from cord.engines.local import fresh
from cord.engines.local.zygote import TERMINAL_SIGNALS
from cord.engines.nodes import anew, facts, level, moved, request, sent
from cord.engines.nodes.lasting import ABOUT
from cord.engines.nodes.launchers import CORES, KEEPS, KEY, PLACE
from cord.engines.nodes.sent import CannotServe
from cord.engines.nodes.stopping import told_to_stop
from cord.errors import CordError
from cord.ready import ready
from cord.runtime.travel.world import as_ours

if TYPE_CHECKING:
    from typing import Any

    from cord.engines.nodes.kept_code import Unpacked
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
    key = os.environ.pop(KEY, None) or _key_on_stdin()
    if key is None:
        raise CordError(
            f"there is no key of a run in the environment variable {KEY}, nor on standard input",
            "an agent is started by what starts the program: see docs/engines.md",
        )
    try:
        agent = _core.Agent.connect(address, bytes.fromhex(key))
    except (OSError, ValueError) as error:
        raise CordError(
            f"cannot connect to {address}: {error}",
            "engine.listen in the program's plan names an address of its machine that can be "
            "reached from here",
        ) from None
    return _serve(agent, told_to_stop(TERMINAL_SIGNALS), _PATIENCE)


def _key_on_stdin() -> str | None:
    """Where what starts agents has no environment for them, it gives them a line of input."""
    if os.isatty(0) or not ready([0], _STRANGERS):
        return None
    return os.read(0, 4096).decode(errors="replace").strip() or None


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

    def compare(self, wanted: dict[str, Any], modules: list[RemotePlan]) -> None:
        """Compare what is kept with what a client wants.

        Raises:
            CannotServe: They differ.
        """
        if wanted["name"] != self.name:
            raise CannotServe(
                f'the agent there serves under the name "{self.name}", '
                f'and engine.name is "{wanted["name"]}"'
            )
        kept = [one.module for one in modules if one.module in self._numbers]
        for name in kept:
            if wanted["digests"].get(name) != self._digests[name]:
                raise CannotServe(
                    f"the module {name}, or what it imports of the project, is another version "
                    "than the one that the agent there has loaded"
                )
        for one in modules:
            if one.threads > 1 and one.module in self._numbers:
                raise CannotServe(
                    f"{one.module} has threads = {one.threads}, but the agent there keeps its "
                    "replicas, which serve one call at a time"
                )
        if kept and wanted["flags"].count("-O") != sys.flags.optimize:
            raise CannotServe(f"python -O changes {kept[0]}, which the agent there has loaded")
        if kept and not wanted["hides_seed"] and wanted["seed"] != os.environ.get(SEED):
            raise CannotServe(f"{SEED} is {wanted['seed']} here and {os.environ.get(SEED)} there")

    def there(self, modules: list[RemotePlan]) -> list[int | None]:
        """The numbers that the modules of a client have among those that are kept."""
        return [self._numbers.get(one.module) for one in modules]

    def introduce(self, wanted: dict[str, Any]) -> None:
        """Say what the client is like."""
        if self.way is None:
            return
        about = {name: wanted[name] for name in ("folder", "path", "argv", "resident", "modules")}
        about |= {"environment": _environment(wanted), "transport": "auto", "client": os.getpid()}
        file = os.memfd_create("cord-client")
        os.write(file, json.dumps(about).encode())
        socket.send_fds(self.way, [ABOUT], [file])
        os.close(file)


def serve_client(connection: int, door: int, key: bytes, stop: int, service: Service) -> int:
    """Serve the gateway that has connected to a standing agent.

    Args:
        connection: The socket; taken over, as are `door` and `stop`.
        door: Brings the sockets by which it connects again.
        key: The agent's.
        stop: Can be read when this process is told to end.
        service: What the agent keeps for all clients.

    Returns:
        The exit code.

    Raises:
        CordError: The gateway has another key, or does not say what to serve.
    """
    agent = _core.Agent.accepted(connection, key, door)
    return _serve(agent, stop, _STRANGERS, service)


def _serve(agent: _core.Agent, stop: int, patience: float, service: Service | None = None) -> int:
    try:
        wanted = request.read(agent.welcome(patience))
    except OSError as error:
        raise CordError(f"the gateway does not say what to serve: {error}") from None
    with ExitStack() as ends:
        try:
            _compare(wanted)
            modules = pickle.loads(bytes.fromhex(wanted["modules"]))
            if service is not None:
                service.compare(wanted, modules)
            wanted["path"] = as_ours(wanted["path"], wanted["own_path"], _own_path())
            code = sent.fetch(agent, wanted, _PATIENCE)
            if code is not None:
                ends.callback(code.remove)
            sent.enter_folder(wanted, code)
            added = _level(wanted)
        except CannotServe as problem:
            agent.refuse(f"{socket.gethostname()}: {problem}")
            return 1
        program = Program(wanted, modules, code, added)
        return _serve_program(agent, stop, program, service)


class Program(NamedTuple):
    """What an agent serves.

    Attributes:
        wanted: What the gateway has said of it.
        modules: Its remote modules.
        code: Its files, where they were sent.
        added: What the environment has besides, for a level of processors.
    """

    wanted: dict[str, Any]
    modules: list[RemotePlan]
    code: Unpacked | None
    added: dict[str, str]


def _serve_program(agent: _core.Agent, stop: int, program: Program, service: Service | None) -> int:
    wanted, modules, code, added = program
    environment = _environment(wanted)
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
            environment={**environment, **added},
            hides_seed=wanted["hides_seed"],
        ),
        by=moved.__name__,
        level=anew.note(added, environment),
        moved=None if code is None else [wanted["code"][0], code.folder],
        kept=_kept(),
        own_path=[wanted["own_path"], _own_path()],
    )
    told_of = f"{cores}\n{socket.gethostname()}\n{os.environ.get(PLACE, '')}"
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


def _compare(wanted: dict[str, Any]) -> None:
    """Compare this node with the program's machine.

    Raises:
        CannotServe: They differ.
    """
    theirs = wanted["facts"]
    ours = {
        **facts.of_machine(),
        "distributions": facts.versions(list(theirs.get("distributions", ()))),
    }
    problems = facts.differences(theirs, ours, wanted["cpu"])
    if problems:
        raise CannotServe("; ".join(problems))


def _level(wanted: dict[str, Any]) -> dict[str, str]:
    """What the environment needs besides, where all sides keep to a level of processors.

    Raises:
        CannotServe: This node is below it.
    """
    if wanted["cpu"] != "baseline":
        return {}
    lacking = level.lacks(facts.flags())
    if lacking:
        raise CannotServe(f"{level.said(lacking)} there")
    try:
        return level.variables(_environment(wanted))
    except CordError as error:
        raise CannotServe(str(error)) from None


def _own_path() -> list[str]:
    """What of `sys.path` belongs to this interpreter, which is that of the replicas."""
    return sys.path if sys.flags.safe_path else sys.path[1:]


def _kept() -> list[str]:
    """The names of the variables that are this node's own."""
    return os.environ.get(KEEPS, "").split()


def _environment(wanted: dict[str, Any]) -> dict[str, str]:
    """The program's environment, but for what is the node's; and its interpreter's hash seed."""
    environment: dict[str, str] = dict(wanted["environment"])
    for name in _kept():
        environment.pop(name, None)
        if name in os.environ:
            environment[name] = os.environ[name]
    if wanted["seed"] is not None:
        environment[SEED] = wanted["seed"]
    return environment
