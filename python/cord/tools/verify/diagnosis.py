"""From what the runs have shown to the rule of docs/semantics.md that is likely broken."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A rule that is likely broken.

    Attributes:
        rule: The rule, as "rule 1 (by value)".
        why: What speaks for it, in a sentence or two.
        remedy: What to do.
    """

    rule: str
    why: str
    remedy: str


# Sums are added up in another order, so their last bits differ.
ROUNDED = Diagnosis(
    "rule 12 (one world)",
    'With blas_threads = "all" nothing differs. In replicas, numerical libraries (OpenBLAS, MKL) '
    "use only a share of the cores, and the last digits of what they compute depend on the number "
    "of their threads.",
    'blas_threads = "all" for the remote modules; or print fewer digits',
)

_OF_ERRORS = {
    "RemoteInputError": (
        "rule 11 (output and errors)",
        "A remote function reads standard input, which belongs to the program.",
        "read it in the program and pass it as an argument",
    ),
    "EncodeError": (
        "rule 1 (by value)",
        "An argument or a result cannot travel to another process; stderr says which.",
        "pass a plain value, or keep that function local with `only`",
    ),
    "CallMayHaveRun": (
        '"When a replica dies"',
        "A replica died in a call that must not be made again; stderr says which.",
        "find out why the function ends its process",
    ),
    "PoisonCall": (
        '"When a replica dies"',
        "A call ended each replica that it was given to; stderr says which, and how.",
        "find out why the function ends its process",
    ),
    "ReplicaLost": (
        '"When a replica dies"',
        "No replica was left for a call; stderr says which, and why.",
        "find out why the module's processes end",
    ),
    "StateLost": (
        '"When a replica dies"',
        "A replica died between two calls, and what earlier calls left in it is lost; stderr says "
        "how it ended.",
        "find out why its process ends; memory that runs out, say",
    ),
    "ReplicaUnavailable": (
        "rule 10 (plain stays plain)",
        "Replicas cannot import a remote module by themselves; stderr says why.",
        "let the module import without the program's help",
    ),
}


def told_by(stderr: bytes) -> list[Diagnosis]:
    """The rules that an exception of Cord's speaks against.

    Args:
        stderr: What the run under Cord wrote to stderr.
    """
    told = (of for name, of in _OF_ERRORS.items() if f"\ncord.errors.{name}: ".encode() in stderr)
    return [Diagnosis(*of) for of in told]


def in_place(pure: list[str]) -> Diagnosis:
    """What it means that nothing differs where all calls are made in place.

    Args:
        pure: The functions that are declared pure.
    """
    return Diagnosis(
        "rule 2 (purity)",
        "With every call made in place, by one replica, nothing differs. So a call that was "
        "started early, or by another replica, saw or did something else; declared pure: "
        f"{', '.join(pure)}.",
        "set pure = false for one after the other, and see which one it is",
    )
