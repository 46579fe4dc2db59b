"""What keeps a function from being surely pure, besides what is seen of its own effects.

The project may replace what the function finds under a name, look at what it keeps, or hand it an
object whose special methods have effects: operators, comparisons, `len`, `format` run them.
"""

from __future__ import annotations

import ast
from functools import cached_property

from cord.knowledge import outside, rows
from cord.source.definitions import FunctionId, decorator_names

from . import summary as kinds
from .evidence import IMMUTABLE
from .replacing import ALL
from .values import PARAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.source.definitions import Function

    from .analysis import Analysis
    from .places import Places
    from .summary import Effect

# Special methods that are found where they are called: making, entering, calling, storing.
_SEEN = frozenset(
    """__init__ __new__ __post_init__ __enter__ __exit__ __aenter__ __aexit__ __call__ __next__
    __anext__ __setitem__ __delitem__ __missing__ __iadd__ __isub__ __imul__ __imatmul__
    __itruediv__ __ifloordiv__ __imod__ __ipow__ __ilshift__ __irshift__ __iand__ __ixor__
    __ior__ __setstate__ __getstate__ __reduce__ __reduce_ex__ __getnewargs__""".split()
)
# Those that run where a class is defined.
_OF_CLASSES = frozenset("__init_subclass__ __set_name__ __prepare__ __mro_entries__".split())
# Those that run though no object is given to the function.
_IMPLICIT = frozenset(
    """__del__ __get__ __getattribute__ __instancecheck__ __subclasscheck__ __set__ __setattr__
    __delattr__ __delete__""".split()
)
_STORES = frozenset("__set__ __setattr__ __delattr__ __delete__ __set_name__".split())
_HARMLESS = kinds.CARRIED | {kinds.WALKS, kinds.HANDS, kinds.LOOKS, kinds.NAMED}
# What has one of these effects is set as a part of what it is for: `getcontext().prec = 5`.
_SET = kinds.CARRIED | {rows.SETS}
_PROPERTIES = frozenset({"property", "cached_property"})


class Doubts:
    """Answers for the functions of a project.

    Args:
        analysis: The project's functions.
        places: What runs where, and what is written there.
    """

    def __init__(self, analysis: Analysis, places: Places) -> None:
        self._analysis = analysis
        self._places = places

    def replaced(self, function: FunctionId) -> list[tuple[str, bool, Effect]]:
        """What the function finds under names that others replace.

        Returns:
            The name, whether the program itself replaces it, and where.
        """
        found = []
        for key in sorted(self._names(function)):
            for writer, effect in self._written.get(key, ()):
                found.append((key[1], writer in self._places.program and not effect.maybe, effect))
                break
        return found

    def looked_at(self, function: FunctionId) -> list[tuple[str, str, int]]:
        """The functions that it calls, or itself, of which others look at what they keep."""
        looked = self._analysis.looked
        return [(key[1], *looked[key]) for key in sorted(self._names(function)) if key in looked]

    def special(self, function: FunctionId) -> tuple[str, str, int] | None:
        """A special method with an effect that the function may run without showing that.

        Returns:
            Its name, module and line, or None.
        """
        is_given = self._is_given_objects(function)
        for name, module, line in self._specials:
            last = name.rpartition(".")[2]
            if last in _OF_CLASSES:
                runs = self._defines_classes(function)
            else:
                runs = is_given or last in _IMPLICIT or self._is_of_metaclass(name, module)
            if runs:
                return name, module, line
        return None

    def _defines_classes(self, function: FunctionId) -> bool:
        """Whether the function, or one that it calls, defines a class."""
        functions = self._analysis.world.functions
        called = [functions[one].node for one in self._names(function) if one in functions]
        return any(
            isinstance(inner, ast.ClassDef)
            for node in called
            if not isinstance(node, ast.Module)
            for inner in ast.walk(node)
        )

    def replaced_in_libraries(self, function: FunctionId) -> list[Effect]:
        """Where the project replaces a function of a library that the function's modules import."""
        modules = {
            module for module, _ in self._names(function)
        } & self._analysis.world.modules.keys()
        wanted = {
            one.partition(".")[0]
            for module in modules
            for one in self._analysis.world.modules[module].wanted
        }
        return [
            effect
            for effect in self._set_in_libraries
            if effect.subject.name.partition(".")[0] in wanted
        ]

    @cached_property
    def _set_in_libraries(self) -> list[Effect]:
        found: dict[str, Effect] = {}
        for function in self._analysis.world.functions:
            for effect in self._analysis.summary(*function).effects.values():
                row = outside.find(effect.subject.name) if effect.kind == rows.SETS else None
                if row is not None and _SET.isdisjoint(row.effects):
                    found.setdefault(effect.subject.name, effect)
        return list(found.values())

    # ---- names -----------------------------------------------------------------------------------

    @cached_property
    def _written(self) -> dict[FunctionId, list[tuple[FunctionId, Effect]]]:
        """The writers of names; of a function also those that set its defaults or its code."""
        found: dict[FunctionId, list[tuple[FunctionId, Effect]]] = {}
        for (module, name), writers in self._places.writers.items():
            found.setdefault((module, name), []).extend(writers)
            holder, _, last = name.rpartition(".")
            if holder and (last.startswith("__") or last == ALL):
                found.setdefault((module, holder), []).extend(writers)
        return found

    def _names(self, function: FunctionId) -> set[FunctionId]:
        """What the function, and all that it calls, goes by or finds under names."""
        seen: set[FunctionId] = set()
        names: set[FunctionId] = set()
        waiting = [function]
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            known = self._analysis.summary(*here)
            waiting += known.calls
            names |= known.names
            names.add((here[0], ALL))
            names |= {(effect.subject.owner, ALL) for effect in known.effects.values()}
        return names | seen

    # ---- special methods -------------------------------------------------------------------------

    def _is_given_objects(self, function: FunctionId) -> bool:
        types = self._analysis.parameter_types(function)
        return any(name not in IMMUTABLE for name in types)

    @cached_property
    def _specials(self) -> list[tuple[str, str, int]]:
        found = []
        for key, function in self._analysis.world.functions.items():
            name = key[1].rpartition(".")[2]
            if function.cls is None or not (self._is_special(function, name)):
                continue
            if self._has_effect(key, name):
                found.append((key[1], key[0], getattr(function.node, "lineno", 0)))
        return sorted(found)

    def _is_special(self, function: Function, name: str) -> bool:
        """Whether it may be run without a call of it in the text."""
        if name.startswith("__") and name.endswith("__"):
            return name not in _SEEN or self._is_of_metaclass(*reversed(function.id))
        return _is_property(function)

    def _is_of_metaclass(self, name: str, module: str) -> bool:
        function = self._analysis.world.functions[module, name]
        return function.cls is not None and "builtins.type" in function.cls.ancestry()

    def _has_effect(self, key: FunctionId, name: str) -> bool:
        known = self._analysis.summary(*key)
        first = self._analysis.world.functions[key].node
        own = _first_parameter(first)
        for effect in known.effects.values():
            if effect.kind in _HARMLESS:
                continue
            if effect.kind == kinds.READS:
                written = self._places.writers.get((effect.subject.owner, effect.subject.name))
                if not written:
                    continue
            is_own = effect.kind == kinds.CHANGES and effect.subject.kind == PARAM
            if is_own and name in _STORES and effect.subject.name == own:
                continue
            return True
        return known.overflow


def _is_property(function: Function) -> bool:
    return not isinstance(function.node, ast.Module) and bool(
        _PROPERTIES & set(decorator_names(function.node))
    )


def _first_parameter(node: ast.AST) -> str:
    spec = getattr(node, "args", None)
    names = [one.arg for one in [*spec.posonlyargs, *spec.args]] if spec is not None else []
    return names[0] if names else ""
