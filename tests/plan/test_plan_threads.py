"""What the plan says of threads: how many there are, and what is refused beside them."""

from __future__ import annotations

import pytest

PLAN = "[remote.compare]\nthreads = 16\npure = true\n"


def test_one_process_serves_so_many_calls_ahead_of_the_program(read):
    remote = read(PLAN).remote["compare"]
    assert (remote.replicas, remote.threads, remote.places) == (1, 16, 16)
    assert (remote.callstyle, remote.per_core) == ("async", False)


def test_functions_with_effects_are_called_ahead_where_there_are_threads(read):
    remote = read("[remote.compare]\nthreads = 2\nindependent = true").remote["compare"]
    assert remote.callstyle == "async"


def test_there_may_be_such_a_process_for_each_core(read):
    remote = read(PLAN + 'replicas = "auto"').remote["compare"].on_cores(3)
    assert (remote.replicas, remote.places) == (3, 48)


REFUSED = {
    "a word": (
        '[remote.compare]\nthreads = "16"',
        'cord.toml:2:11: remote.compare.threads is "16"; allowed: a whole number from 1 to 1024'
        "\n\nhint: write 16 without quotes",
    ),
    "none": (
        "[remote.compare]\nthreads = 0",
        "cord.toml:2:11: remote.compare.threads is 0; allowed: a whole number from 1 to 1024",
    ),
    "functions that are not declared": (
        "[remote.compare]\nthreads = 2",
        "cord.toml:2:11: remote.compare.threads is 2, but the functions of compare are not "
        "declared pure, and calls that run at once find what others keep as it may be; "
        "allowed: 1\n\nhint: set pure = true if the functions have no effects and depend on "
        "their arguments alone, repeatable = true if they write only "
        "what is their own, independent = true if they have effects and no call depends on "
        "another's, otherwise threads = 1",
    ),
    "more than are served": (
        PLAN + "replicas = 300",
        "cord.toml:2:11: remote.compare.threads is 16, which makes 4800 calls at once in 300 "
        "replicas; allowed: 4096 in all",
    ),
    "shares": (
        PLAN + 'replicas = 2\nloadratio = "1:2"',
        'cord.toml:5:13: remote.compare.loadratio is "1:2", but remote.compare.threads is 16, '
        "and it is about replicas that serve one call at a time\n\nhint: leave loadratio out, or "
        "set threads = 1",
    ),
    "migration": (
        PLAN + 'replicas = 2\ntopology = "full"',
        'cord.toml:5:12: remote.compare.topology is "full", but remote.compare.threads is 16, '
        "and it is about replicas that serve one call at a time\n\nhint: leave topology out, or "
        "set threads = 1",
    ),
    "functions of the main script with effects": (
        "[remote.__main__]\nthreads = 2\nindependent = true",
        "cord.toml:2:11: remote.__main__.threads is 2, but not all functions of the main script "
        "that are remote are declared pure, and what they change there would come home from "
        "several calls at once; allowed: 1\n\nhint: set pure = true if they have no effects and "
        "depend on their arguments alone, and leave the others out by only",
    ),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(refusal, text, said):
    assert refusal(text) == said
