"""Compares two DNA sequences by local alignment (Smith-Waterman with affine gaps)."""

from Bio.Align import PairwiseAligner

ALIGNER = PairwiseAligner(
    mode="local",
    match_score=2,
    mismatch_score=-1,
    open_gap_score=-5,
    extend_gap_score=-1,
)


def compare(query: str, sequence: str) -> tuple[float, float]:
    """Align two sequences.

    Args:
        query: A DNA sequence.
        sequence: The DNA sequence to compare it with.

    Returns:
        The score of the best local alignment, and the share of its columns (0 to 1)
        in which both sequences have the same base.
    """
    alignment = ALIGNER.align(query, sequence)[0]
    identical = alignment.counts().identities
    return alignment.score, identical / alignment.length
