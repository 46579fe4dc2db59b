"""A trace that was written, as those see it who make something of it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any

from cord import _core
from cord.errors import CordError
from cord.plan.problems import similar_file


def _named(place: dict[str, Any]) -> str:
    file = place["file"]
    where = f"{os.path.basename(file)}:{place['lines'][0]} " if file else ""
    return f"{where}{place['call']}"


@dataclass(frozen=True, slots=True)
class Trace:
    """What was written down of a run.

    Attributes:
        path: The file.
        traced: What stands in it, natively.
        head: What was known of the run before (docs/trace.md).
        end: What was known when it had ended; empty if the trace was cut off.
    """

    path: str
    traced: _core.Traced
    head: dict[str, Any]
    end: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str) -> Trace:
        """Read it.

        Raises:
            CordError: It cannot be read, or is none.
        """
        try:
            with open(path, "rb") as file:
                content = file.read()
        except OSError as error:
            raise CordError(
                f"the trace {path} cannot be read: {error.strerror}",
                similar_file(path) or f"cord run --trace {path} PROGRAM writes it",
            ) from None
        try:
            traced = _core.Traced(content)
            return cls(path, traced, json.loads(traced.head), json.loads(traced.end or "{}"))
        except ValueError as error:
            raise CordError(
                f"{path} cannot be read as a trace: {error}", "cord run --trace FILE makes one"
            ) from None

    @property
    def program(self) -> str:
        """The program's main file, or its module."""
        return str(self.head["module"] or self.head["program"])

    @property
    def modules(self) -> list[str]:
        """Its remote modules, by number."""
        return [module["name"] for module in self.head["modules"]]

    @property
    def calls(self) -> dict[int, str]:
        """The texts of its calls, with file and line, by the number of their place."""
        return {one["place"]: _named(one) for one in self.places()}

    def places(self) -> list[dict[str, Any]]:
        """The places of which something was written down."""
        return [one for one in self.end.get("places", []) if one["place"]]
