"""Tables of several modules, such as `[remote."pkg.*"]`: for which modules, and what these get.

Nothing is imported for it. `*`, `?` and `[...]` stand for what they stand for in a shell, within
one part of a name: `pkg.*` is what lies in pkg itself. `**` stands for any number of parts. A name
that begins with an underscore is matched only by a part that does.
"""

from __future__ import annotations

import os
import re
from functools import reduce

from cord.plan.document import Entry, key_text, merged
from cord.plan.keys_of_modules import REMOTE
from cord.plan.modules import is_of_python, is_pattern, is_program, places_of, search_path
from cord.plan.problems import Problems, nearest
from cord.plan.validate import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.plan.outlines import Outline
    from cord.plan.program import Program
    from cord.plan.validate import Section

_ANY = "**"


class Spread:
    """The remote modules of one plan, those that patterns name among them.

    Attributes:
        tables: The table of each module by its name: that of the file, or what it gets of patterns,
            a more exact one before others, and its own before them all.
        by_pattern: Of each module that has no table of its own, the most exact pattern.

    Args:
        program: The program.
        named: The tables as they are in the file, by name.
        problems: Where the reports go.
    """

    def __init__(self, program: Program, named: dict[str, Section], problems: Problems) -> None:
        self._program = program
        self._problems = problems
        self.tables = {name: one for name, one in named.items() if not is_pattern(name)}
        self.by_pattern: dict[str, str] = {}
        patterns = sorted(filter(is_pattern, named), key=_exactness)
        found = {one: self._modules(one, named[one]) for one in patterns}
        for name in dict.fromkeys(name for modules in found.values() for name in modules):
            layers = [one for one in patterns if name in found[one]]
            self._lay(name, [named[one] for one in layers], layers[-1])

    def _lay(self, name: str, layers: list[Section], pattern: str) -> None:
        """Give a module what its patterns say, and over it what its own table says."""
        own = self.tables.get(name)
        if not all(one.sound for one in (*layers, *([own] if own else ()))):
            return
        outline = self._outline(name)
        parts = [_fitting(one.entry, outline) for one in layers]
        if own is None:
            path = layers[-1].path if len(layers) == 1 else ("remote", name)
            self.by_pattern[name] = pattern
        else:
            path = own.path
            parts.append(own.entry)
        whole = reduce(merged, parts)
        last = parts[-1]
        laid = Entry("table", whole.value, last.place, last.key_place)
        self.tables[name] = check(laid, path, REMOTE, Problems())

    def _modules(self, pattern: str, section: Section) -> list[str]:
        """The modules that a pattern names; a report where there are none."""
        key, place = key_text(section.path), section.entry.key_place
        parts = pattern.split(".")
        if not all(re.fullmatch(r"(\w|\*|\?|\[!?[\w-]+\])+", part) for part in parts):
            self._problems.add(
                place,
                f"{key} does not name modules; "
                "allowed: a dotted name with *, ? or [...] in its parts",
            )
            return []
        if not section.sound:
            return []
        there = [name for name in _matching(self._program, parts) if not self._is_main(name)]
        serving = [name for name in there if name in self.tables or self._serves(name, section)]
        if not there:
            self._report_none(pattern, section)
        elif not serving:
            only = section.values.get("only")
            what = "public functions" if only is None else f"function {' or '.join(only)}"
            self._problems.add(place, f"{key}: none of {_some(there)} defines {what}")
        else:
            self._check_names(there, section)
        return serving

    def _is_main(self, name: str) -> bool:
        return is_program(self._program.find(name), name, self._program)

    def _serves(self, name: str, section: Section) -> bool:
        """Whether a module has functions that the table makes remote."""
        outline = self._outline(name)  # None where it is compiled: it shows when it is imported
        return outline is None or bool(outline.public_functions(section.values.get("only")))

    def _outline(self, name: str) -> Outline | None:
        found = self._program.find(name)
        if found is None or found.source is None:
            return None
        try:
            return self._program.outlines.of(found.source)
        except (OSError, SyntaxError, ValueError):
            return None

    def _check_names(self, there: list[str], section: Section) -> None:
        """Each function that the table names is one of some module."""
        outlines = [one for one in map(self._outline, there) if one is not None]
        if len(outlines) < len(there):
            return
        known = {name for one in outlines for name in one.public_functions()}
        wanted = dict.fromkeys(section.values.get("only", ()))
        if "functions" in section.tables:
            wanted |= dict.fromkeys(section.tables["functions"].tables)
        for name in wanted:
            if name not in known:
                near = nearest(name, known)
                self._problems.add(
                    section.entry.key_place,
                    f"{key_text(section.path)}: none of {_some(there)} defines a public function "
                    f"{name}",
                    f'did you mean "{near}"?' if near else None,
                )

    def _report_none(self, pattern: str, section: Section) -> None:
        parts = pattern.split(".")
        first = next(n for n, part in enumerate(parts) if is_pattern(part))
        around = ".".join(parts[:first])
        beside = [
            one
            for one in _beside(self._program, around)
            if not (one.rpartition(".")[2].startswith("_") or self._is_main(one))
        ]
        near = nearest(re.sub(r"\W", "", parts[first]), [one.rpartition(".")[2] for one in beside])
        hint = None
        if near is not None:
            hint = f'did you mean "{around}.{near}"?' if around else f'did you mean "{near}"?'
        elif beside:
            hint = f"there are {_some(beside)}"
        where = around or self._program.folder
        if around and places_of(around, search_path(self._program)) is None:
            where = f"{self._program.folder} or elsewhere on Python's path"
        key = key_text(section.path)
        self._problems.add(
            section.entry.key_place, f"{key}: no module in {where} has such a name", hint
        )


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _exactness(pattern: str) -> tuple[int, int]:
    """How exact a pattern is: by the characters that stand for themselves, then without `**`."""
    return len(re.sub(r"\[[^]]*\]|[*?]", "", pattern)), -pattern.count(_ANY)


def _fitting(table: Entry, outline: Outline | None) -> Entry:
    """What is right for a module of the table of a pattern: of functions, those that it has."""
    if outline is None:
        return table
    known = set(outline.public_functions())
    entries = dict(table.value)
    if "only" in entries:
        only = entries.pop("only")
        fitting = [one for one in only.value if one.value in known]
        if fitting:  # else it has a table of its own
            entries["only"] = Entry(only.kind, fitting, only.place, only.key_place)
    if "functions" in entries:
        own = entries["functions"]
        tables = {name: one for name, one in own.value.items() if name in known}
        entries["functions"] = Entry(own.kind, tables, own.place, own.key_place)
    return Entry(table.kind, entries, table.place, table.key_place)


def _matching(program: Program, parts: list[str]) -> list[str]:
    """The modules whose names match, in order of these."""
    fixed = next(n for n, part in enumerate(parts) if is_pattern(part))
    around = ".".join(parts[:fixed])
    wanted = re.compile("".join(_expressions(parts)))
    deep = _ANY in parts
    found = []
    waiting = [around]
    while waiting:
        package = waiting.pop()
        for name in _beside(program, package):
            if wanted.fullmatch(f".{name}"):
                found.append(name)
            if deep or name.count(".") + 1 < len(parts):
                waiting.append(name)
    return sorted(set(found))


def _expressions(parts: list[str]) -> Iterator[str]:
    """For each part a regular expression, which matches it with the dot before it."""
    for part in parts:
        if part == _ANY:
            yield r"(?:\.(?!_)\w+)*"
            continue
        hidden = "" if part.startswith("_") else "(?!_)"
        body = re.sub(r"\*+", r"\\w*", part.replace("?", r"\w").replace("[!", "[^"))
        yield rf"\.{hidden}{body}"


def _beside(program: Program, package: str) -> list[str]:
    """The modules in a package, or without one those of the program's own folders."""
    import pkgutil

    path = search_path(program)
    places = places_of(package, path) if package else [p for p in path if not _is_pythons(p)]
    for place in places or ():
        program.note_folder(place)
    prefix = f"{package}." if package else ""
    names = [one.name for one in pkgutil.iter_modules(places or ()) if one.name.isidentifier()]
    return [prefix + name for name in names if package or name != "cord"]


def _is_pythons(place: str) -> bool:
    return is_of_python(os.path.join(place, "")) or place.endswith((".zip", "lib-dynload"))
