"""What must be the same on both sides of a wire, for a node to give the results of this machine."""

from __future__ import annotations

import ast
import hashlib
import os
import platform
import sys
from importlib import metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from cord.plan.model import RemotePlan

# Features by which numerical libraries choose how to compute: results differ by some units in the
# last place between one and the other.
_FEATURES = (
    *("sse4_2", "avx", "avx2", "f16c", "fma", "avx512f", "avx512cd", "avx512vl", "avx512bw"),
    *("avx512dq", "avx512ifma", "avx512vbmi", "avx512_fp16", "amx_tile"),
    *("asimd", "asimdhp", "asimddp", "sve", "sve2", "i8mm", "bf16"),
)

# Where the library's modules are: none of them is the project's.
_LIBRARY = os.path.dirname(os.__file__)


def of_client(modules: list[RemotePlan], path: list[str]) -> dict[str, Any]:
    """What there is on the program's side.

    Args:
        modules: The remote modules.
        path: Where their files are looked for.
    """
    names = sorted({name for module in modules for name in imported(module.module, path)})
    return {**of_machine(), "distributions": distributions(names)}


def of_machine() -> dict[str, Any]:
    """What there is on this machine, whatever the program imports."""
    libc, version = platform.libc_ver()
    return {
        "cord": metadata.version("cord"),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": platform.machine(),
        "byteorder": sys.byteorder,
        "libc": f"{libc} {version}".strip(),
        "cpu": cpu_features(),
    }


def cpu_features() -> list[str]:
    """Those features of the processor that results may depend on."""
    try:
        with open("/proc/cpuinfo") as file:
            lines = [line for line in file if line.lower().startswith(("flags", "features"))]
    except OSError:
        return []
    had = set(lines[0].partition(":")[2].split()) if lines else set()
    return [feature for feature in _FEATURES if feature in had]


def distributions(names: list[str]) -> dict[str, str | None]:
    """The versions of the distributions that top-level modules come from; None: none is there.

    What is of the library, or in no distribution, is left out.
    """
    names = [name for name in names if name not in sys.stdlib_module_names]
    if not names:
        return {}
    by_module = metadata.packages_distributions()
    known = {dist for name in names for dist in by_module.get(name, ())}
    return {dist: metadata.version(dist) for dist in sorted(known)}


def versions(names: list[str]) -> dict[str, str | None]:
    """The versions of distributions; None for one that is not there."""
    return {name: _version(name) for name in names}


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def imported(module: str, path: list[str]) -> set[str]:
    """The top-level names that a module imports, itself or by modules of the project."""
    return _reached(module, path)[0]


def digest(module: str, path: list[str]) -> str:
    """What a module is: a digest of its source, and of the project's modules that it imports.

    Args:
        module: Its dotted name.
        path: Where files are looked for.
    """
    whole = hashlib.sha256()
    for name, file in sorted(_reached(module, path)[1].items()):
        with open(file, "rb") as source:
            content = source.read()
        whole.update(f"{name} {len(content)}\n".encode() + content)
    return whole.hexdigest()


def _reached(module: str, path: list[str]) -> tuple[set[str], dict[str, str]]:
    """What a module imports: top-level names of others, and the files of the project by name."""
    found: set[str] = set()
    files: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in files or name.partition(".")[0] in found:
            continue
        file = _file_of(name, path)
        if file is None:
            found.add(name.partition(".")[0])
            continue
        files[name] = file
        waiting.extend(_imports(file))
    return found, files


def _file_of(name: str, path: list[str]) -> str | None:
    """The source of a module of the project: one that lies in none of Python's own folders."""
    for folder in path:
        if folder.startswith(_LIBRARY) or "site-packages" in folder or "dist-packages" in folder:
            continue
        stem = os.path.join(folder, *name.split("."))
        for file in (f"{stem}.py", os.path.join(stem, "__init__.py")):
            if os.path.isfile(file):
                return file
    return None


def _imports(file: str) -> list[str]:
    try:
        with open(file, "rb") as source:
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return []
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module]
    return names


def differences(client: dict[str, Any], node: dict[str, Any], cpu: str) -> list[str]:
    """What keeps a node from serving a program.

    Args:
        client: What there is on the program's side.
        node: What there is on the node, by the same names.
        cpu: "same" or "any": whether processors must be alike.

    Returns:
        A phrase for each difference.
    """
    words = {
        **{"cord": "Cord's version", "python": "Python's version"},
        **{
            "machine": "the kind of processor",
            "byteorder": "the byte order",
            "libc": "the C library",
        },
    }
    found = [
        f"{meaning} is {node.get(name)} there and {client.get(name)} here"
        for name, meaning in words.items()
        if client.get(name) != node.get(name)
    ]
    there = node.get("distributions", {})
    for name, version in client.get("distributions", {}).items():
        other = there.get(name)
        if other is None:
            found.append(f"{name} {version} is not installed there")
        elif other != version:
            found.append(f"{name} is {other} there and {version} here")
    if cpu == "same":
        here, far = set(client.get("cpu", ())), set(node.get("cpu", ()))
        for features, side in ((here - far, "there"), (far - here, "here")):
            if features:
                names = ", ".join(sorted(features))
                found.append(
                    f"the processor has no {names} {side}, so that results may differ in their "
                    'last digits (engine.cpu = "any" allows it)'
                )
    return found
