"""The keys for functions that wait: deadline, rate, retries, retry_on, hedge, gather."""

from __future__ import annotations

import pytest

from cord.plan.settings import Hedge, Rate

DEADLINES = {'"30s"': 30, '"250ms"': 0.25, '"5min"': 300, '"2h"': 7200, "30": 30, "0.5": 0.5}
RATES = {'"60/min"': (60, 60), '"10/s"': (10, 1), '"500/h"': (500, 3600), '"0.5 / s"': (0.5, 1)}
HEDGES = {'"p95"': Hedge(part=0.95), '"p99.9"': Hedge(part=0.999), '"2s"': Hedge(after=2.0)}
PURE = "[remote.compare]\npure = true\n"
FUNCTION = PURE + "[remote.compare.functions.compare]\n"


@pytest.mark.parametrize(("text", "seconds"), DEADLINES.items())
def test_a_deadline_is_a_time(read, text, seconds):
    plan = read(f"[remote.compare]\ndeadline = {text}")
    assert plan.remote["compare"].function("distance").deadline == seconds


@pytest.mark.parametrize(("text", "rate"), RATES.items())
def test_a_rate_is_calls_in_a_time(read, text, rate):
    plan = read(f"[remote.compare]\nrate = {text}").remote["compare"]
    assert plan.function("compare").rate == plan.function("distance").rate == Rate(*rate)


def test_a_rate_of_its_own_is_kept_by_a_function_or_a_client_alone(read):
    plan = read(
        """
        [remote.compare]
        rate = "60/min"
        [remote.compare.functions.compare]
        rate = "60/min"
        [client.search.remote.compare]
        rate = "60/min"
        """
    ).remote["compare"]
    of = [plan.function(*names).rate.of for names in (("distance",), ("compare",))]
    assert [*of, plan.function("compare", "__main__").rate.of] == ["", "compare", "client __main__"]


@pytest.mark.parametrize(("text", "hedge"), HEDGES.items())
def test_a_hedge_is_a_part_of_the_calls_or_a_time(read, text, hedge):
    plan = read(f"{PURE}hedge = {text}")
    assert plan.remote["compare"].function("compare").hedge == hedge


def test_a_function_has_its_own_or_the_modules(read):
    plan = read(
        """
        [remote.compare]
        pure = true
        retries = 5
        retry_on = ["openai.RateLimitError", "OSError"]
        [remote.compare.functions.compare]
        retries = 0
        gather = "distance"
        """
    ).remote["compare"]
    compare, distance = plan.function("compare"), plan.function("distance")
    assert (compare.retries, compare.gather) == (0, "distance")
    assert (distance.retries, distance.gather) == (5, None)
    assert compare.retry_on == distance.retry_on == ("openai.RateLimitError", "OSError")
    assert compare.is_tended and not read("[remote.compare]").remote["compare"].usual("").is_tended


WRONG = {
    "[remote.compare]\ndeadline = 'soon'": (
        'compare.deadline is "soon"; allowed: a time from "1ms" to "168h" such as "30s" or "5min"'
    ),
    "[remote.compare]\ndeadline = 0": "compare.deadline is 0; allowed",
    "[remote.compare]\nrate = 60": 'compare.rate is 60; allowed: so many per "s", "min" or "h"',
    "[remote.compare]\nrate = '0/s'": 'compare.rate is "0/s"; allowed',
    "[remote.compare]\nretries = 2": (
        "remote.compare.retries is 2, but no function of compare is declared pure, and a call that "
        "has effects is made once"
    ),
    f"{PURE}retries = -1": "retries is -1; allowed: a whole number from 0 to 100",
    f"{PURE}retry_on = 'OSError'": 'hint: write ["OSError"]',
    f"{PURE}retry_on = ['OSEror']": 'hint: did you mean "OSError"?',
    f"{PURE}retry_on = ['RateLimit']": "hint: write its module, too: module.RateLimit",
    f"{PURE}retry_on = ['a b']": 'item 1 of remote.compare.retry_on is "a b"',
    "[remote.compare]\nretry_on = ['OSError']": "but no function of compare is declared pure",
    f"{PURE}hedge = 'p40'": 'hedge is "p40"; allowed: "p50" to "p99.9", or a time such as "2s"',
    "[remote.compare]\nhedge = 'p95'": "but no function of compare is declared pure",
    f"{FUNCTION}gather = 'many'": ('gather is "many", but compare defines no function many'),
    f"{FUNCTION}gather = 'compare'": "allowed: another function of compare",
    f"{FUNCTION}gather = 'distance'\npure = false": "but compare is not declared pure",
    f"{PURE}replicas = 2\nloadratio = '1:1'\n[remote.compare.functions.compare]\n"
    "gather = 'distance'": "calls of compare are assigned to replicas one by one",
    f"{PURE}gather = 'distance'": 'hint: "gather" belongs in [remote.M.functions.F]',
}


@pytest.mark.parametrize(("text", "said"), WRONG.items(), ids=list(WRONG))
def test_what_makes_no_sense_is_refused(refusal, text, said):
    assert said in refusal(text)
