"""The features of a processor that all sides of a run use where `engine.cpu` is "baseline".

Libraries choose by the processor how to compute, and the last digits of their results go with the
choice. So all sides are told to choose as on a machine of one fixed level, by variables that the
libraries read when they are loaded. It is fixed, and not what the nodes of a run share, because the
program's own interpreter must be told before it starts, which is before any node has joined; and
because the same program gives the same digits on other nodes tomorrow.

On x86-64 the level is v3: AVX2 and FMA, which processors of servers have since 2013 (Intel) and
2015 (AMD). With v2 matrix products would take twice the time and more. The C library's functions
choose by AVX2 and FMA alone, so they need no telling.
"""

from __future__ import annotations

import platform
import subprocess
import sys

from cord.errors import CordError

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Mapping

_NUMPY = "NPY_DISABLE_CPU_FEATURES"
# What NumPy can choose on this machine, by the names that it has for features; those that are asked
# for in vain would be warned of.
_ASK_NUMPY = """\
try:
    from numpy._core._multiarray_umath import __cpu_dispatch__ as names, __cpu_features__ as has
except ImportError:
    from numpy.core._multiarray_umath import __cpu_dispatch__ as names, __cpu_features__ as has
print(*(name for name in names if has.get(name)))
"""


class Level:
    """A level.

    Attributes:
        name: What it is called.
        flags: The features that a processor must have, as /proc/cpuinfo names them.
        numpy: Those that NumPy may use, by its own names.
        variables: What other libraries are told.
    """

    def __init__(
        self, name: str, flags: tuple[str, ...], numpy: tuple[str, ...], **variables: str
    ) -> None:
        self.name = name
        self.flags = flags
        self.numpy = frozenset(numpy)
        self.variables = variables


_LEVELS = {
    "x86_64": Level(
        "x86-64-v3",
        ("abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"),
        (
            *("SSE", "SSE2", "SSE3", "SSSE3", "SSE41", "POPCNT", "SSE42", "AVX", "F16C", "FMA3"),
            *("AVX2", "X86_V2", "X86_V3"),
        ),
        OPENBLAS_CORETYPE="Haswell",
        BLIS_ARCH_TYPE="haswell",
        MKL_CBWR="COMPATIBLE",  # the only way that MKL has for processors of all makers
        ONEDNN_MAX_CPU_ISA="AVX2",
        ATEN_CPU_CAPABILITY="avx2",
    ),
    "aarch64": Level(
        "ARMv8.0",
        ("asimd", "fp"),
        ("NEON", "NEON_FP16", "NEON_VFPV4", "ASIMD"),
        OPENBLAS_CORETYPE="ARMV8",
        ONEDNN_MAX_CPU_ISA="ADVSIMD",
    ),
}


def level() -> Level:
    """The level of machines of this kind.

    Raises:
        CordError: There is none.
    """
    machine = platform.machine()
    if machine not in _LEVELS:
        raise CordError(
            f'engine.cpu = "baseline" knows of no features that all {machine} processors share',
            'use "same" or "any"',
        )
    return _LEVELS[machine]


def lacks(flags: set[str]) -> list[str]:
    """What a processor lacks of the level.

    Args:
        flags: Its features.
    """
    return [flag for flag in level().flags if flag not in flags]


def check(flags: set[str]) -> None:
    """See that this machine has the level.

    Args:
        flags: The features of its processor.

    Raises:
        CordError: It has not.
    """
    lacking = lacks(flags)
    if lacking:
        raise CordError(f"{said(lacking)} here", 'engine.cpu = "any" allows other last digits')


def said(lacking: list[str]) -> str:
    """Features that a processor lacks of the level, as a phrase."""
    return (
        f"the processor has no {', '.join(lacking)}, which {level().name} has "
        '(engine.cpu = "baseline")'
    )


def variables(environment: Mapping[str, str]) -> dict[str, str]:
    """What an interpreter's environment needs besides, to keep to the level.

    What is set there for a library stays so: it is the same on all sides.

    Args:
        environment: What it has.
    """
    chosen = level()
    added = {name: value for name, value in chosen.variables.items() if name not in environment}
    disabled = environment.get(_NUMPY, "").replace(",", " ").split()
    beyond = [name for name in _numpy_has() if name not in {*chosen.numpy, *disabled}]
    if beyond and "NPY_ENABLE_CPU_FEATURES" not in environment:
        added[_NUMPY] = " ".join([*disabled, *beyond])
    return added


def _numpy_has() -> list[str]:
    """The features that NumPy chooses by, where it is installed and the processor has them."""
    from importlib.util import find_spec

    if find_spec("numpy") is None:
        return []
    asked = subprocess.run(
        [sys.executable, "-P", "-c", _ASK_NUMPY],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode != 0:
        last = asked.stderr.strip().rpartition("\n")[2]
        raise CordError(f'NumPy cannot be held to engine.cpu = "baseline": {last}')
    return asked.stdout.split()
