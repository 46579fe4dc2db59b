"""What a session has while it is open: replicas, remote functions, translated code."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from cord import _core
from cord._core import running_code
from cord.engines import engine_of
from cord.errors import CordError
from cord.plan.model import Plan, RemotePlan
from cord.plan.program import Program
from cord.runtime.births.births import Births
from cord.runtime.client.answers import Answers
from cord.runtime.client.facade import public_functions, remove_facade
from cord.runtime.client.remotes import RemoteFinder
from cord.runtime.client.session import Session
from cord.runtime.client.translated import compile_module
from cord.runtime.guards import harmless
from cord.silence import silence
from cord.tools.library.bindings import Bindings
from cord.tools.library.codes import Codes, compiled_alone, find, is_same
from cord.tools.library.sources import Sources
from cord.tools.names import assumed_ahead, read_project
from cord.tools.report.stats import row_of
from cord.tools.report.table import Row
from cord.translate.code import with_sets_of
from cord.translate.results import MAIN
from cord.translate.sites.sites import Site
from cord.translate.sites.survey import Region
from cord.translate.translation import Translation


class Opened:
    """Remote modules in replicas, and translated functions, until it is closed.

    Args:
        plan: The plan.
        program: The program that runs.
        ahead: What makes its calls ahead; functions of the main script among it are not remote.

    Attributes:
        plan: The plan, for the cores that there are.
    """

    def __init__(self, plan: Plan, program: Program, ahead: list[Any]) -> None:
        engine = engine_of(plan)
        self._project = read_project(plan, program)
        self._translation = translation = Translation(self._project)
        # not by `self`: native objects keep answers for good, and descriptors would stay open
        answers = Answers(self._project.remote, lambda: translation)
        self._sources = Sources(self._project, program.folder)
        self._codes = Codes()
        self._module_codes: dict[str, tuple[Any, Any]] = {}
        self._replicas = engine.join(list(plan.remote.values()))
        self.plan = plan.on_cores(engine.cores())
        remote = self.plan.remote
        self._births = Births(answers, {name: remote[name].places for name in remote})
        self._session = Session(self.plan, self._replicas.control)
        self._session.keep_tallies()
        self._bindings = Bindings(self._session.functions)
        self._finder = RemoteFinder(remote, self._session.serving)
        self._pid = os.getpid()
        self._ahead = ahead
        self._serve_all(assumed_ahead(self.plan, program))

    def _serve_all(self, assumed: frozenset[str]) -> None:
        harmless.assume(assumed)
        self._finder.install()
        for name, remote in self.plan.remote.items():
            if not remote.is_program and name in sys.modules:
                with self._session.serving(sys.modules[name]):
                    pass  # it has been executed
        self._serve_main()

    @property
    def main(self) -> RemotePlan | None:
        """What the plan says of functions of the main script, or of a notebook's cells."""
        return next((one for one in self.plan.remote.values() if one.is_program), None)

    def _serve_main(self) -> None:
        """Make remote what the main script, or a notebook, has defined by now.

        Not what makes the calls: the functions that are named for that.
        """
        if self.main is None:
            return
        main = sys.modules[MAIN]
        for name in public_functions(main, self.main.only):
            function = vars(main)[name]
            is_client = name == "main" or any(one is function for one in self._ahead)
            if self.main.only is not None or not is_client:
                self.make_remote(name, function)

    def make_remote(self, name: str, function: Any) -> Any:
        """Make a function of the main script remote; it has that name there.

        Returns:
            The remote function.
        """
        remote = self._session.own(name)(function)
        self._bindings.replace(vars(sys.modules[MAIN]), name, function, remote)
        return remote

    def remote(self, original: Any) -> Any:
        """What stands for a function of a remote module, or itself."""
        return self._session.functions.get(id(original), original)

    def close(self) -> None:
        """End the replicas; remote functions are local again."""
        self._codes.restore()
        self._bindings.restore()
        for remote in self.plan.remote.values():
            for name in (remote.module, *(home for home, _ in remote.homes.values())):
                if name in sys.modules:
                    remove_facade(sys.modules[name])
        self._finder.remove()
        harmless.assume(frozenset())
        if os.getpid() == self._pid:  # a forked child has no replicas
            self._session.leave()
            self._births.close()
            self._replicas.close()

    def rows(self) -> list[Row]:
        """The calls so far, by place; of those that the text does not show, by function."""
        rows = [
            row_of(place, "", "", self._births.tally(*site), self._births.sums(*site))
            for site, place in self._remote_sites()
        ]
        for function in self._session.functions.values():
            tally, _, sums = _core.tally_of(function)
            original = _core.original_of(function)
            rows.append(row_of(f"{original.__module__}.{original.__name__}", "", "", tally, sums))
        return [row for row in rows if row.calls or row.in_vain]

    def _remote_sites(self) -> Iterator[tuple[tuple[str, int], str]]:
        answers = self._births.answers
        for module, index in self._births.sites:
            if answers.sites(module)[index].module in self.plan.remote:
                path, line = answers.modules()[module], answers.places(module)[index][0]
                yield (module, index), f"{path}:{line.rpartition(':')[2]}"

    def rebind_names(self, namespace: dict[str, Any]) -> None:
        """Let global names that were bound to remote functions before lead to replicas."""
        self._bindings.rebind_names(namespace)

    def compiled(self, text: str, path: str, namespace: dict[str, Any]) -> CodeType:
        """Code that stands in no module, translated: its remote calls are made ahead.

        Args:
            text: The code.
            path: What tracebacks call its file.
            namespace: The global names with which it is to be run.

        Raises:
            SyntaxError: As plain compilation would.
        """
        plain = compile(text, path, "exec", dont_inherit=True)  # it may warn, or not be Python
        self._serve_main()  # what was defined meanwhile
        self.rebind_names(namespace)
        with silence():
            name = self._sources.add_text(text.encode(), path, namespace)
            self._births.project_grew()
            code = compile_module(self._births, name, text.encode(), path)
            made = self._with_sets_of(code, plain)
            sites = self._translation.scouts.found(name).sites
        for function in self._called(sites):
            self.translate(function)
        return made

    # ---- translation ---------------------------------------------------------------------------

    def translate(self, first: FunctionType) -> None:
        """Translate a function, and those of the project that it calls.

        Raises:
            CordError: It is a remote one, or its source is not there or is not what runs.
        """
        waiting = [first]
        while waiting:
            function = waiting.pop()
            if self._codes.has(function):
                continue
            is_remote = isinstance(function, _core.RemoteFunction)
            if is_remote or function.__module__ in self.plan.remote.keys() - {MAIN}:
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
        own = running_code(function)
        if not is_same(own, before):
            module = self._project.modules[name]
            before = compiled_alone(ast.parse(module.source), module.path, function) or before
        self._codes.replace(function, before, self._with_sets_of(after, own))

    def _with_sets_of(self, code: CodeType, other: CodeType) -> CodeType:
        """The code with the constant sets of the other, which are walked in its order."""
        made = with_sets_of(code, other)
        for key, known in self._births.codes.items():
            self._births.codes[key] = made.get(id(known), known)
        return made[id(code)]

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
