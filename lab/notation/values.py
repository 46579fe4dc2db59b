"""What the attributes of a use hold: how calls are made, and their shares."""

from __future__ import annotations

import re

from cord.plan.problems import did_you_mean
from lab.notation.findings import Findings
from lab.notation.model import Setting

_ON_DEMAND = re.compile(r"async-demand\s*\(\s*(\d+)\s*\)", re.ASCII)
_RATIO = re.compile(r"\d+(\s*:\s*\d+)*", re.ASCII)
_STYLES = ("sync", "async", "async-demand(N)")


def callstyle(setting: Setting, findings: Findings) -> str | None:
    """The style as cord.toml writes it; None, and an error, where it is none."""
    (text,) = setting.strings
    value = text.value.strip()
    if value in ("sync", "async"):
        return value
    match = _ON_DEMAND.fullmatch(value)
    if match and int(match[1]) > 0:
        return f"async-demand({int(match[1])})"
    message = f'callstyle is "{text.value}"; allowed: "sync", "async" or "async-demand(N)"'
    hint = did_you_mean(value, _STYLES)
    if value.startswith("async-demand"):
        hint = "N is how many calls each replica may have outstanding, 1 at least"
    findings.error(text.begin, message, hint, setting.span)
    return None


def loadratio(setting: Setting, findings: Findings) -> str | None:
    """The shares as cord.toml writes them; None, and an error, where there are none."""
    (text,) = setting.strings
    value = text.value.strip()
    if _RATIO.fullmatch(value):
        shares = [int(share) for share in value.split(":")]
        if any(shares):
            return ":".join(map(str, shares))
    message = f'loadratio is "{text.value}"; allowed: a whole number for each replica'
    findings.error(text.begin, message, 'for example loadratio = "2:1:1"', setting.span)
    return None
