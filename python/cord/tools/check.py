"""`cord check`: the plan, the program and the remote functions, without running anything.

The findings are the command's result, and go to stdout; no program runs that it would belong to.
"""

from __future__ import annotations

import ast
import os
import warnings
from importlib.util import decode_source

from cord.plan import modules
from cord.plan.model import FunctionPlan, Plan, RemotePlan
from cord.plan.problems import listing
from cord.plan.program import Program
from cord.plan.public import Outline, public_functions, stays_local
from cord.tools.effects import visible_effects
from cord.tools.imports import Imports


def check(plan: Plan, program: Program) -> int:
    """Prints a line for each thing found.

    Args:
        plan: The plan, which is valid, or it could not have been read.
        program: The program.

    Returns:
        The exit code: 1 if something is found that makes a run fail, else 0.
    """
    checker = _Checker(plan, program)
    checker.run()
    checker.print_summary()
    return 1 if checker.errors else 0


class _Checker:
    def __init__(self, plan: Plan, program: Program) -> None:
        self._plan = plan
        self._program = program
        self._path = modules.search_path(program)
        self.errors = 0
        self.warnings = 0

    def run(self) -> None:
        tree = self._parse(self._program.path)
        imports = None if tree is None else Imports(self._program, tree)
        for remote in self._plan.remote.values():
            if imports is not None and not imports.may_import(remote.module):
                program = os.path.basename(self._program.path)
                self._warn(
                    f"{self._plan.path}: warning: {remote.module} is remote, but neither {program} "
                    "nor a module beside it imports it"
                )
            self._check_remote(remote)

    def print_summary(self) -> None:
        errors = _count(self.errors, "error")
        print(f"{self._plan.path}: {errors}, {_count(self.warnings, 'warning')}")

    def _check_remote(self, remote: RemotePlan) -> None:
        module = modules.find_module(remote.module, self._path)
        served = _count(remote.replicas, "replica")
        if module is None or module.source is None:
            self._say(f"{remote.module}: {served}; its source is not there to be checked")
            return
        tree = self._parse(module.source)
        if tree is None:
            return
        source = _shown(module.source)
        public = public_functions(tree, remote.only)
        outline = Outline(tree)
        self._say(f"{source}: {remote.module} is remote, {served}")
        if not public and not outline.has_star_import:
            self._warn(f"{source}: warning: {remote.module} defines no public functions to serve")
        held_back = [name for name in public if _is_held_back(remote.function(name))]
        if held_back:
            verb = "is" if len(held_back) == 1 else "are"
            self._warn(
                f"{source}: warning: {listing(held_back)} {verb} async, but calls are made in "
                "place as long as pure = true is missing"
            )
        for name, function in outline.functions.items():
            if name in public:
                self._check_function(source, remote, name, outline, public)
                continue
            reason = stays_local(function)
            if reason is not None and outline.is_public(name):
                self._say(
                    f"{source}:{function.lineno}: {name} is {reason} and runs in the program: "
                    "its result cannot travel"
                )

    def _check_function(
        self, source: str, remote: RemotePlan, name: str, outline: Outline, public: list[str]
    ) -> None:
        settings = remote.function(name)
        line = outline.functions[name].lineno
        purity = "pure" if settings.pure else "not declared pure"
        self._say(f"{source}:{line}: {name} is remote, {settings.callstyle}, {purity}")
        if not settings.pure:
            return
        for effect in visible_effects(name, outline):
            if (
                effect.function != name
                and effect.function in public
                and remote.function(effect.function).pure
            ):
                continue  # told of that function itself
            who = "" if effect.function == name else f"{effect.function}, which it calls, "
            self._warn(
                f"{source}:{effect.line}: warning: {name} is declared pure, but {who}{effect.text}"
            )

    def _parse(self, path: str) -> ast.Module | None:
        """The file's syntax tree; an error where it is not Python."""
        try:
            with open(path, "rb") as file:
                # Decoded here because the parser would let wrong bytes in comments pass.
                source = decode_source(file.read())
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(source, path)
                # Some errors, such as a return outside a function, show only here.
                compile(tree, path, "exec", dont_inherit=True)
        except SyntaxError as error:
            place = ":".join(str(part) for part in (error.lineno, error.offset) if part)
            self._fail(f"{_shown(path)}{':' if place else ''}{place}: error: {error.msg}")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            byte = error.object[error.start]
            self._fail(
                f"{_shown(path)}:{line}: error: not {error.encoding} text (byte 0x{byte:02x})"
            )
        except (OSError, ValueError, RecursionError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            self._fail(f"{_shown(path)}: error: {reason}")
        else:
            return tree
        return None

    def _say(self, line: str) -> None:
        print(line)

    def _warn(self, line: str) -> None:
        self.warnings += 1
        print(line)

    def _fail(self, line: str) -> None:
        self.errors += 1
        print(line)


def _is_held_back(settings: FunctionPlan) -> bool:
    return settings.callstyle == "async" and not settings.pure


def _shown(path: str) -> str:
    """The path as short as it can be from here."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def _count(number: int, what: str) -> str:
    if number == 1:
        return f"1 {what}"
    return f"{number or 'no'} {what}s"
