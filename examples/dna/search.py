"""Finds the best matches of some DNA sequences among all sequences of a FASTA file."""

import argparse
from pathlib import Path

from Bio import SeqIO

import compare

ORCHIDS = Path(__file__).with_name("ls_orchid.fasta")


def read_sequences(path: Path) -> list[tuple[str, str]]:
    """Read (accession, sequence) pairs from a FASTA file with NCBI headers."""
    return [(record.id.split("|")[3], str(record.seq)) for record in SeqIO.parse(path, "fasta")]


def best_first(match: tuple[str, float, float]) -> tuple[float, float, str]:
    """Sort key: higher scores first, then higher identities, then by accession."""
    accession, score, identity = match
    return -score, -identity, accession


def search(queries: list[tuple[str, str]], database: list[tuple[str, str]], top: int) -> None:
    """Compare every query with every sequence and print the best matches of each."""
    print(f"{'query':<12}{'match':<12}{'score':>8}{'identity':>10}")
    for query, query_sequence in queries:
        matches = []
        for accession, sequence in database:
            if accession == query:
                continue
            score, identity = compare.compare(query_sequence, sequence)
            matches.append((accession, score, identity))
        matches.sort(key=best_first)
        for accession, score, identity in matches[:top]:
            print(f"{query:<12}{accession:<12}{score:>8.0f}{identity:>10.1%}")


def main() -> None:
    """Read the command line and the sequences, and search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", type=Path, default=ORCHIDS, help="FASTA file to search")
    parser.add_argument("--queries", type=int, default=12, help="take the first N as queries")
    parser.add_argument("--top", type=int, default=3, help="matches to print for each query")
    arguments = parser.parse_args()

    database = read_sequences(arguments.database)
    search(database[: arguments.queries], database, arguments.top)


if __name__ == "__main__":
    main()
