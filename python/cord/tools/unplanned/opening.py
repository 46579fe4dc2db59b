"""In the midst of a run: replicas are forked, and functions of the program become remote."""

from __future__ import annotations

import os
import signal
import sys

from cord import _core
from cord.runtime.client.facade import remove_facade
from cord.tools.unplanned import verdicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, ModuleType
    from typing import Any, Final

    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.tools.explain.told import Report
    from cord.tools.unplanned.choice import Taken

# Who stands in one of these may hold a lock of Python's own library, or has half a module.
_LOCKING: Final = ("importlib", "threading", "queue", "logging", "concurrent", "multiprocessing")
# Seconds, and such a part of what calls have taken, that may be lost by sending them.
_LOST: Final = 0.25
# Libraries whose threads a forked process waits for in vain.
_TEAMS: Final = (b"/libgomp", b"/libiomp", b"/libomp", b"/libtbb")


class Opened:
    """Functions of a running program in replicas, until its end.

    Args:
        program: The program, as it runs.
        chosen: The functions.
        tree: The plan, as a dict.
        blocked: The signals that the program blocks.
        report: Makes what is told of the run; None for nothing.

    Attributes:
        files: The files of the project's modules.

    Raises:
        CordError: The plan cannot be had.
        OSError: The system has no room for replicas.
    """

    def __init__(
        self,
        program: Program,
        chosen: list[Taken],
        tree: dict[str, Any],
        blocked: set[int],
        report: Callable[[Plan], Report] | None = None,
    ) -> None:
        from cord.engines.local import zygote
        from cord.plan.read import read_given
        from cord.runtime.client import modules
        from cord.runtime.client.importing import LaterFinder
        from cord.runtime.client.session import Session
        from cord.runtime.objects.reach import modules_of_project
        from cord.tools.library.bindings import Bindings
        from cord.tools.run import import_what_all_need

        self.plan = plan = read_given(tree, program)
        import_what_all_need(plan)
        own = modules_of_project()
        found = {name: _file(module) for name, module in own.items()}
        files = {name: file for name, file in found.items() if file is not None}
        self.files = list(files.values())
        self._report = None if report is None else report(plan)
        modules.begin_midway()
        self._zygote = zygote.fork_midway(list(plan.remote.values()), files, sys.path[:], blocked)
        self.session = session = Session(plan, self._zygote.control)
        self._bindings = Bindings(session.functions)
        self._finder = LaterFinder(plan.remote, session.serving)
        self._sent = -1
        try:
            self._make_remote(own, chosen)
        except BaseException:
            self.leave()
            raise
        if self._report is not None:
            self._report.follow(session, None)

    def _make_remote(self, own: dict[str, ModuleType], chosen: list[Taken]) -> None:
        from cord import own as cords
        from cord.runtime.client import modules

        plan, session, bindings = self.plan, self.session, self._bindings
        sys.meta_path[:] = [one for one in sys.meta_path if one is not cords.Finder]
        self._finder.install()
        for remote in plan.remote.values():
            if not remote.is_program:
                session.adopt(sys.modules[remote.module])
        main = own.get("__main__")
        for one in chosen:
            if one.function.module == "__main__" and main is not None:
                name, value, owner = one.function.name, one.function.value, one.function.owner
                remote_one = session.own(name)(value)
                if owner is None:
                    bindings.replace(vars(main), name, value, remote_one)
                else:
                    bindings.replace_method(owner, name.rpartition(".")[2], remote_one)
        for name, module in own.items():
            if name not in plan.remote:  # its own code calls its own functions, unless `inside`
                bindings.rebind_names(vars(module))
            modules.note(module)

    def is_idle(self) -> bool:
        """Whether no call was sent since this was asked last, as all were too short for that."""
        remote = self.session.remote_functions()
        sent = sum(_core.shipped_from(one)[0] for one in remote)
        before, self._sent = self._sent, sent
        return sent == before and any(_core.inlined_state(one) is not None for one in remote)

    def is_losing(self) -> bool:
        """Whether to send calls does not pay.

        The program has spent more on them than they took, or makes them all itself after all.
        """
        if all(_core.stayed(one) is not None for one in self.session.remote_functions()):
            return True
        told = [_core.shipped_from(one) for one in self.session.remote_functions()]
        spent, service = sum(one[1] for one in told), sum(one[2] for one in told)
        return spent - service > max(_LOST, _LOST * service)

    def give_back(self) -> None:
        """Let all names lead to the functions themselves again."""
        self._bindings.restore()
        for name in self.plan.remote.keys() & sys.modules.keys():
            remove_facade(sys.modules[name])

    @property
    def has_gained(self) -> bool:
        """Whether calls were made ahead of the program."""
        return any(_core.shipped_from(one)[3] for one in self.session.remote_functions())

    def learnt(self) -> dict[str, str]:
        """What becomes of each of the functions, by its full name, as replicas have found out."""
        functions = self.session.remote_functions()
        origins = [(one, _core.original_of(one)) for one in functions]
        return {f"{f.__module__}.{f.__qualname__}": verdicts.learnt(one) for one, f in origins}

    def wait_for_threads(self) -> None:
        """As `cord.engines.base.Replicas.wait_for_threads`."""
        self._zygote.wait_for_threads()

    def leave(self) -> None:
        """Replicas end, and the program goes on: all is as it was before."""
        self.give_back()
        sys.meta_path.remove(self._finder)
        self.session.leave()
        self._zygote.close()

    def close(self) -> None:
        """The program has ended."""
        self._bindings.forget()
        self.session.close()
        if self._report is not None:
            self._report.tell()
        self._zygote.close_meanwhile()


def is_a_moment(frame: FrameType | None) -> bool:
    """Whether the program may be forked here: it seems to hold no lock of Python's library.

    Args:
        frame: The innermost frame of the program's.
    """
    if any(getattr(stream, "closed", False) for stream in (sys.stdout, sys.stderr)):
        return False
    if sys.exc_info()[1] is not None:  # it would be the context of what replicas raise
        return False
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if isinstance(name, str) and name.partition(".")[0] in _LOCKING:
            return False
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return False
        frame = frame.f_back
    return True


def handles_signals() -> bool:
    """Whether the program has handlers of its own: what they raise is the function's to catch."""
    usual = (signal.SIG_DFL, signal.SIG_IGN, signal.default_int_handler, None)
    return any(signal.getsignal(one) not in usual for one in signal.valid_signals())


def is_held(frame: FrameType | None, chosen: list[Taken]) -> bool:
    """Whether a variable of a function under way is one of these functions: it may be compared.

    Args:
        frame: The innermost frame of the program's.
        chosen: The functions.
    """
    functions = {id(one.function.value) for one in chosen}
    while frame is not None:
        held = _core.held_by(frame, frame.f_code.co_nlocals) or ()
        if any(id(value) in functions for value in held):
            return True
        frame = frame.f_back
    return False


def can_fork() -> bool:
    """Whether a process that is forked from this one could do the same: it has one thread."""
    if len(sys._current_frames()) > 1:
        return False
    threads = len(os.listdir("/proc/self/task"))
    if threads == 1:
        return True
    with open("/proc/self/maps", "rb") as file:
        maps = file.read()
    return not any(team in maps for team in _TEAMS)


def in_the_way(chosen: list[Taken]) -> set[str]:
    """The full names of functions that something else than a module's name refers to.

    Something that has one of them by itself would go on with it, and tell that the name leads to
    something else now.
    """
    import gc

    found = set()
    functions: dict[int, str] = {}
    values = []
    namespaces = {id(names) for names in map(_names, list(sys.modules.values()))}
    for one in chosen:
        value, owner = one.function.value, one.function.owner
        if getattr(value, "__code__", None) is one.function.code:
            functions[id(value)] = one.function.full
            values.append(value)
            namespaces |= _places_in(owner, one.function.name) if owner else set()
        else:
            found.add(one.function.full)  # decorated, or bound to something else
    own = object()  # in what is asked with, which is among the holders since Python 3.13
    for holder in gc.get_referrers(*values, own):
        if id(holder) in namespaces or holder is values or _is_ours(type(holder)):
            continue
        if type(holder) is tuple and holder and holder[-1] is own:
            continue
        held = {functions[id(one)] for one in gc.get_referents(holder) if id(one) in functions}
        found |= held
    return found


_FRAME: Final = type(sys._getframe())
_module_of: Final = type.__dict__["__module__"].__get__  # asks no metaclass of the program's


def _is_ours(kind: type) -> bool:
    """Whether objects of this class are frames, or what Cord has noted in an earlier session."""
    module = _module_of(kind)
    is_cords = isinstance(module, str) and module.startswith("cord.")
    return is_cords or kind is _FRAME or kind is _core.RemoteFunction


def _places_in(owner: type, name: str) -> set[int]:
    """The identities of what a class has a method by: its namespace, and `staticmethod`s."""
    import gc

    names = (id(one) for one in gc.get_referents(owner) if type(one) is dict)
    return {id(vars(owner)[name.rpartition(".")[2]]), *names}


def _file(module: ModuleType) -> str | None:
    file = getattr(module, "__file__", None)
    return os.path.abspath(file) if isinstance(file, str) else None


def _names(module: object) -> object:
    return getattr(module, "__dict__", None)
