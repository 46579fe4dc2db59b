"""What was found, as a variant of the plan with the evidence beside it."""

from __future__ import annotations

import json
import re
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cord.tools.tune.race import Found, Step

NAME = "tuned"
# A key is a table, dots and quotes in it, and a last name.
_KEY = re.compile(r"(?P<table>.+)\.(?P<name>[\w-]+)$")


def variant(found: Found, heading: list[str]) -> str:
    """The text to be added to the plan.

    Args:
        found: What was found; it has a choice.
        heading: What is said of it in comments, line by line.
    """
    tables: dict[str, list[str]] = {}
    for key, value in found.choice:
        parts = _KEY.match(key)
        assert parts is not None
        text = f"{parts['name']} = {json.dumps(value)}"
        step = _step_of(found.steps, key, value)
        if step is not None:
            text += f"  # {step.before:.3g} s -> {step.after:.3g} s"
        tables.setdefault(parts["table"], []).append(text)
    lines = ["", *(f"# {line}" for line in heading)]
    for number, (table, settings) in enumerate(tables.items()):
        lines += [""] * (number > 0) + [f"[variants.{NAME}.{table}]", *settings]
    return "\n".join(lines) + "\n"


def _step_of(steps: list[Step], key: str, value: object) -> Step | None:
    """The change by which a setting came about."""
    return next((step for step in reversed(steps) if (key, value) in step.choice), None)


def gain(found: Found) -> str:
    """How long runs take as the plan was, and as it is set now."""
    before, after = median(found.before), median(found.after)
    spread = f"{min(found.after):.3g} to {max(found.after):.3g} s"
    return (
        f"{before:.3g} s as the plan was, {after:.3g} s so (medians of {len(found.after)} runs in "
        f"turns; {spread})"
    )
