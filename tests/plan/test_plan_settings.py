"""`--set KEY=VALUE` goes before the file."""

from __future__ import annotations

import pytest

PLAN = '[remote.compare]\nreplicas = "two"\npure = true\n'


def test_a_setting_replaces_what_the_file_says_even_if_that_is_wrong(read):
    assert read(PLAN, "remote.compare.replicas=8").remote["compare"].replicas == 8


def test_the_last_of_equal_settings_counts(read):
    settings = ("remote.compare.replicas=8", "remote.compare.replicas = 3")
    assert read(PLAN, *settings).remote["compare"].replicas == 3


def test_a_word_is_a_string(read):
    for value in ("async", '"async"', "'async'"):
        plan = read("[remote.compare]", f"remote.compare.callstyle={value}")
        assert plan.remote["compare"].callstyle == "async"


def test_lists_tables_and_quoted_names(read):
    settings = (
        'remote.compare.only=["compare"]',
        "remote.compare.functions={compare={pure=true}}",
        'remote."pkg.mod".pure=true',
        "assume.pure=['a.b']",
    )
    plan = read("", *settings)
    assert plan.remote["compare"].only == ("compare",)
    assert plan.remote["compare"].function("compare").pure
    assert plan.remote["pkg.mod"].pure
    assert plan.assume_pure == {"a.b"}


def test_a_table_is_added_to_that_of_the_file(read):
    plan = read("[remote.compare]\npure = true", "remote.compare={replicas=2}")
    assert (plan.remote["compare"].replicas, plan.remote["compare"].pure) == (2, True)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        (
            "remote.compare.callstyle=asinc",
            '--set remote.compare.callstyle=asinc: remote.compare.callstyle is "asinc"; '
            'allowed: "sync", "async" or "async-demand(n)"\n\nhint: did you mean "async"?',
        ),
        (
            "remote.compare.replica=2",
            "--set remote.compare.replica=2: remote.compare.replica is not a key that Cord knows"
            '\n\nhint: did you mean "replicas"?',
        ),
        (
            "remote.pkg.mod.pure=true",
            "--set remote.pkg.mod.pure=true: remote.pkg.mod is not a key that Cord knows\n\n"
            'hint: a module\'s name with dots must be quoted: remote."pkg.mod"; '
            "if mod is a function of pkg, its table is remote.pkg.functions.mod",
        ),
        (
            "remote.comparer.pure=true",
            "--set remote.comparer.pure=true: remote.comparer: there is no module comparer in "
            'HERE or elsewhere on Python\'s path\n\nhint: did you mean "compare"?',
        ),
        (
            "replicas",
            "--set replicas: KEY=VALUE is expected\n\n"
            "hint: for example --set remote.compare.replicas=8",
        ),
        (
            "remote.compare.replicas=",
            "--set remote.compare.replicas=: KEY=VALUE is expected\n\n"
            "hint: for example --set remote.compare.replicas=8",
        ),
        (
            "remote..pure=true",
            "--set remote..pure=true: remote..pure is not a key: unquoted keys cannot be "
            "empty, expected letters, numbers, `-`, `_`\n\n"
            "hint: for example --set remote.compare.replicas=8",
        ),
        (
            "remote.compare.only=[compare]",
            "--set remote.compare.only=[compare]: the value is not TOML: string values must be "
            "quoted, expected literal string\n\n"
            "hint: the shell takes quotes away: quote it all",
        ),
        (
            "remote.compare.pure.x=1",
            "--set remote.compare.pure.x=1: remote.compare.pure is a table; allowed: true or false",
        ),
        (
            "remote.compare.pure=\udc80",
            "--set remote.compare.pure=\udc80: the setting is not text\n\n"
            "hint: for example --set remote.compare.replicas=8",
        ),
        (
            "remote.compare.pure=true\nx = 1",
            "--set remote.compare.pure=true\nx = 1: one KEY=VALUE is expected, not several lines"
            "\n\nhint: for example --set remote.compare.replicas=8",
        ),
    ],
)
def test_errors_name_the_setting(refusal, setting, said):
    assert refusal("remote.compare = {pure = true}", setting) == said


def test_errors_of_file_and_settings_come_together(refusal):
    assert refusal(PLAN, "remote.compare.pure=1", "x") == (
        "cord.toml has 3 errors\n\n"
        'cord.toml:2:12: remote.compare.replicas is "two"; allowed: a whole number from 1 to 1024, '
        '"auto", or a list of names'
        "\n\n"
        "--set remote.compare.pure=1: remote.compare.pure is 1; allowed: true or false\n\n"
        "--set x: KEY=VALUE is expected\n"
        "    hint: for example --set remote.compare.replicas=8"
    )
