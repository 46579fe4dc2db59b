"""Client modules as they run: translated, compiled, tied to their native objects."""

from __future__ import annotations

from contextlib import suppress
from types import CodeType

from cord import _core
from cord.runtime.births.births import Births
from cord.runtime.objects.sources import remember
from cord.silence import silence
from cord.translate.code import nested, patch, with_sets_of
from cord.translate.results import MAIN, RegionResult


def compile_module(births: Births, name: str, source: bytes, path: str) -> CodeType:
    """Compile a client module with its remote calls translated.

    Args:
        births: The run's scouts, which the code will refer to.
        name: The module's name in the project.
        source: The module's source.
        path: File name for tracebacks.

    Raises:
        SyntaxError: As plain compilation would.
    """
    with suppress(RecursionError):  # nested deeper than the translator can follow
        code = births.answers.code(name, source)
        if code is not None:
            return _tie(births, name, code, source, path)
    return compile(source, path, "exec", dont_inherit=True)


def compile_script(births: Births, source: bytes, path: str) -> CodeType:
    """Compile the main script, as `compile_module` does.

    Python keeps no bytecode of it, so what it shows when it is compiled it shows in every run.

    Args:
        births: The run's scouts, which the code will refer to.
        source: The script's source.
        path: File name for tracebacks.

    Raises:
        SyntaxError: As plain compilation would.
    """
    plain = code = None
    if not births.answers.is_known_silent(MAIN):
        # first: strings that other code has already change the order in which sets are built
        plain = compile(source, path, "exec", dont_inherit=True)
    with silence(), suppress(RecursionError):
        code = births.answers.code(MAIN, source)
    if code is None:
        return plain or compile(source, path, "exec", dont_inherit=True)
    if plain is not None:
        code = with_sets_of(code, plain)[id(code)]
    return _tie(births, MAIN, code, source, path)


def _tie(births: Births, name: str, code: CodeType, source: bytes, path: str) -> CodeType:
    """Put native objects in place of the marks in a module's code."""
    keys: dict[int, _core.Region] = {}
    activations: dict[int, _core.Activation] = {}  # a module's own code is entered once
    native = births.native(name)

    def replace(mark: str) -> object:
        kind, _, number = mark.partition(":")
        if kind == "own":
            assert births.own is not None
            return births.own(number)
        if kind not in ("region", "activation"):
            return native(mark)
        index = int(number)
        if index not in keys:
            keys[index] = _core.Region((name, index))
        if kind == "region":
            return keys[index]
        if index not in activations:
            activations[index] = keys[index].enter()
            births.standing.append(activations[index])
        return activations[index]

    code = patch(code, replace)
    remember(name, path, source, code)
    _remember_codes(births, name, births.answers.regions(name), code)
    return code


def _remember_codes(births: Births, name: str, regions: list[RegionResult], code: CodeType) -> None:
    """Which code object belongs to which region, to know the regions' frames by."""
    by_place: dict[tuple[str, int], CodeType] = {}
    for inner in nested(code):
        by_place[inner.co_name, inner.co_firstlineno] = inner
        for constant in inner.co_consts:
            # a generator expression is entered by the code around it
            if isinstance(constant, _core.Region) and regions[constant.key[1]].kind == "function":
                births.remember(inner, *constant.key)
    for index, region in enumerate(regions):
        if region.kind == "module":
            births.remember(code, name, index)
        elif region.kind == "generator":
            place = by_place.get(("<genexpr>", region.line))
            if place is not None:
                births.remember(place, name, index)
