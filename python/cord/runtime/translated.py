"""Client modules as they run: translated, compiled, tied to their native objects."""

from __future__ import annotations

import ast
from contextlib import suppress
from types import CodeType

from cord import _core
from cord.runtime.births import Births
from cord.runtime.sources import remember
from cord.translate.code import nested, patch
from cord.translate.project import Module
from cord.translate.rewrite import rewrite
from cord.translate.sites import Found, find_sites


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
    module = births.project.modules.get(name)
    if module is not None and module.source == source:
        with suppress(RecursionError):  # nested deeper than the translator can follow
            found = births.scouts.found(name)
            if found.sites or found.served:
                return _translate(births, module, path)
    return compile(source, path, "exec", dont_inherit=True)


def _translate(births: Births, module: Module, path: str) -> CodeType:
    name, source = module.name, module.source
    tree = ast.parse(source, path)
    found = find_sites(births.project, module, tree)
    code = compile(rewrite(found), path, "exec", dont_inherit=True)
    remember(path, source)
    regions: dict[int, _core.Region] = {}
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
        if index not in regions:
            regions[index] = _core.Region((name, index))
        if kind == "region":
            return regions[index]
        if index not in activations:
            activations[index] = regions[index].enter()
            births.standing.append(activations[index])
        return activations[index]

    code = patch(code, replace)
    _remember_codes(births, name, found, code)
    return code


def _remember_codes(births: Births, name: str, found: Found, code: CodeType) -> None:
    """Which code object belongs to which region, to know the regions' frames by."""
    by_place: dict[tuple[str, int], CodeType] = {}
    for inner in nested(code):
        by_place[inner.co_name, inner.co_firstlineno] = inner
        for constant in inner.co_consts:
            if isinstance(constant, _core.Region) and not _is_generator(found, constant):
                births.remember(inner, *constant.key)
    for region in found.regions:
        if isinstance(region.node, ast.Module):
            births.remember(code, name, region.index)
        elif isinstance(region.node, ast.GeneratorExp):
            place = by_place.get(("<genexpr>", region.node.lineno))
            if place is not None:
                births.remember(place, name, region.index)


def _is_generator(found: Found, region: _core.Region) -> bool:
    """Whether a region is entered by the code around it."""
    return isinstance(found.regions[region.key[1]].node, ast.GeneratorExp)
