"""The search of examples/dna as a service: the sequences most like one that is sent."""

import sys
from pathlib import Path

DNA = Path(__file__).resolve().parent.parent / "dna"
sys.path.append(str(DNA))

import compare  # noqa: E402
from search import ORCHIDS, best_first, read_sequences  # noqa: E402

DATABASE = read_sequences(ORCHIDS)


class NotFound(Exception):
    """There is no such sequence."""

    status = 404


class BadSequence(Exception):
    """What was sent is no DNA."""

    status = 422


def sequence(accession: str) -> dict[str, str]:
    """One sequence of the database."""
    for known, text in DATABASE:
        if known == accession:
            return {"accession": known, "sequence": text}
    raise NotFound(f"there is no sequence {accession}")


def search(pattern: str, top: int = 3) -> list[dict[str, str | float]]:
    """The best matches of a DNA sequence, the best one first."""
    if not pattern or set(pattern.upper()) - set("ACGTN"):
        raise BadSequence("a sequence is made of A, C, G, T and N")
    matches = []
    for accession, text in DATABASE:
        score, identity = compare.compare(pattern.upper(), text)
        matches.append((accession, score, identity))
    matches.sort(key=best_first)
    return [
        {"accession": accession, "score": score, "identity": round(identity, 3)}
        for accession, score, identity in matches[:top]
    ]
