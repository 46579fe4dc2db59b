"""Whether the functions that are to guess values are there, and are the program's own."""

from __future__ import annotations

from cord.plan import modules
from cord.plan.document import found, key_text
from cord.plan.faults import is_there
from cord.plan.problems import did_you_mean, these_are_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.model import RemotePlan
    from cord.plan.outlines import Outline
    from cord.plan.problems import Problems
    from cord.plan.program import Program
    from cord.plan.validate import Section


def check_guesses(
    sections: dict[str, Section],
    remote: dict[str, RemotePlan],
    program: Program,
    problems: Problems,
) -> None:
    """Reports functions for `guess` that are not there, or could not be called in a copy.

    Args:
        sections: The tables of the remote modules, by name.
        remote: The plans that they make.
        program: The program.
        problems: Where the reports go.
    """
    for section in sections.values():
        tables = [section]
        if "functions" in section.tables:
            tables += section.tables["functions"].tables.values()
        for table in tables:
            if "guess" in table.values:
                fault, hint = _fault(table.values["guess"], remote, program)
                if fault is not None:
                    entry = table.entry_of("guess")
                    key = key_text((*table.path, "guess"))
                    problems.add(entry.place, f"{key} is {found(entry)}, but {fault}", hint)


def _fault(
    guess: str, remote: dict[str, RemotePlan], program: Program
) -> tuple[str | None, str | None]:
    """What is wrong with a function, and what can be done."""
    name, _, function = guess.rpartition(".")
    is_program = modules.is_program(None, name, program)
    path: str | None = program.path
    if not is_program:
        module = program.find(name)
        if module is None:
            known = modules.modules_beside(program, name.rpartition(".")[0])
            fault = f"there is no module {name} in {program.folder} or elsewhere on Python's path"
            return fault, did_you_mean(name, known) or these_are_there("modules there:", known)
        path = module.source
    try:
        outline = program.outlines.of(path) if path else None
    except (OSError, SyntaxError, ValueError):
        outline = None
    if outline is None:
        return None, None
    return _fault_of(function, name, outline, _plan_of(name, is_program, remote))


def _plan_of(name: str, is_program: bool, remote: dict[str, RemotePlan]) -> RemotePlan | None:
    if is_program:
        return next((one for one in remote.values() if one.is_program), None)
    return remote.get(name)


def _fault_of(
    function: str, module: str, outline: Outline, plan: RemotePlan | None
) -> tuple[str | None, str | None]:
    if not is_there(function, outline):
        if outline.has_star_import:
            return None, None
        known = list(outline.functions)
        hint = did_you_mean(function, known) or these_are_there(f"{module} has", known)
        return f"{module} defines no function {function}", hint
    _, kind = outline.functions.get(function, (0, None))
    if kind is not None:
        return f"{module}.{function} is {kind}, which gives no value when it is called", None
    if plan is not None and function in outline.remote_functions(plan):
        fault = f"{module}.{function} is remote itself, and a guess is made in the program's copies"
        return fault, f"leave {function} out by only in [{key_text(('remote', plan.module))}]"
    return None, None
