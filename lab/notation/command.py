"""Reads the file, writes the plan, says what else there is to say."""

from __future__ import annotations

import sys

from cord.errors import CordError
from cord.plan import document
from cord.plan.problems import Problems
from cord.plan.schema import PLAN
from cord.plan.validate import check
from lab.notation.bindings import resolve
from lab.notation.equal import tables
from lab.notation.findings import Findings
from lab.notation.read import read
from lab.notation.source import Source
from lab.notation.write import write


def import_notation(path: str, output: str | None) -> int:
    """Writes the cord.toml that is equal to the file at `path`.

    Args:
        path: A file in CORD's module notation.
        output: The file to write, which must not be there yet; None for stdout.

    Returns:
        The exit code: 1 if something was left out because it cannot be read or contradicts the
        rest, else 0.

    Raises:
        CordError: A file cannot be read or written.
    """
    source = Source(path, document.read_text(path, "the file"))
    text, findings = convert(source)
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        _create(output, text)
    sys.stderr.write("".join(_told(findings)))
    sys.stderr.write("".join(_refused(text, output if output is not None else "the output")))
    return 1 if any(finding.error for finding in findings.all()) else 0


def convert(source: Source) -> tuple[str, Findings]:
    """The text of the cord.toml that is equal, and what is to be said of it."""
    findings = Findings(source)
    modules = read(source, findings)
    application = resolve(modules, findings)
    equal = {one.module.name.text: tables(one, findings) for one in application.served}
    if not modules:
        findings.error(0, "there is no module", "a module is: module NAME { ... }")
    elif not equal:
        findings.note(0, "no module is remote, so there is nothing to plan")
    return write(modules, application, equal, findings), findings


def _create(path: str, text: str) -> None:
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise CordError(f"{path} is there already", "remove it, or write to another file") from None
    except OSError as error:
        raise CordError(f"{path} cannot be written: {error.strerror}") from None


def _told(findings: Findings) -> list[str]:
    """What is said of each finding, and how many there are."""
    found = findings.all()
    lines = []
    for finding in found:
        kind = "error" if finding.error else "note"
        place = findings.source.place(finding.offset)
        lines.append(f"{place}: {kind}: {finding.message}\n{_advice(finding.hint)}")
    errors = sum(finding.error for finding in found)
    if found:
        counts = f"{_count(errors, 'error')}, {_count(len(found) - errors, 'note')}"
        lines.append(f"{findings.source.path}: {counts}\n")
    return lines


def _refused(text: str, name: str) -> list[str]:
    """What this version of Cord does not accept of what was written."""
    problems = Problems()
    check(document.parse(text, name), (), PLAN, problems)
    return [f"{place}: note: {message}\n{_advice(hint)}" for place, message, hint in problems]


def _advice(hint: str | None) -> str:
    return f"    hint: {hint}\n" if hint else ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
