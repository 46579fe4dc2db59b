"""What remote functions write comes out as the plain program writes it, byte for byte."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

DRIVER = """
import contextlib, io, sys
if sys.argv[1] == "plain":
    import work
    call = lambda name: getattr(work, name)()
else:
    from _pickle import dumps
    from cord.engines.local import zygote
    from cord.plan.model import RemotePlan
    started = zygote.start([RemotePlan("work")])
    from cord import _core
    from cord.runtime.io import output
    from cord.runtime.travel import raised
    session = _core.Session([_core.Module("work", 1)], started.control)
    session.load(0, b"", False)
    def call(name):
        ticket = session.issue(0, True, dumps((name, (), {}), 5), [])
        assert ticket.wait(30)
        _, kind, head, _, written = ticket.take()
        if written:
            output.replay(written)
        if kind:
            raise raised.decode_exception(head)
"""

CALLS = """
print("before")
call("write")
print("between", file=sys.stderr)
call("write")
print("after")
"""

CASES = {
    "print": "print('text'); print('more', 1, 'ü')",
    "flush": "print('text', flush=True); os.write(1, b'raw\\n')",
    "raw around text": "os.write(1, b'a\\n'); print('b'); os.write(1, b'c\\n'); sys.stdout.flush()",
    "raw before much text": "os.write(1, b'raw\\n'); print('x' * 20000)",
    "much text before raw": "print('x' * 5000); print('y' * 5000); os.write(1, b'raw\\n')",
    "stderr": "print('oops', file=sys.stderr); os.write(2, b'raw\\n'); sys.stderr.write('end')",
    "buffer": "print('a'); sys.stdout.buffer.write(b'b\\xff\\n'); print('c')",
    "buffer flushed": "print('a', flush=True); sys.stdout.buffer.write(b'b'); sys.stdout.flush()",
    "dunder": "sys.__stdout__.write('dunder\\n'); sys.__stderr__.writelines(['a', 'b'])",
    "subprocess": "subprocess.run(['sh', '-c', 'echo out; echo err >&2'])",
    "os.system": "print('a', flush=True); os.system('echo b'); print('c')",
    "c flushed": "libc.printf(b'from c\\n'); libc.fflush(None); print('python')",
    "c held back": "libc.printf(b'from c\\n'); print('python')",
    "logging": "logging.getLogger().warning('careful')",
    "redirected inside": (
        "with contextlib.redirect_stdout(io.StringIO()) as text: print('inner')\n"
        "    print('got', text.getvalue())"
    ),
    "reconfigure": "sys.stdout.reconfigure(line_buffering=True); print('a'); os.write(1, b'b\\n')",
    "wrapped": (
        "sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='latin-1')\n"
        "    print('ü'); sys.stdout.flush(); sys.stdout.detach(); sys.stdout = sys.__stdout__"
    ),
    "thread": "t = threading.Thread(target=print, args=('in a thread',)); t.start(); t.join()",
    "unencodable": ("try: print('\\ud800')\n    except UnicodeEncodeError as error: print(error)"),
    "looks": (
        "out = sys.stdout\n"
        "    print(out.encoding, out.errors, out.isatty(), out.fileno(), out.name, out.mode)\n"
        "    print(out.line_buffering, out.write_through, out.closed, out.newlines)\n"
        "    print(out.buffer.name, out.readable(), out.writable(), out.seekable())\n"
        "    print(isinstance(out, io.TextIOWrapper))\n"
        "    print(sys.stderr.errors, sys.stderr.line_buffering, sys.stderr.name)"
    ),
    "wrong type": "try: sys.stdout.write(3)\n    except TypeError as error: print(error)",
}

HEADER = """
import contextlib, ctypes, io, logging, os, subprocess, sys, threading
libc = ctypes.CDLL(None)
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a program and its module `work`."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    return tmp_path


def command(
    folder: Path, how: str, body: str, calls: str = CALLS, unbuffered: bool = False
) -> list[str]:
    """Write the program with `write()` made of `body`; return how to run it."""
    (folder / "work.py").write_text(f"{HEADER}\ndef write():\n    {body}\n")
    (folder / "program.py").write_text(DRIVER + dedent(calls))
    options = ["-X", "utf8", *(["-u"] if unbuffered else [])]
    return [sys.executable, *options, str(folder / "program.py"), how]


@pytest.mark.parametrize("body", CASES.values(), ids=CASES.keys())
def test_on_a_pipe(program, body):
    results = []
    for how in ("plain", "remote"):
        done = subprocess.run(
            command(program, how, body), capture_output=True, timeout=30, check=False
        )
        results.append((done.returncode, done.stdout, done.stderr))
    assert results[0] == results[1]


@pytest.mark.parametrize("unbuffered", [False, True], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("body", CASES.values(), ids=CASES.keys())
def test_both_streams_on_one_pipe(program, body, unbuffered):
    results = []
    for how in ("plain", "remote"):
        done = subprocess.run(
            command(program, how, body, unbuffered=unbuffered),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=30,
            check=False,
        )
        results.append(done.stdout)
    assert results[0] == results[1]


@pytest.mark.parametrize("body", CASES.values(), ids=CASES.keys())
def test_on_a_terminal(program, body):
    assert on_terminal(command(program, "plain", body)) == on_terminal(
        command(program, "remote", body)
    )


def on_terminal(words: list[str]) -> bytes:
    """Run a command on a terminal of its own and return what it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:
        pass  # how a terminal says that its last user is gone
    os.close(ours)
    assert process.wait(30) == 0
    return shown


def test_a_client_that_redirects_gets_the_text(program):
    calls = """
    with contextlib.redirect_stdout(io.StringIO()) as text:
        call("write")
    print(repr(text.getvalue()))
    """
    results = [
        subprocess.run(
            command(program, how, "print('a', 'b')", calls), capture_output=True, check=False
        )
        for how in ("plain", "remote")
    ]
    assert results[0].stdout == results[1].stdout == b"'a b\\n'\n"


def test_text_before_an_exception_is_kept(program):
    body = "print('first'); os.write(2, b'raw'); 1 / 0"
    results = [
        subprocess.run(command(program, how, body), capture_output=True, check=False)
        for how in ("plain", "remote")
    ]
    assert results[0].stdout == results[1].stdout
    assert results[0].stderr.splitlines()[-1] == results[1].stderr.splitlines()[-1]


def test_much_raw_output_is_carried_whole(program):
    body = "[os.write(1, b'%07d\\n' % n) for n in range(300000)]"
    results = [
        subprocess.run(command(program, how, body), capture_output=True, check=False)
        for how in ("plain", "remote")
    ]
    assert results[0].stdout == results[1].stdout
