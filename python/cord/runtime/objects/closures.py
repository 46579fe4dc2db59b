"""Functions that a scout passes on: what a `lambda` or an inner `def` of the program will make."""

from __future__ import annotations

import sys
from types import CellType, CodeType, FunctionType

from cord import _core

TYPE_CHECKING = False  # typing's names are not needed at run time
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from cord.translate.results import FunctionResult

UNBOUND = ...  # what scouts are given for a name without a value


class Closure:
    """A function of the project as a scout has it: never called, only gone into or passed.

    `name` is its module and its key there, `own` what its `def` calls it, `globals` are the
    module's; `values` are the variables that it captured, as they were.
    """

    __slots__ = ("defaults", "globals", "keyword_defaults", "name", "own", "values")

    def __init__(
        self,
        module: str,
        function: FunctionResult,
        globals_: dict[str, Any],
        values: tuple[Any, ...],
    ) -> None:
        self.name = (module, function.key)
        self.own = function.own
        self.globals = globals_
        count = len(function.captured)
        self.values = dict(zip(function.captured, values[:count], strict=True))
        end = count + function.defaults
        self.defaults = values[count:end]
        self.keyword_defaults = dict(zip(function.named, values[end:], strict=True))
        if function.own is not None:
            self._name_itself(function.own, self)

    def _name_itself(self, own: str, whole: Closure) -> None:
        """Functions that call one another: what was not there yet while it was being made."""
        for name, value in self.values.items():
            if name == own and value is UNBOUND:
                self.values[name] = whole
            elif type(value) is Closure and value is not whole:
                value._name_itself(own, whole)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a scout's function has no plain encoding")


class Maker:
    """Makes the closures of one function of the project, from what it captures."""

    __slots__ = ("_function", "_module")

    def __init__(self, module: str, function: FunctionResult) -> None:
        self._module = module
        self._function = function

    def __call__(self, *values: Any) -> Closure:
        """A closure: the captured values, then the defaults."""
        return Closure(self._module, self._function, sys._getframe(1).f_globals, values)


def as_function(closure: Closure) -> FunctionType:
    """The function that the program will have in place of this one, to be encoded.

    Raises:
        LookupError: That cannot be told.
    """
    from cord.runtime.objects.sources import code_at

    module, key = closure.name
    line, column = map(int, key.removeprefix("@").split(":"))
    code = code_at(module, closure.own or "<lambda>", line, column)
    values = [closure.values[name] for name in code.co_freevars]
    cells = tuple(CellType() if value is UNBOUND else CellType(value) for value in values)
    defaults = closure.defaults or None
    made = FunctionType(code, closure.globals, code.co_name, defaults, cells or None)
    made.__kwdefaults__ = closure.keyword_defaults or None
    return made


def captured_values(function: FunctionType | Closure) -> dict[str, Any]:
    """The variables of functions around that a function reads."""
    if isinstance(function, Closure):
        return function.values
    values: dict[str, Any] = {}
    free = _core.running_code(function).co_freevars
    for name, cell in zip(free, function.__closure__ or (), strict=True):
        try:
            values[name] = cell.cell_contents
        except ValueError:  # empty
            values[name] = UNBOUND
    return values


def globals_of(function: FunctionType | Closure) -> dict[str, Any]:
    """The variables of the module that a function stands in."""
    return function.globals if isinstance(function, Closure) else function.__globals__


def scout_function(code: CodeType, function: FunctionType | Closure) -> FunctionType:
    """The scout of a function, with the function's own defaults and globals."""
    if isinstance(function, Closure):
        made = FunctionType(code, function.globals, "scout", function.defaults)
        made.__kwdefaults__ = function.keyword_defaults
    else:
        made = FunctionType(code, function.__globals__, "scout", function.__defaults__)
        made.__kwdefaults__ = function.__kwdefaults__
    return made


def held_by_function(function: FunctionType) -> list[Any]:
    """What a function holds besides its code."""
    return [
        *(function.__defaults__ or ()),
        *(function.__kwdefaults__ or {}).values(),
        *object.__getattribute__(function, "__dict__").values(),
        *(held for cell in function.__closure__ or () for held in contents_of_cell(cell)),
    ]


def contents_of_cell(cell: CellType) -> list[Any]:
    """What a cell holds, if anything is bound by now."""
    try:
        return [cell.cell_contents]
    except ValueError:
        return []
