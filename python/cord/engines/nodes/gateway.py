"""The process of the gateway: starts agents, and leads to them until the run is over."""

from __future__ import annotations

import os
import signal
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from cord import _core
from cord.engines.local import zygote
from cord.engines.nodes import launchers, reachable, request
from cord.engines.nodes.addresses import ANY_PORT, address_of
from cord.engines.nodes.launchers import again
from cord.engines.nodes.launchers.watching import tell
from cord.engines.nodes.stopping import told_to_stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from cord.plan.engine_plan import EnginePlan
    from cord.plan.model import RemotePlan

# Seconds that what has started agents may take to end when the run is over.
_GRACE = 2.0


def run(
    plan: EnginePlan,
    contents: tuple[bytes, bytes],
    modules: list[RemotePlan],
    control: int,
    status: int,
    client: int,
    mask: set[int],
    beside: Callable[[bytes], None] | None,
) -> NoReturn:
    """Be the gateway. Never returns into the client's code, whatever happens.

    Args:
        plan: The engine's.
        contents: What agents are told to serve, and the program's code.
        modules: The remote modules.
        control: This side's descriptor of the control socket.
        status: Where the client hears which agents have joined.
        client: Process id of the client.
        mask: The signals to be blocked.
        beside: Does what the client may ask for besides; None where it asks for nothing.
    """
    launched = launchers.Launched()
    try:
        stop = _settle(mask)
        beside_socket = _serve_beside(beside)
        listener, address, key = _listen(plan)
        if address is not None:
            tell(status, "listens", address)
        ends = [stop, *_watch(client)]
        launched = launchers.launch(plan, address, key, os.dup(status), ends)
        anew = again.start(plan, address, key, status, launched)
        _core.run_gateway(
            control,
            ends,
            status,
            *contents,
            [module.transport for module in modules],
            request.resident_bytes(modules),
            plan.reconnect,
            launched.pipes,
            listener,
            key or launched.key,
            beside_socket,
            launched.notices,
            anew,
            [module.threads for module in modules],
            launched.absent,
        )
    except launchers.CannotLaunch as problem:
        text = "\\n".join(str(problem).splitlines())
        with suppress(OSError):
            for _ in range(plan.agents):
                os.write(status, f"failed {text}\n".encode())
    except BaseException as exc:
        zygote.report_crash(_core.Descriptor(os.dup(2)), "the process that leads to agents", exc)
    finally:
        _core.restore_terminal(2)
        launched.end(_GRACE)
        os._exit(0)


def _settle(mask: set[int]) -> int:
    """Be in a session of its own; gives a descriptor that can be read when it is told to end."""
    os.setsid()
    stop = told_to_stop(zygote.TERMINAL_SIGNALS)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    _core.set_process_name("cord")
    return stop


def _watch(client: int) -> list[int]:
    try:
        return [os.pidfd_open(client)]
    except OSError:
        _core.set_parent_death_signal(signal.SIGTERM)
        return []


def _listen(plan: EnginePlan) -> tuple[int | None, str | None, bytes | None]:
    """A socket that agents connect to, its address, and the key of the run, where they need it."""
    if not launchers.connects(plan):
        return None, None, None
    at = plan.listen or reachable.address(plan)
    try:
        listener = socket.create_server(address_of(at, ANY_PORT), backlog=128)
    except (OSError, ValueError) as error:
        raise launchers.CannotLaunch(f"cannot listen at {at}: {error}") from None
    host, port = listener.getsockname()[:2]
    if host == "0.0.0.0":
        host = socket.gethostname()
    return listener.detach(), f"{host}:{port}", _core.new_key()


def _serve_beside(beside: Callable[[bytes], None] | None) -> int | None:
    """A process that does what the client asks for besides; a socket that leads to it."""
    if beside is None:
        return None
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() != 0:
        theirs.close()
        return ours.detach()
    try:
        ours.close()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.nice(5)
        about = theirs.recv(4096)
        if about:
            beside(about)
    finally:
        os._exit(0)
