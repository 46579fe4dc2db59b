"""The text of cord.toml, with what has no equal as comments where it belongs."""

from __future__ import annotations

from cord.plan.document import key_text, quoted
from lab.notation.bindings import Application
from lab.notation.equal import Table, Value
from lab.notation.findings import Finding, Findings
from lab.notation.model import Module

_WIDTH = 90  # a list that would make a line longer gets a line for each item


def write(
    modules: list[Module],
    application: Application,
    tables: dict[str, list[Table]],
    findings: Findings,
) -> str:
    """Writes the file.

    Args:
        modules: All modules, in the order of the notation.
        application: Which of them run, and how.
        tables: The tables of those that are remote.
        findings: What is kept as comments.
    """
    source = findings.source
    sections = [[_comment(f"Written by lab.notation from {source.path}.")]]
    kept = findings.kept()
    for module in sorted(modules, key=lambda module: module.span.begin):
        strays = [one for one in kept if one.offset < module.span.begin]
        inside = [one for one in kept if module.span.begin <= one.offset < module.span.end]
        kept = [one for one in kept if one.offset >= module.span.end]
        sections.append(_comments(strays, findings))
        name = module.name.text
        place = source.position(module.span.begin)
        title = f"module {name} ({place}): {_role(module, application)}"
        sections.append([_comment(title), *_comments(inside, findings)])
        sections += [_table(table) for table in tables.get(name, ())]
    sections.append(_comments(kept, findings))
    return "\n".join("\n".join([*lines, ""]) for lines in sections if lines)


def _role(module: Module, application: Application) -> str:
    if any(served.module is module for served in application.served):
        return "its functions run in replicas"
    if module in application.clients:
        return "runs with the program"
    return "says what runs" if module is application.frame else "does not run"


def _comments(kept: list[Finding], findings: Findings) -> list[str]:
    lines = []
    for finding in kept:
        assert finding.kept is not None
        what = "left out" if finding.error else "no equal"
        first, *rest = findings.source.lines(finding.kept)
        lines.append(_comment(f"{what} ({findings.source.position(finding.offset)}): {first}"))
        lines += [_comment(f"    {line}") for line in rest]
    return lines


def _comment(text: str) -> str:
    """A comment; TOML has no control characters in them."""
    return "# " + "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def _table(table: Table) -> list[str]:
    lines = [f"[{key_text(table.path)}]"]
    for key, value in table.values.items():
        first, *rest = _value(f"{key} = ", value)
        remark = table.remarks.get(key)
        lines.append(f"{first}  {_comment(remark)}" if remark else first)
        lines += rest
    return lines


def _value(key: str, value: Value) -> list[str]:
    """`key = value`, on as many lines as it takes."""
    if isinstance(value, (bool, int)):
        return [f"{key}{str(value).lower()}"]
    if isinstance(value, str):
        return [f"{key}{quoted(value)}"]
    items = [quoted(item) for item in value]
    line = f"{key}[{', '.join(items)}]"
    if len(line) <= _WIDTH:
        return [line]
    return [f"{key}[", *(f"    {item}," for item in items), "]"]
