"""A plan kept from one run of a program to the next: cord.toml is then compared, and not read.

A plan is right for certain files: cord.toml, the modules that it names where they are found, what
is in those whose functions it names, and which there are where it names several by one pattern. So
all of these are kept beside it. A plan that has errors is not kept, nor one that names a module
which is not to be found.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import source_hash

from cord.fixed import Value
from cord.plan.program import changed_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.plan.model import Plan
    from cord.plan.program import Program


class KeptPlan:
    """The plan that an earlier run has read for a program.

    Args:
        path: The file.
        overrides: The settings given with `--set`.
        program: The program.
        variant: The variant.
    """

    def __init__(self, path: str, overrides: list[str], program: Program, variant: str) -> None:
        self._program = program
        self._path = path
        # one for each variant, so that two that are compared do not drive each other out
        self._question = ("plan", variant)
        self._asked = (path, *overrides), program.identity
        self._content = _content(path)

    def recall(self) -> Plan | None:
        """The plan, if it is there and still right."""
        kept = self._program.outlines.kept
        if self._content is None or self._question not in kept:
            return None
        asked, content, modules, folders, files, data = kept[self._question]
        if asked != self._asked or content != self._content:
            return None
        if any(self._program.where(name) != where for name, where in modules):
            return None
        if any(changed_at(folder) != known for folder, known in folders):
            return None
        if any(_content(file) != known for file, known in files):
            return None
        plan: Plan = _decoded(data)
        return plan

    def remember(self, plan: Plan) -> None:
        """Keep a plan that has been read just now."""
        modules = tuple(self._program.looked_up.items())
        if self._content is None or self._content != _content(self._path):
            return  # it changes meanwhile
        if any(where is None for _, where in modules):
            return  # other files may tell whether it is imported
        files = tuple(self._program.outlines.read.items())
        folders = tuple(self._program.listed.items())
        known = self._asked, self._content, modules, folders, files, _encoded(plan)
        self._program.outlines.kept[self._question] = known


def _content(path: str) -> bytes | None:
    """A hash of what is in a file; None if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return source_hash(file.read())
    except (OSError, ValueError):
        return None


def _encoded(value: Any) -> Any:
    """A part of a plan as what `marshal` can write: objects become dicts, dicts lists of pairs."""
    if isinstance(value, Value):
        fields = value.__getstate__().items()
        kind = type(value).__module__, type(value).__name__
        return {"": kind, **{name: _encoded(field) for name, field in fields}}
    if isinstance(value, dict):
        return [(key, _encoded(item)) for key, item in value.items()]
    if isinstance(value, tuple):
        return tuple(map(_encoded, value))
    return value


def _decoded(data: Any) -> Any:
    if isinstance(data, dict):
        fields = {name: _decoded(field) for name, field in data.items()}
        module, name = fields.pop("")
        kind: type[Value] = getattr(import_module(module), name)
        made = kind.__new__(kind)
        made.__setstate__(fields)
        return made
    if isinstance(data, list):
        return {key: _decoded(item) for key, item in data}
    if isinstance(data, tuple):
        return tuple(map(_decoded, data))
    return data
