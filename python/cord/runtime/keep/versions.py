"""Which version of a library is there: that of its distribution, and of those that it asks for."""

from __future__ import annotations

import os
import re
import sys

from cord.plan.modules import is_of_python
from cord.runtime.objects.reach import MAIN, is_of_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# What arguments have of these is looked at: it may be a clock, or a module of the project.
_BY_CONTENT = frozenset({"cord", "cloudpickle", MAIN, "importlib", "time", "uuid", "secrets"})
_known: dict[str, str] = {}
_providers: list[dict[str, list[str]]] = []


def version_of(top: str) -> str:
    """What tells the version of a library by its first name; empty for Python's own."""
    if top in sys.stdlib_module_names or top in ("builtins", ""):
        return ""
    found = _known.get(top)
    if found is None:
        found = _known[top] = _find(top)
    return found


def _find(top: str) -> str:
    versions: dict[str, str] = {}
    for name in _distributions(top):
        _add(name, versions)
    if versions:
        return ";".join(f"{name}={version}" for name, version in sorted(versions.items()))
    return _files_of(top)


def _distributions(top: str) -> Iterable[str]:
    from importlib import metadata

    try:
        metadata.version(top)
    except (metadata.PackageNotFoundError, ValueError):
        pass
    else:
        return [top]
    if not _providers:
        _providers.append(dict(metadata.packages_distributions()))
    return _providers[0].get(top, ())


def _add(name: str, versions: dict[str, str]) -> None:
    """Add the version of a distribution, and of those that it needs."""
    from importlib import metadata

    name = re.sub(r"[-_.]+", "-", name).lower()
    if name in versions:
        return
    try:
        found = metadata.distribution(name)
    except (metadata.PackageNotFoundError, ValueError):
        return
    versions[name] = found.version
    if _is_editable(found):
        versions[name] += _files_of(name.replace("-", "_"))
    for asked in found.requires or ():
        if "extra ==" not in asked and (needed := re.match(r"[A-Za-z0-9._-]+", asked)):
            _add(needed[0], versions)


def _is_editable(found: object) -> bool:
    text = found.read_text("direct_url.json")  # type: ignore[attr-defined]
    return text is not None and '"editable": true' in text


def _files_of(top: str) -> str:
    """Sizes and times of what a library without a version is made of."""
    module = sys.modules.get(top)
    path = getattr(module, "__file__", None)
    if not isinstance(path, str):
        return "?"
    if not os.path.basename(path).startswith("__init__."):
        return file_print(path)
    told = []
    for folder, inner, names in os.walk(os.path.dirname(path)):
        inner[:] = sorted(one for one in inner if one != "__pycache__")
        told += [file_print(os.path.join(folder, name)) for name in sorted(names)]
    return ",".join(told)


def file_print(path: str) -> str:
    """Size and time of a file."""
    try:
        about = os.stat(path)
    except OSError:
        return path
    return f"{path}:{about.st_size}:{about.st_mtime_ns}"


def version_of_module(name: str) -> bytes | None:
    """The version of a library of which arguments have something; None where that says little."""
    top = name.partition(".")[0]
    module = sys.modules.get(name)
    if top in _BY_CONTENT or module is None or is_of_project(module):
        return None
    path = getattr(module, "__file__", None)
    if isinstance(path, str) and not is_of_python(path) and top not in sys.stdlib_module_names:
        return None
    return f"{top}:{version_of(top)}".encode()
