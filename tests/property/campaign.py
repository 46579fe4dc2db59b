"""Runs many random programs plain and under Cord, and keeps those that differ.

`make property N=20000 SEED=1` runs the programs 1 to 20000, some at a time, with progress on
stderr. Of each failing program there are two files in `build/property/`: NUMBER.py, the program as
it was made, and NUMBER-small.py, shrunk to what matters, both in the format of
`tests/semantics/cases`, where the second belongs, with a name and a line about it, once the bug is
found. The exit status is 1 if any program failed.

With `--copies` a copy of the program is made at each call, with `--effects` programs have effects
between their calls, with `--lies` their functions do what the plan denies, with `--state` they
change the state of modules, and with `--calls` their system calls are compared, too (those are not
shrunk).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import effect_clients
import lying_clients
import random_clients
import state_clients
import system_calls
from program_case import Case, Observed
from shrinking import case_text, shrink
from warm_runs import Pair, difference, warm_pair, worth_comparing

LIMIT = 20.0  # seconds after which a run counts as hanging
SHRINK_LIMIT = 5.0  # the same while shrinking, when many candidates hang
CHUNK = 50  # programs that a process runs before it tells of them
REPEATS = 12  # runs by which it is found out how often a program fails
PLAIN_AGAIN = 3  # plain runs of a program that differs, to see whether it differs from itself
UNUSABLE = "unusable"
CALLS = "calls"


KINDS: dict[str, Callable[[int], Case]] = {
    "clients": random_clients.make_case,
    "effects": effect_clients.make_case,
    "lies": lying_clients.make_case,
    "state": state_clients.make_case,
}


@dataclass(frozen=True)
class Campaign:
    """What kind of programs are run, and in which way under Cord."""

    way: str
    kind: str = "clients"

    def make_case(self, seed: int) -> Case:
        """The program of this number."""
        return KINDS[self.kind](seed)

    @contextmanager
    def examiner(self) -> Iterator[Callable[[Case], str]]:
        """Tells what differs for a case, as `examine`."""
        if self.way == CALLS:
            yield examine_calls
            return
        with warm_pair(self.way) as pair:
            yield lambda case: examine(case, pair)


@dataclass(frozen=True)
class Failure:
    """A program that showed something else under Cord."""

    seed: int
    what: str


Outcome = tuple[Counter[str], list[Failure]]


def examine_group(
    make_case: Callable[[int], Case], group: int, size: int, pair: Pair
) -> tuple[dict[int, str], int]:
    """Run all programs of a group: `size` numbers, of which those of group 0 begin with 0.

    Returns:
        By number, what differs; and how many programs could not be compared.
    """
    seeds = range(group * size, (group + 1) * size)
    shown = {seed: examine(make_case(seed), pair) for seed in seeds}
    different = {seed: what for seed, what in shown.items() if what not in ("", UNUSABLE)}
    return different, list(shown.values()).count(UNUSABLE)


def examine(case: Case, pair: Pair, limit: float = LIMIT) -> str:
    """What differs for a case: "" for nothing, `UNUSABLE` if it is not worth comparing.

    That is also one which differs from itself.
    """
    runs = pair.run(case, limit)
    if runs is None:
        return UNUSABLE
    what = difference(*runs)
    if what and any(difference(runs[0], again) for again in pair.run_plain(case, PLAIN_AGAIN)):
        return UNUSABLE
    return what


def examine_calls(case: Case) -> str:
    """What differs in the system calls of a case."""
    with tempfile.TemporaryDirectory(prefix="cord-property-") as root:
        what = system_calls.difference(case, Path(root))
    return UNUSABLE if what is None else what


def run_chunk(seeds: range, campaign: Campaign) -> Outcome:
    """Run the programs of these numbers."""
    counts: Counter[str] = Counter()
    failures = []
    with campaign.examiner() as examined:
        for seed in seeds:
            what = examined(campaign.make_case(seed))
            counts[UNUSABLE if what == UNUSABLE else "failed" if what else "same"] += 1
            if what not in ("", UNUSABLE):
                failures.append(Failure(seed, what))
    return counts, failures


def run_all(first: int, count: int, jobs: int, campaign: Campaign) -> Generator[Outcome]:
    """Run `count` programs from the number `first` on, in `jobs` processes."""
    chunks = [
        range(start, min(start + CHUNK, first + count))
        for start in range(first, first + count, CHUNK)
    ]
    with ProcessPoolExecutor(jobs) as pool:
        try:
            for future in as_completed(
                [pool.submit(run_chunk, chunk, campaign) for chunk in chunks]
            ):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def minimal(case: Case, what: str, pair: Pair) -> Case:
    """A failing program, shrunk.

    Args:
        case: The program.
        what: What differed.
        pair: What runs it.
    """
    hangs = what == "hangs"
    shown = [examine(case, pair, SHRINK_LIMIT) for _ in range(REPEATS)]
    rate = sum(what not in ("", UNUSABLE) for what in shown) / REPEATS
    tries = 1 if rate == 1 else min(12, round(2 / rate)) if rate else 12
    passed: set[str] = set()

    def fails(candidate: Case) -> bool:
        text = case_text(candidate)
        if text in passed:
            return False
        for _ in range(tries):
            runs = pair.run(candidate, SHRINK_LIMIT, makes_sense)
            if runs is None:
                break
            what = difference(*runs)
            if what and (what == "hangs") == hangs:
                return True
        passed.add(text)
        return False

    small = shrink(case, fails)
    about = f"{case.about.removesuffix('.')}, shrunk; it failed in {rate:.0%} of its runs: {what}"
    return replace(small, about=about)


def makes_sense(plain: Observed) -> bool:
    """Whether a shrunk program is still one that somebody could have meant."""
    missing = "NameError", "UnboundLocalError", "AttributeError: module"
    named = not plain.last_line.startswith(missing)
    return named and b" at 0x" not in plain.stdout and worth_comparing(plain)


def keep(failure: Failure, folder: Path, campaign: Campaign, pair: Pair) -> None:
    """Write a failing program, as it was made and shrunk."""
    folder.mkdir(parents=True, exist_ok=True)
    case = campaign.make_case(failure.seed)
    (folder / f"{failure.seed}.py").write_text(case_text(case))
    small = minimal(case, failure.what, pair)
    (folder / f"{failure.seed}-small.py").write_text(case_text(small))


def tell(text: str) -> None:
    """Say something on stderr."""
    print(text, file=sys.stderr, flush=True)


def main(words: list[str] | None = None) -> int:
    """Run a campaign; returns the exit status."""
    parser = argparse.ArgumentParser(description="random programs, plain and under Cord")
    parser.add_argument("--count", type=int, default=1000, help="how many programs (1000)")
    parser.add_argument("--seed", type=int, default=1, help="number of the first program (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--most", type=int, default=20, help="failures after which it stops (20)")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--copies", action="store_const", const="copied", help="a copy at each call")
    ways.add_argument("--bare", action="store_const", const="bare", help="the same, nothing else")
    ways.add_argument(
        "--calls", action="store_const", const=CALLS, help="compare system calls (with --effects)"
    )
    kinds = parser.add_mutually_exclusive_group()
    for kind, about in (
        ("effects", "programs with effects"),
        ("lies", "programs whose functions do what the plan denies"),
        ("state", "programs that change the state of modules"),
    ):
        kinds.add_argument(
            f"--{kind}",
            dest="kind",
            action="store_const",
            const=kind,
            help=about,
            default="clients",
        )
    parser.add_argument("--show", action="store_true", help="only print the first program")
    parser.add_argument("--output", type=Path, default=Path("build/property"), help="folder")
    options = parser.parse_args(words)
    campaign = Campaign(options.copies or options.bare or options.calls or "cord", options.kind)
    if options.show:
        print(case_text(campaign.make_case(options.seed)), end="")
        return 0
    counts: Counter[str] = Counter()
    failures: list[Failure] = []
    began = time.monotonic()
    results = run_all(options.seed, options.count, options.jobs, campaign)
    for more, failed in results:
        counts += more
        failures += failed
        for failure in failed:
            tell(f"program {failure.seed}: {failure.what}")
        speed = counts.total() / (time.monotonic() - began)
        tell(f"{counts.total()} of {options.count} programs, {speed:.0f} a second, {dict(counts)}")
        if len(failures) >= options.most:
            results.close()
            break
    if campaign.way != CALLS:
        with warm_pair(campaign.way) as pair:
            for failure in failures:
                tell(f"program {failure.seed}: shrinking, into {options.output}")
                keep(failure, options.output, campaign, pair)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
