"""What a remote function finds around it, and how its calls end."""

from __future__ import annotations

import array
import os
import signal
import sys
import time
import traceback
from ast import literal_eval
from pathlib import Path
from pickle import PickleBuffer

import pytest

from cord import _core
from cord.errors import EncodeError, RemoteInputError
from cord.runtime.travel import codec
from cord.runtime.travel.raised import decode_exception
from needs import skip_without


def test_a_call_returns_its_value(remote):
    module = remote("def add(a, b=1): return a + b")
    assert module.call("add", 1) == 2
    assert module.call("add", "x", b="y") == "xy"


def test_a_call_from_another_version_of_cord_says_so(remote):
    module = remote("def f(): return 1")
    ticket = module.session.issue(0, True, b"\x80\x05.", [], codec=77)
    ticket.demand()
    assert ticket.wait(30.0)
    _, kind, head, *_ = ticket.take()
    error = decode_exception(head)
    assert kind == _core.UNENCODABLE  # who calls makes the call by itself, where it may
    assert isinstance(error, EncodeError)
    assert error.message.endswith("encoded by codec 77; known here are: 0")
    assert module.call("f") == 1


class Literals:
    """A codec of plain data; see `codec.Codec`."""

    def encode(self, value, buffers):
        if callable(value):
            raise EncodeError("a function is no plain data")
        return repr(value).encode(), True

    def decode(self, head, buffers):
        return literal_eval(head.decode())


def test_a_call_is_answered_in_its_own_codec(remote, monkeypatch):
    monkeypatch.setitem(codec.CODECS, 5, Literals())  # replicas are forked from this process
    module = remote("def f(x, y=1): return [x, y] if x else f")

    def outcome(call):
        ticket = module.session.issue(0, True, repr(call).encode(), [], codec=5)
        ticket.demand()
        assert ticket.wait(30.0)
        return ticket.take()[1:3]

    assert outcome(("f", (2,), {"y": "z"})) == (_core.VALUE, b"[2, 'z']")
    kind, head = outcome(("f", (), {}))
    assert (kind, type(decode_exception(head))) == (_core.ERROR, TypeError)
    kind, head = outcome(("f", (0,), {}))
    assert (kind, str(decode_exception(head))) == (
        _core.UNENCODABLE,
        "a function is no plain data",
    )
    assert module.call("f", 3) == [3, 1]


def test_only_what_is_not_usual_is_a_matter_for_python(remote):
    module = remote(
        """
        import sys
        def caller(*args): return sys._getframe(1).f_code.co_name
        """
    )
    assert module.call("caller", 1, 2.0, "text", None) == "serve"
    assert module.call("caller", [1]) == "_answer"


def test_what_a_name_of_the_module_means_is_looked_up_at_each_call(remote):
    module = remote(
        """
        import sys
        def f(x): return ("first", x)[0]
        def change():
            global f
            f = "nothing that can be called"
        def change_once_more():
            global f
            del f
            sys.modules[__name__].__class__ = Other
        class Other(type(sys)):
            def f(self, x): return "its class's"
        """
    )
    assert module.call("f", 1) == "first"
    module.call("change")
    with pytest.raises(TypeError, match="not callable"):
        module.call("f", 1)
    module.call("change_once_more")
    assert module.call("f", 1) == "its class's"


def test_a_function_calls_its_own_module_locally(remote):
    module = remote(
        """
        import os
        def outer(): return inner(), os.getpid()
        def inner(): return os.getpid()
        """
    )
    inner, outer = module.call("outer")
    assert inner == outer != os.getpid()


def test_the_module_has_its_own_name_and_main_is_empty(remote):
    module = remote(
        """
        import sys
        def name(): return __name__
        def main(): return [n for n in vars(sys.modules["__main__"]) if not n.startswith("__")]
        def arguments(): return sys.argv
        def path(): return sys.path
        """
    )
    assert module.call("name").startswith("remote_")
    assert module.call("main") == []
    assert module.call("arguments") == sys.argv
    assert module.call("path") == sys.path


def test_large_buffers_arrive_writable_and_private(remote):
    module = remote(
        """
        from pickle import PickleBuffer
        def double(buffer):
            view = memoryview(buffer)
            view[0] = 7
            return len(view), PickleBuffer(bytearray(view))
        """
    )
    mine = array.array("B", bytes(1 << 20))
    length, back = module.call("double", PickleBuffer(mine))
    assert length == 1 << 20
    assert memoryview(back)[0] == 7
    assert mine[0] == 0


@pytest.mark.parametrize("code", [0, 3, "text", None])
def test_sys_exit_travels_as_itself(remote, code):
    module = remote("import sys\ndef leave(code): sys.exit(code)")
    with pytest.raises(SystemExit) as raised:
        module.call("leave", code)
    assert raised.value.code == code


def test_base_exceptions_travel_and_the_replica_lives_on(remote):
    module = remote(
        """
        import os, signal
        def interrupt(): signal.raise_signal(signal.SIGINT)
        def stop(): raise StopIteration(5)
        def end(): raise GeneratorExit
        def pid(): return os.getpid()
        """
    )
    before = module.call("pid")
    for name, kind in [
        ("interrupt", KeyboardInterrupt),
        ("stop", StopIteration),
        ("end", GeneratorExit),
    ]:
        with pytest.raises(kind):
            module.call(name)
    assert module.call("pid") == before


def test_a_traceback_begins_in_the_remote_module(remote):
    module = remote("def fail(x):\n    raise ValueError(x)\n")
    with pytest.raises(ValueError, match="oh") as raised:
        module.call("fail", "oh")
    last = traceback.extract_tb(raised.tb)[-1]
    assert (last.name, last.lineno, last.line) == ("fail", 2, "raise ValueError(x)")
    assert not any("engines/local" in frame.filename for frame in traceback.extract_tb(raised.tb))


def test_wrong_arguments_are_a_type_error_without_remote_frames(remote):
    module = remote("def one(x): return x")
    with pytest.raises(TypeError, match="missing 1 required positional argument") as raised:
        module.call("one")
    assert all("remote_" not in frame.filename for frame in traceback.extract_tb(raised.tb))


def test_a_result_that_cannot_travel_is_named(remote):
    module = remote("def handlers(): return {'on': [print, (x for x in '')]}")
    said = r"the result of handlers\(\): \['on'\]\[1\] is a generator"
    with pytest.raises(EncodeError, match=said):
        module.call("handlers")


def test_a_function_that_the_replica_lacks_is_named(remote):
    module = remote("")
    with pytest.raises(EncodeError, match=r"the replica has no function nowhere\(\)"):
        module.call("nowhere")


def test_an_import_that_fails_is_told_with_its_own_traceback(remote):
    module = remote("import sys\nprint('noise')\nraise LookupError('broken')")
    kind, head = module.outcome("anything")
    assert kind == "unavailable"
    error = decode_exception(head)
    assert isinstance(error, LookupError)
    frames = traceback.extract_tb(error.__traceback__)
    assert [frame.line for frame in frames] == ["raise LookupError('broken')"]


@pytest.mark.parametrize(
    "reading",
    [
        "input()",
        "sys.stdin.read()",
        "sys.stdin.readline()",
        "list(sys.stdin)",
        "sys.stdin.buffer.read()",
        "sys.__stdin__.fileno()",
    ],
)
def test_reading_stdin_is_refused(remote, reading):
    module = remote(f"import sys\ndef read(): return {reading}")
    with pytest.raises(RemoteInputError, match="pass what was read as an argument"):
        module.call("read")


def test_a_replica_that_exits_is_replaced(remote):
    module = remote("import os\ndef die(): os._exit(7)\ndef pid(): return os.getpid()")
    first = module.call("pid")
    kind, pid, status, _, may_have_run = module.outcome("die", pure=False)
    assert (kind, pid, may_have_run) == ("lost", first, True)
    assert os.waitstatus_to_exitcode(status) == 7
    assert module.call("pid") != first


def test_a_replica_that_is_killed_says_by_which_signal(remote):
    module = remote("import os, signal\ndef die(): os.kill(os.getpid(), signal.SIGKILL)")
    _, _, status, _, _ = module.outcome("die", pure=False)
    assert os.WTERMSIG(status) == signal.SIGKILL


def test_a_signal_between_calls_ends_a_replica_quietly(remote, capfd):
    module = remote("import os\ndef pid(): return os.getpid()")
    first = module.call("pid")
    os.kill(first, signal.SIGINT)
    while Path(f"/proc/{first}").exists():
        time.sleep(0.01)
    assert module.call("pid") != first
    assert capfd.readouterr() == ("", "")


def test_a_forked_child_of_a_remote_function_serves_no_calls(remote):
    module = remote(
        """
        import os, sys
        def fork(code):
            pid = os.fork()
            if pid == 0:
                print("from the child")
                if code:
                    sys.exit(code)
                return "never seen"
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        """
    )
    assert module.call("fork", 0) == 0
    assert module.call("fork", 5) == 5


def test_descriptors_of_cord_are_not_inherited_by_subprocesses(remote):
    module = remote(
        """
        import subprocess
        def listing():
            return subprocess.run(
                ["ls", "-l", "/proc/self/fd"], capture_output=True, text=True, close_fds=False
            ).stdout
        """
    )
    assert "socket:" not in module.call("listing")


def test_multiprocessing_works_inside_a_remote_function(remote):
    skip_without("locks")
    module = remote(
        """
        import multiprocessing
        def square(x): return x * x
        def squares(n):
            with multiprocessing.get_context("fork").Pool(2) as pool:
                return pool.map(square, range(n))
        """
    )
    assert module.call("squares", 5) == [0, 1, 4, 9, 16]
