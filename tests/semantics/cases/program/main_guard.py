# The usual script: functions, argparse, and a guard at the end that returns an exit code.
# args: --top 3 pear fig banana apple
# file: work.py
def score(name):
    return sum(map(ord, name)) % 17
# file: main.py
#!/usr/bin/env python3
"""Ranks names."""

from __future__ import annotations

import argparse
import sys

import work


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--top", type=int, default=2)
    return parser.parse_args(argv)


def main() -> int:
    options = parse()
    scores = {name: work.score(name) for name in options.names}
    for name in sorted(scores, key=lambda n: (-scores[n], n))[: options.top]:
        print(f"{name:<10}{scores[name]:>4}")
    return len(scores) % 3


if __name__ == "__main__":
    sys.exit(main())
