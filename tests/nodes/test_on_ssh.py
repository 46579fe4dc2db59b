"""Agents that ssh leads to: by a real sshd of the tests' own, where there is one."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_nodes_that_fail import (
    NAPPING,
    NAPS,
    SQUARES,
    agents_of,
    assert_all_gone,
    wait_for,
    wait_for_file,
)

PATIENCE = 20.0
SSHD = shutil.which("sshd", path=f"/usr/sbin:/sbin:{os.environ['PATH']}")
SSH = shutil.which("ssh")
needs_sshd = pytest.mark.skipif(SSHD is None or SSH is None, reason="there is no sshd")

SERVER = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PidFile none
"""
CLIENT = """
Host up again 127.0.0.1
    HostName 127.0.0.1
    Port {port}
Host down
    HostName 127.0.0.1
    Port 1
Host *
    IdentityFile {folder}/user
    IdentitiesOnly yes
    UserKnownHostsFile {folder}/known
    GlobalKnownHostsFile /dev/null
"""
# Where there is no sshd, this is ssh: whoever is "down" cannot be reached.
STAND_IN = """#!/bin/sh
while [ "$1" != "--" ]; do shift; done
shift; host=$1; shift; [ "$host" = down ] && exit 255
exec sh -c "$*"
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def start_server(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """An sshd on this machine's loopback, with keys of its own."""
    for name in ("host", "user"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
        subprocess.run(command, check=True)
    (folder / "known").write_text(f"[127.0.0.1]:{port} {(folder / 'host.pub').read_text()}")
    (folder / "server").write_text(SERVER.format(folder=folder, port=port))
    (folder / "client").write_text(CLIENT.format(folder=folder, port=port))
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # where root's sshd wants to be confined
    server = subprocess.Popen(
        [SSHD, "-D", "-e", "-f", folder / "server"], stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return server
        except ConnectionRefusedError:
            time.sleep(0.02)
    raise AssertionError("sshd does not listen")


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[tuple[str, int]]:
    """A folder with an ssh that knows the hosts "up", "again" and "down"; and sshd's port."""
    folder, port = tmp_path_factory.mktemp("ssh"), free_port()
    ssh = folder / "bin" / "ssh"
    ssh.parent.mkdir()
    if SSHD is None or SSH is None:
        ssh.write_text(STAND_IN)
        ssh.chmod(0o755)
        yield str(ssh.parent), port
        return
    ssh.write_text(f'#!/bin/sh\nexec {SSH} -F {folder / "client"} "$@"\n')
    ssh.chmod(0o755)
    started = start_server(folder, port)
    yield str(ssh.parent), port
    started.terminate()
    started.wait()


@pytest.fixture
def path(server) -> str:
    return f"{server[0]}:{os.environ['PATH']}"


def test_a_program_runs_on_hosts_that_ssh_leads_to(far, path):
    far.write(engine='kind = "ssh"\nhosts = ["up", "again"]\n', work=NAPS, main=NAPPING)
    assert far.run(PATH=path) == (0, SQUARES, "")
    assert_all_gone(far.folder)


@needs_sshd
def test_a_host_may_be_named_by_its_user_and_port(far, server, path):
    host = f"ssh://{getpass.getuser()}@127.0.0.1:{server[1]}"
    far.write(engine=f'kind = "ssh"\nhosts = ["{host}"]\n', work=NAPS, main=NAPPING)
    assert far.run(PATH=path) == (0, SQUARES, "")


def test_hosts_that_ssh_does_not_reach_are_named_and_the_others_serve(far, path):
    far.write(engine='kind = "ssh"\nhosts = ["up", "down"]\n', work=NAPS, main=NAPPING)
    code, stdout, stderr = far.run(PATH=path)
    assert (code, stdout) == (0, SQUARES)
    assert "cord: 1 of 2 agents did not join: down: " in stderr
    far.write(engine='kind = "ssh"\nhosts = ["down"]\n')
    code, stdout, stderr = far.run(PATH=path)
    assert (code, stdout) == (2, "")
    assert "cord: no agent has joined" in stderr


@pytest.mark.parametrize("what", ["agent", pytest.param("ssh", marks=needs_sshd)])
def test_a_node_whose_agent_or_ssh_ends_is_lost_at_once(far, path, what):
    far.write(engine='kind = "ssh"\nhosts = ["up", "again"]\n', work=NAPS, main=NAPPING)
    process = far.start(PATH=path)
    agents = wait_for(far.folder, 2)
    wait_for_file(far.folder / "begun")
    os.kill(agents[0] if what == "agent" else clients_in(far.folder)[0], signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (0, SQUARES), stderr
    assert "is lost: the other side has closed it" in stderr
    assert_all_gone(far.folder)


def test_nothing_is_left_on_hosts_where_the_program_is_killed(far, path):
    far.write(engine='kind = "ssh"\nhosts = ["up"]\n', work=NAPS, main=NAPPING)
    process = far.start(PATH=path)
    wait_for_file(far.folder / "begun")
    process.kill()
    process.communicate()
    assert_all_gone(far.folder)
    assert agents_of(far.folder) == []


def clients_in(folder: Path) -> list[int]:
    """The processes of a run that lead to hosts."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if b"BatchMode=yes" in words and os.readlink(entry / "cwd") == str(folder):
                found.append(int(entry.name))
        except OSError:
            continue
    return found
