"""What importing a text gives: the plan, what is said, and the comments that are kept."""

from __future__ import annotations

import tomllib
from typing import Any

from lab.notation.command import convert
from lab.notation.source import Source

from cord.plan import document
from cord.plan.problems import Problems
from cord.plan.schema import PLAN
from cord.plan.validate import check

CLIENT = 'module reader {{ source = "C" "local" :: {uses} }}\n'
SERVER = 'module scorer {{ source = "C" "remote" :: {defines} }}\n'
APP = "module app {{ instance reader :: instance scorer :: {binds} }}\n"


def one_call(use: str = "", define: str = "") -> str:
    """A client and a server with one interface; the attributes of the use and of the define."""
    return (
        CLIENT.format(uses=f"use interface score {use} ::")
        + SERVER.format(defines=f"define interface score {define} ::")
        + APP.format(binds="bind reader score scorer score ::")
    )


def plan(text: str) -> dict[str, Any]:
    """The plan that is written."""
    written, _ = convert(Source("a.cfg", text))
    return tomllib.loads(written)


def remote(text: str) -> dict[str, Any]:
    """The table of scorer."""
    table: dict[str, Any] = plan(text)["remote"]["scorer"]
    return table


def refused(text: str) -> list[str]:
    """What of the plan that is written is not accepted as a plan."""
    written, _ = convert(Source("a.cfg", text))
    problems = Problems()
    check(document.parse(written, "cord.toml"), (), PLAN, problems)
    return [message for _, message, _ in problems]


def errors(text: str) -> list[str]:
    """The errors, each with its place."""
    return [line for kind, line in _told(text) if kind]


def notes(text: str) -> list[str]:
    """The notes, each with its place."""
    return [line for kind, line in _told(text) if not kind]


def comments(text: str) -> list[str]:
    """The lines of the output that are comments, those that name modules left out."""
    written, _ = convert(Source("a.cfg", text))
    lines = [line for line in written.splitlines()[1:] if line.startswith("#")]
    return [line for line in lines if not line.startswith("# module")]


def _told(text: str) -> list[tuple[bool, str]]:
    _, findings = convert(Source("a.cfg", text))
    place = findings.source.position
    return [(one.error, f"{place(one.offset)}: {one.message}") for one in findings.all()]
