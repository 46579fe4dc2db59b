"""Where the values of calls are received, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cord.translate.program.receiving import receiving, why_in_place

if TYPE_CHECKING:
    from cord.tools.explain.foresight import Place
    from cord.translate.program.stretches import Late
    from cord.translate.scouts import Scouts
    from cord.translate.sites.project import Project


class Reception:
    """Answers for every call of a project."""

    def __init__(self, project: Project, scouts: Scouts) -> None:
        self._late: dict[Place, Late] = {}
        self._why: dict[Place, tuple[int, str, str | None]] = {}
        for module in project.modules:
            found = scouts.found(module)
            for stretch in receiving(project, found):
                self._late.update({(module, one.site.index): one for one in stretch.calls})
            for site, why in why_in_place(project, found).items():
                self._why[module, site.index] = why

    def of(self, place: Place) -> tuple[str, bool, str | None]:
        """Where the value is received, whether that is late, and what the user can do if not."""
        late = self._late.get(place)
        if late is not None:
            return _where(late), True, None
        if place not in self._why:
            return "", False, None
        line, what, callee = self._why[place]
        own = callee is not None and "." not in callee
        remedy = f"let {callee}() do nothing but compute its value" if own else None
        return f"at once, though work follows: line {line}: {what}", False, remedy


def _where(late: Late) -> str:
    lines = [str(line) for line in sorted(late.lines)]
    said = []
    if lines:
        numbers = " or ".join([*([", ".join(lines[:-1])] if lines[1:] else []), lines[-1]])
        said.append(f"before line{'s' if lines[1:] else ''} {numbers}")
    if late.at_end:
        said.append("at the end of its block")
    return f"late, {' or '.join(said)}"
