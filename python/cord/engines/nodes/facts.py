"""What must be the same on both sides of a wire, for a node to give the results of this machine."""

from __future__ import annotations

import hashlib
import platform
import sys
from importlib import metadata
from typing import TYPE_CHECKING

from cord import _core
from cord.plan.modules import find_module, is_of_python
from cord.plan.project import Needed

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


def of_client(modules: list[RemotePlan], path: list[str]) -> dict[str, Any]:
    """What there is on the program's side.

    Args:
        modules: The remote modules.
        path: Where their files are looked for.
    """
    needed = Needed(path, lambda source: not is_of_python(source))
    needed.follow(module.module for module in modules)
    return {**of_machine(), "distributions": distributions(sorted(needed.others))}


def not_sent(names: set[str], path: list[str]) -> list[str]:
    """Those of top-level modules that nodes must have by themselves, and no version tells of.

    Args:
        names: What remote modules import and nodes are not sent.
        path: Where modules are looked for.
    """
    names = names - sys.stdlib_module_names - set(sys.builtin_module_names) - {"cord", "__main__"}
    versioned = metadata.packages_distributions() if names else {}
    return [name for name in sorted(names) if name not in versioned and find_module(name, path)]


def of_machine() -> dict[str, Any]:
    """What there is on this machine, whatever the program imports."""
    libc, version = platform.libc_ver()
    return {
        "cord": _core.VERSION,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": platform.machine(),
        "byteorder": sys.byteorder,
        "libc": f"{libc} {version}".strip(),
        "cpu": cpu_features(),
    }


def flags() -> set[str]:
    """The features of this machine's processor, as the system names them."""
    try:
        with open("/proc/cpuinfo") as file:
            lines = [line for line in file if line.lower().startswith(("flags", "features"))]
    except OSError:
        return set()
    return set(lines[0].partition(":")[2].split()) if lines else set()


def cpu_features() -> list[str]:
    """Those features of the processor that results may depend on."""
    had = flags()
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


def digest(module: str, path: list[str]) -> str:
    """What a module is: a digest of its source, and of the project's modules that it imports.

    Args:
        module: Its dotted name.
        path: Where files are looked for.
    """
    needed = Needed(path, lambda source: not is_of_python(source))
    needed.follow([module])
    contents = []
    for source in needed.sources:
        with open(source, "rb") as file:
            contents.append(file.read())
    whole = hashlib.sha256()
    for content in sorted(contents):
        whole.update(f"{len(content)}\n".encode() + content)
    return whole.hexdigest()


def differences(client: dict[str, Any], node: dict[str, Any], cpu: str) -> list[str]:
    """What keeps a node from serving a program.

    Args:
        client: What there is on the program's side.
        node: What there is on the node, by the same names.
        cpu: "same" where processors must be alike.

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
                    'last digits (engine.cpu = "any" allows it, "baseline" has all compute alike)'
                )
    return found
