"""An agent: serves a node for one run, with a zygote of its own."""

from __future__ import annotations

import os
import pickle
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

from cord import _core
from cord.engines.local import fresh
from cord.engines.local.zygote import TERMINAL_SIGNALS
from cord.engines.nodes import anew, facts, level, moved, request, sent
from cord.engines.nodes.launchers import CORES, KEY
from cord.engines.nodes.sent import CannotServe
from cord.engines.nodes.stopping import told_to_stop
from cord.errors import CordError

if TYPE_CHECKING:
    from typing import Any

    from cord.engines.nodes.kept_code import Unpacked

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
    with ExitStack() as ends:
        try:
            _compare(wanted)
            code = sent.fetch(agent, wanted, _PATIENCE)
            if code is not None:
                ends.callback(code.remove)
            sent.enter_folder(wanted, code)
            added = _level(wanted)
        except CannotServe as problem:
            agent.refuse(f"{socket.gethostname()}: {problem}")
            return 1
        return _serve_program(agent, stop, wanted, code, added)


def _serve_program(
    agent: _core.Agent,
    stop: int,
    wanted: dict[str, Any],
    code: Unpacked | None,
    added: dict[str, str],
) -> int:
    modules = pickle.loads(bytes.fromhex(wanted["modules"]))
    environment = _environment(wanted)
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
    )
    cores = os.environ.get(CORES) or len(os.sched_getaffinity(0))
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


def _environment(wanted: dict[str, Any]) -> dict[str, str]:
    """The program's environment, and the hash seed that its interpreter has."""
    environment: dict[str, str] = dict(wanted["environment"])
    if wanted["seed"] is not None:
        environment["PYTHONHASHSEED"] = wanted["seed"]
    return environment
