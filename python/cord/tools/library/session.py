"""A session in a running program: remote modules in replicas until it is closed."""

from __future__ import annotations

import atexit
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, MethodType, ModuleType, TracebackType
from typing import Any, Self, TypeVar

from cord._core import RemoteFunction, running_code
from cord.engines import engine_of
from cord.errors import CordError
from cord.plan.model import RemotePlan
from cord.plan.program import running
from cord.plan.read import read_plan
from cord.runtime.births.births import Births
from cord.runtime.client.answers import Answers
from cord.runtime.client.facade import is_own_function, public_functions, remove_facade
from cord.runtime.client.remotes import RemoteFinder
from cord.runtime.client.session import Session
from cord.runtime.client.translated import compile_module
from cord.runtime.guards import harmless
from cord.silence import silence
from cord.tools.library.bindings import Bindings
from cord.tools.library.codes import Codes, find
from cord.tools.library.sources import Sources
from cord.tools.names import assumed_names, read_project
from cord.translate.code import with_sets_of
from cord.translate.results import MAIN
from cord.translate.sites.sites import Site
from cord.translate.sites.survey import Region
from cord.translate.translation import Translation

Target = TypeVar("Target")
_MAIN_TABLE = "remote.__main__"


class OpenSession:
    """An open session; `cord.session` opens it, the end of its `with` block closes it.

    Args:
        plan: Path of the plan.
        ahead: Functions and modules to begin with, as for `ahead`.

    Raises:
        CordError: The plan is wrong, a session is open already, or a function cannot be translated.
    """

    def __init__(
        self,
        plan: str | os.PathLike[str] = "cord.toml",
        ahead: Iterable[Callable[..., Any] | ModuleType] = (),
    ) -> None:
        if any(isinstance(finder, RemoteFinder) for finder in sys.meta_path):
            raise CordError(
                "this process has a session already", "close it first; a run has one at a time"
            )
        program = running()
        self._plan = read_plan(os.fspath(plan), [], program)
        engine = engine_of(self._plan)
        remote = self._plan.remote
        self._project = read_project(self._plan, program)
        self._translation = Translation(self._project)
        answers = Answers(self._project.remote, lambda: self._translation)
        self._sources = Sources(self._project, program.folder)
        self._codes = Codes()
        self._module_codes: dict[str, tuple[Any, Any]] = {}
        self._replicas = engine.join(list(remote.values()))
        self._plan = self._plan.on_cores(engine.cores())
        remote = self._plan.remote
        self._births = Births(answers, {name: remote[name].replicas for name in remote})
        self._session = Session(self._plan, self._replicas.control)
        self._bindings = Bindings(self._session.functions)
        self._finder = RemoteFinder(remote, self._session.serving)
        self._pid = os.getpid()
        self._is_open = True
        ahead = list(ahead)
        self._serve_all(assumed_names(self._plan, program), ahead)
        atexit.register(self.close)
        try:
            for target in ahead:
                self.ahead(target)
        except BaseException:
            self.close()
            raise

    def _serve_all(self, assumed: frozenset[str], ahead: list[Any]) -> None:
        harmless.assume(assumed)
        self._finder.install()
        for name, remote in self._plan.remote.items():
            if remote.is_program:
                self._serve_main(remote, ahead)
            elif name in sys.modules:
                with self._session.serving(sys.modules[name]):
                    pass  # it has been executed

    def _serve_main(self, plan: RemotePlan, ahead: list[Any]) -> None:
        """Make remote what the main script, or a notebook, has defined by now.

        Not what makes the calls: the functions that are named for that.
        """
        main = sys.modules[MAIN]
        for name in public_functions(main, plan.only):
            function = vars(main)[name]
            is_client = name == "main" or any(one is function for one in ahead)
            if plan.only is not None or not is_client:
                self._replace_in_main(name, function)

    def _replace_in_main(self, name: str, function: Any) -> Any:
        remote = self._session.own(name)(function)
        self._bindings.replace(vars(sys.modules[MAIN]), name, function, remote)
        return remote

    def remote(self, function: Target) -> Target:
        """Make a function of the main script, or of a notebook's cell, remote; for decorators.

        The plan has a table `[remote.__main__]`. Functions that were there when the session was
        opened are remote without it. What the function needs of the main script travels with its
        calls.

        Args:
            function: The function, which `__main__` defines.

        Returns:
            The remote function; `__main__` has it under the function's name until the session is
            closed.

        Raises:
            CordError: The session is closed, the plan has no such table, or this cannot be remote.
        """
        self._require_open()
        plan = next((one for one in self._plan.remote.values() if one.is_program), None)
        name = getattr(function, "__name__", repr(function))
        if plan is None:
            raise CordError(
                f"{name} cannot be remote: {self._plan.path} has no table [{_MAIN_TABLE}]",
                f"add [{_MAIN_TABLE}] with pure = true",
            )
        if type(function) is RemoteFunction:
            return function
        if not is_own_function(function, MAIN):
            raise CordError(
                f"{name} cannot be remote here: it is no function that {MAIN} defines, or its "
                "result cannot travel",
                "functions of a module have the module's own table, as [remote.work]",
            )
        if plan.only is not None and name not in plan.only:
            raise CordError(
                f"{name} is not remote: {_MAIN_TABLE}.only of {self._plan.path} leaves it out",
                f'add "{name}" to only, or leave only out',
            )
        made: Target = self._replace_in_main(name, function)
        return made

    def ahead(self, target: Target) -> Target:
        """Translate a function, so that its remote calls are made ahead; usable as a decorator.

        The functions of the project that it calls are translated with it. All of them get their own
        code back when the session is closed.

        Args:
            target: A function, a method, something that wraps one, or a class or a module for all
                their functions. Its source must be at hand: a file, or a cell of a notebook.

        Returns:
            What was given, unchanged.

        Raises:
            CordError: The session is closed, or there is nothing that can be translated.
        """
        self._require_open()
        for function in _functions_of(target):
            self._translate(function)
        return target

    def _require_open(self) -> None:
        if not self._is_open:
            raise CordError("this session is closed", "open another one: cord.session(...)")

    def close(self) -> None:
        """End the replicas; remote functions are local again. May be called twice."""
        if not self._is_open:
            return
        self._is_open = False
        atexit.unregister(self.close)
        self._codes.restore()
        self._bindings.restore()
        for remote in self._plan.remote.values():
            for name in (remote.module, *(home for home, _ in remote.homes.values())):
                if name in sys.modules:
                    remove_facade(sys.modules[name])
        self._finder.remove()
        harmless.assume(frozenset())
        if os.getpid() == self._pid:  # a forked child has no replicas
            self._session.leave()
            self._births.close()
            self._replicas.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    # ---- translation ---------------------------------------------------------------------------

    def _translate(self, first: FunctionType) -> None:
        """Translate a function, and those of the project that it calls."""
        waiting = [first]
        while waiting:
            function = waiting.pop()
            if self._codes.has(function):
                continue
            is_remote = isinstance(function, RemoteFunction)
            if is_remote or function.__module__ in self._plan.remote.keys() - {MAIN}:
                raise CordError(
                    f"{function.__qualname__} belongs to the remote module {function.__module__}",
                    "name the functions that call it",
                )
            self._bindings.rebind(function)
            with silence():
                name = self._sources.add(function)
                self._births.project_grew()
                sites = self._sites_in(name, function)
                if sites:
                    self._replace(name, function)
            waiting += self._called(sites)

    def _sites_in(self, name: str, function: FunctionType) -> list[Site]:
        """The calls in a function that lead to remote ones."""
        sites = self._translation.scouts.found(name).sites
        return [site for site in sites if site.region and _belongs(site.region, function)]

    def _replace(self, name: str, function: FunctionType) -> None:
        plain, code = self._code_of(name)
        before, after = find(plain, function), find(code, function)
        if before is None or after is None:
            raise CordError(
                f"{function.__qualname__} is not found in {function.__code__.co_filename}",
                "import it anew if the file has changed",
            )
        made = with_sets_of(after, running_code(function))
        for key, known in self._births.codes.items():
            self._births.codes[key] = made.get(id(known), known)
        self._codes.replace(function, before, made[id(after)])

    def _code_of(self, name: str) -> tuple[Any, Any]:
        """A module's code, plain and translated."""
        if name not in self._module_codes:
            module = self._project.modules[name]
            plain = compile(module.source, module.path, "exec", dont_inherit=True)
            translated = compile_module(self._births, name, module.source, module.path)
            self._module_codes[name] = plain, translated
        return self._module_codes[name]

    def _called(self, sites: list[Site]) -> Iterator[FunctionType]:
        """The live functions of the project that calls lead to."""
        for site in sites:
            for module, name in self._project.candidates(site.meaning):
                live = self._live(module, name)
                if live is not None:
                    yield live

    def _live(self, module: str, name: str) -> FunctionType | None:
        """The function that a name of a file of the project leads to now."""
        value: Any = None
        namespace = self._sources.globals.get(module)
        if namespace is None and module in sys.modules:
            namespace = sys.modules[module].__dict__
        owner, _, attribute = name.rpartition(".")
        if namespace is not None and owner:
            value = vars(namespace.get(owner, object)).get(attribute)
        elif namespace is not None:
            value = namespace.get(name)
        path = self._project.modules[module].path
        if isinstance(value, FunctionType) and value.__code__.co_filename == path:
            return value
        return None


def _belongs(region: Region, function: FunctionType) -> bool:
    own = function.__qualname__.replace(".<locals>", "")
    return region.name == own or region.name.startswith(f"{own}.")


def _functions_of(target: Any) -> Iterator[FunctionType]:
    if isinstance(target, ModuleType):
        yield from _functions_in(target, target.__name__)
        return
    if isinstance(target, type):
        yield from _functions_in(target, target.__module__)
        return
    function = _plain_function(target)
    if function is None:
        raise CordError(
            f"{target!r} is not a function that is written in Python",
            "name a function, a class or a module",
        )
    yield function


def _functions_in(owner: ModuleType | type, module: str) -> Iterator[FunctionType]:
    """The functions that a module or a class defines itself, and those in classes there."""
    prefix = f"{owner.__qualname__}." if isinstance(owner, type) else ""
    for name, value in list(vars(owner).items()):
        if isinstance(value, type):
            if (value.__module__, value.__qualname__) == (module, prefix + name):
                yield from _functions_in(value, module)
            continue
        for one in (value.fget, value.fset) if isinstance(value, property) else (value,):
            function = _plain_function(one)
            if function is not None and function.__module__ == module:
                yield function


def _plain_function(value: Any) -> FunctionType | None:
    """The function inside what may be a method, a decorated function or a descriptor."""
    if isinstance(value, (staticmethod, classmethod, MethodType)):
        value = value.__func__
    function = inspect.unwrap(value) if callable(value) else None
    return function if isinstance(function, FunctionType) else None
