"""From what was seen to the rule of docs/semantics.md that is likely broken. Runs nothing."""

from __future__ import annotations

from dataclasses import dataclass

from cord.tools.verify.probe import CHANGES, EFFECT, ELSEWHERE, KEEPS, READS, UNSTEADY


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


_BY_VALUE = "rule 1 (by value)"
_PURITY = "rule 2 (purity)"
_ONE_WORLD = "rule 12 (one world)"

# What speaks for a rule most, first.
_OF_FINDINGS = {
    CHANGES: (
        _BY_VALUE,
        "{function}, called at {place}, changes its arguments. In a replica it changes a copy.",
        "let it return the changed value, and let the program use that",
    ),
    KEEPS: (
        _BY_VALUE,
        "{function}, called at {place}, hands out an object that its module keeps or that it has "
        "handed out before. Under Cord each call gives a copy of its own.",
        "let it return a new object each time, and keep state out of the remote module",
    ),
    UNSTEADY: (
        _PURITY,
        "{function} is declared pure, but the call at {place}, made once more with the same "
        "arguments, gives something else: it depends on more than its arguments.",
        "pass what it depends on as an argument, or set pure = false for it",
    ),
    ELSEWHERE: (
        _ONE_WORLD,
        "{function}, called at {place}, gives something else in a process that has nothing of the "
        "program but the arguments: it reads what the program has set in another place (a global, "
        "another module, the environment).",
        "pass what it reads as an argument",
    ),
    READS: (
        _PURITY,
        "{function}, called at {place}, is declared pure, but {what}.",
        "pass what it reads as an argument, or set pure = false for it",
    ),
    EFFECT: (
        _PURITY,
        "{function} is declared pure, but calls such as the one at {place}, made by themselves, "
        "{what}.",
        "return what is to be kept or written, and let the program do that, or set pure = false "
        "for it; if it is meant and does no harm, list what it calls for that under [assume] pure",
    ),
}

# Sums are added up in another order, so their last bits differ.
ROUNDED = Diagnosis(
    _ONE_WORLD,
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
    "ReplicaLost": (
        '"When a replica dies"',
        "A replica died in a call that must not be made again; stderr says which.",
        "find out why the function ends its process",
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


def diagnose(
    findings: list[dict[str, str]], stderr: bytes, *, alike_in_place: bool | None, pure: list[str]
) -> list[Diagnosis]:
    """The rules that are likely broken, the likeliest first.

    Args:
        findings: What the watched run and the repeated calls found.
        stderr: What the run under Cord wrote to stderr.
        alike_in_place: Whether the difference is gone when all calls are made in place, by one
            replica; None if that was not tried.
        pure: The functions that are declared pure.
    """
    found = []
    for name, told in _OF_ERRORS.items():
        if b"\ncord.errors.%s: " % name.encode() in stderr:
            found.append(Diagnosis(*told))
    for kind, (rule, why, remedy) in _OF_FINDINGS.items():
        said = (why.format(**finding) for finding in findings if finding["kind"] == kind)
        found += [Diagnosis(rule, sentence, remedy) for sentence in dict.fromkeys(said)]
    if not found and alike_in_place:
        found.append(
            Diagnosis(
                _PURITY,
                "With every call made in place, by one replica, nothing differs. So a call that "
                f"was started early, or by another replica, saw or did something else; declared "
                f"pure: {', '.join(pure)}.",
                "set pure = false for one after the other, and see which one it is",
            )
        )
    return found
