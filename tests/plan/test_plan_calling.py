"""The keys that say how calls are made and sent."""

from __future__ import annotations

import pytest

from cord.plan.settings import Batch, Lookahead

NUMBER = "a whole number from 1 to 1000000"


def test_async_demand_says_how_many_calls(read):
    remote = read('[remote.compare]\ncallstyle = " async-demand( 5 ) "').remote["compare"]
    assert remote.callstyle == "async-demand(5)"


@pytest.mark.parametrize(
    ("value", "batch"),
    [
        ("1", Batch(calls=1)),
        ("64", Batch(calls=64)),
        ('"64KiB"', Batch(size=65536)),
        ('"10 KB"', Batch(size=10_000)),
        ('"100B"', Batch(size=100)),
        ('"auto"', Batch()),
    ],
)
def test_batches_are_calls_or_bytes(read, value, batch):
    assert read(f"[remote.compare]\nbatch = {value}").remote["compare"].batch == batch


def test_lookahead_has_two_bounds_with_defaults_of_their_own(read):
    text = """
        [remote.compare]
        lookahead = { calls = 50, bytes = "1GiB" }
        [remote.compare.functions.distance]
        lookahead.bytes = 1000
        [remote."pkg.mod"]
        lookahead.calls = 7
        [client.search.remote.compare]
        lookahead.calls = 9
        """
    plan = read(text)
    compare = plan.remote["compare"]
    assert compare.lookahead == Lookahead(50, 1 << 30)
    assert compare.function("distance").lookahead == Lookahead(50, 1000)
    assert plan.remote["pkg.mod"].lookahead == Lookahead(7, 256 << 20)
    assert compare.function("compare", "__main__").lookahead == Lookahead(9, 1 << 30)


def test_a_share_for_each_replica(read):
    text = '[remote.compare]\nreplicas = 3\npure = true\nloadratio = "1 : 0:2"'
    assert read(text).remote["compare"].loadratio == (1, 0, 2)


def test_resident_arguments_go_by_the_names_of_parameters(read):
    plan = read(
        """
        [remote.compare]
        resident = ["a"]
        resident_bytes = "2GiB"
        [remote.compare.functions.distance]
        resident = "auto"
        [remote.compare.functions.compare]
        resident = []
        """
    )
    compare = plan.remote["compare"]
    assert (compare.resident, compare.resident_bytes) == (("a",), 2 << 30)
    assert compare.function("distance").resident == "auto"
    assert compare.function("compare").resident == ()
    assert compare.function("other").resident == ("a",)


def test_a_wrong_name_of_a_parameter_is_told_where_it_stands(refusal):
    assert refusal("[remote.compare]\nresident = ['a', 1]").startswith(
        "cord.toml:2:18: item 2 of remote.compare.resident is 1; the key takes a list of"
    )
    assert refusal("[remote.compare]\nresident = ['a', 'aa']").startswith(
        'cord.toml:2:18: remote.compare.resident names "aa", but'
    )


def test_no_argument_is_resident_by_default(read):
    compare = read("[remote.compare]").remote["compare"]
    assert (compare.function("compare").resident, compare.resident_bytes) == ((), 512 << 20)


def test_a_client_goes_before_the_function_and_the_module(read):
    plan = read(
        """
        [remote.compare]
        replicas = 2
        callstyle = "async"
        pure = true
        batch = 3
        [remote.compare.functions.distance]
        callstyle = "sync"
        priority = "a"
        [client.search.remote.compare]
        callstyle = "async-demand(2)"
        loadratio = "1:3"
        [client."pkg.mod".remote.compare]
        priority = "b"
        """
    )
    compare = plan.remote["compare"]
    mine = compare.function("distance", "__main__")
    assert (mine.callstyle, mine.priority, mine.batch.calls) == ("async-demand(2)", "a", 3)
    assert mine.loadratio == (1, 3)
    theirs = compare.function("distance", "pkg.mod")
    assert (theirs.callstyle, theirs.priority, theirs.loadratio) == ("sync", "b", None)
    assert compare.function("distance", "another") == compare.function("distance")


REFUSED = {
    "callstyle = 'async-demand'": (
        'callstyle is "async-demand"; allowed: "sync", "async" or "async-demand(n)"\n\n'
        'hint: n is a whole number from 1 to 1000000: "async-demand(5)"'
    ),
    "callstyle = 'async-demand(0)'": 'callstyle is "async-demand(0)"; allowed: ',
    "callstyle = 'async-demand(-1)'": 'callstyle is "async-demand(-1)"; allowed: ',
    "callstyle = 'async-demand(x)'": 'callstyle is "async-demand(x)"; allowed: ',
    "batch = 0": (f'batch is 0; allowed: {NUMBER}, a size of up to "256KiB", or "auto"'),
    "batch = '64'": "\n\nhint: write 64 without quotes",
    "batch = '64kib'": 'batch is "64kib"; allowed: ',
    "batch = '1MiB'": 'batch is "1MiB"; allowed: ',
    "batch = 'aut'": 'hint: did you mean "auto"?',
    "batch = 1.5": "batch is 1.5; allowed: ",
    "loadratio = '1:1'": (
        'loadratio is "1:1", but remote.compare.replicas is 1; allowed: a share for each replica'
    ),
    "loadratio = '1:a'": 'loadratio is "1:a"; allowed: a share for each replica, such as "1:1:2"',
    "loadratio = ''": 'loadratio is ""; allowed: ',
    "loadratio = '0'": "hint: one of the shares must be more than 0",
    "loadratio = 1": "loadratio is 1; allowed: ",
    "lookahead = 100": "lookahead is 100; allowed: a table",
    "lookahead.calls = 0": "lookahead.calls is 0; allowed: a whole number from 1 to 10000000",
    "lookahead.calls = '5'": 'lookahead.calls is "5"; allowed: ',
    "lookahead.bytes = '5 apples'": (
        'lookahead.bytes is "5 apples"; allowed: a size such as "256MiB"'
    ),
    "lookahead.bytes = -1": "lookahead.bytes is -1; allowed: ",
    "lookahead.call = 1": (
        'lookahead.call is not a key that Cord knows\n\nhint: did you mean "calls"?'
    ),
    "resident = 'all'": (
        'resident is "all"; allowed: a list of the names of parameters, or "auto"\n\n'
        'hint: write ["all"]'
    ),
    "resident = true": "resident is true; allowed: a list of the names of parameters, or",
    "resident = ['c']": (
        'resident names "c", but no function of compare has the parameter c; allowed: a or b'
    ),
    "functions.distance.resident = ['d']": (
        'functions.distance.resident names "d", but distance has no parameter d; allowed: a or b'
    ),
    "resident_bytes = 0": 'resident_bytes is 0; allowed: a size such as "512MiB"',
    "resident_bytes = '5 apples'": 'resident_bytes is "5 apples"; allowed: a size such as',
    "priority = 3": (
        "priority is 3; allowed: an expression over the parameters such as "
        '"len(pattern)"\n\nhint: write "3"'
    ),
    "priority = 'len('": "hint: it is not a Python expression: '(' was never closed",
    "priority = ''": "hint: it is not a Python expression: ",
    "priority = 'open(a)'": "hint: it calls open",
    "priority = 'a.sort()'": "hint: it calls a.sort",
    "priority = 'len(a, key=b)'": "hint: len(a, key=b) is not called with plain arguments",
    "priority = '[x for x in a]'": "hint: it has [x for x in a], which it may not have",
    "priority = '(lambda: 1)'": "hint: it has lambda: 1, which it may not have",
    "priority = 'a.__class__'": "hint: the attribute __class__ is private",
    "priority = '(a := 1)'": "hint: it has (a := 1), which it may not have",
    "priority = 'len'": "hint: len is a function and must be called",
    "priority = 'len(c)'": (
        'priority is "len(c)", but no function of compare has the parameter c; allowed: an '
        "expression over a and b"
    ),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items(), ids=list(REFUSED))
def test_wrong_values_are_refused(refusal, text, said):
    message = refusal(f"[remote.compare]\n{text}")
    assert message.startswith("cord.toml:2:")
    assert f"remote.compare.{said}" in message if not said.startswith(("hint", "\n")) else True
    assert said in message


def test_a_priority_of_the_module_is_for_the_functions_that_have_its_parameters(read, project):
    (project / "compare.py").write_text("def f(a): ...\ndef g(b): ...\n")
    assert read('[remote.compare]\npriority = "a"').remote["compare"].priority == "a"


def test_a_priority_of_a_function_is_for_its_own_parameters(refusal, project):
    (project / "compare.py").write_text("def f(size): ...\ndef g(b): ...\n")
    assert refusal('[remote.compare.functions.f]\npriority = "sise + b"') == (
        'cord.toml:2:12: remote.compare.functions.f.priority is "sise + b", but f has no '
        "parameters sise and b; allowed: an expression over size\n\n"
        'hint: did you mean "size"?'
    )


CLIENTS = {
    "[client.search.remote.comp]": (
        "client.search.remote.comp: comp is not a remote module of this plan; allowed: compare "
        'or pkg\n\nhint: did you mean "compare"?'
    ),
    "[client.serch.remote.compare]": (
        "client.serch: there is no module serch in HERE or elsewhere on Python's path\n\n"
        'hint: did you mean "search"?'
    ),
    "[client.pkg.remote.compare]": (
        "client.pkg: pkg is remote itself, and what its functions call is always made in place; "
        "allowed: a module of the program"
    ),
    "[client.'a b'.remote.compare]": 'client."a b" does not name a module; allowed: a dotted name',
    "[client.search.remote.compare]\nreplicas = 2": (
        "client.search.remote.compare.replicas is not a key that Cord knows\n\n"
        'hint: "replicas" belongs in [remote.M]'
    ),
    "[client.search.remote.compare]\nrate = '60/day'": (
        'client.search.remote.compare.rate is "60/day"; allowed: so many per "s", "min" or "h"'
    ),
    "[client.search.remote.compare]\nretries = 2": (
        "client.search.remote.compare.retries is not a key that Cord knows"
    ),
    "[client.search.remote.compare]\nloadratio = '1:1'": (
        'client.search.remote.compare.loadratio is "1:1", but remote.compare.replicas is 1'
    ),
    "[client.search]\ncallstyle = 'async'": "client.search.callstyle is not a key that Cord knows",
}


@pytest.mark.parametrize(("text", "said"), CLIENTS.items(), ids=list(CLIENTS))
def test_wrong_tables_of_clients_are_refused(refusal, text, said):
    assert said in refusal(f"[remote.compare]\n[remote.pkg]\n{text}")


def test_results_are_passed_on_unless_the_plan_says_otherwise(read):
    plan = read(
        """
        [remote.compare]
        [remote.compare.functions.distance]
        forward = false
        [remote."pkg.mod"]
        forward = false
        [client.search.remote."pkg.mod"]
        forward = true
        """
    )
    compare, other = plan.remote["compare"], plan.remote["pkg.mod"]
    assert compare.function("compare").forward
    assert not compare.function("distance").forward
    assert not other.function("f").forward
    assert other.function("f", "__main__").forward


def test_forward_is_true_or_false(refusal):
    said = 'remote.compare.forward is "yes"; allowed: true or false'
    assert said in refusal('[remote.compare]\nforward = "yes"')


@pytest.mark.parametrize("name", ["auto", "shm", "unix", "tcp"])
def test_transports(read, name):
    assert read("[remote.compare]").remote["compare"].transport == "auto"
    remote = read(f'[remote.compare]\ntransport = "{name}"').remote["compare"]
    assert remote.transport == name
    assert remote.function("compare").forward == (name != "tcp")


def test_restart_says_whether_a_fresh_replica_will_do(read, refusal):
    assert read("[remote.compare]").remote["compare"].restart == "never"
    assert read('[remote.compare]\nrestart = "fresh"').remote["compare"].restart == "fresh"
    said = refusal('[remote.compare]\nrestart = "frsh"')
    assert 'remote.compare.restart is "frsh"; allowed: "never" or "fresh"' in said
    assert 'hint: did you mean "fresh"?' in said
    assert "remote.compare.restart is true" in refusal("[remote.compare]\nrestart = true")


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        ("", True),
        ("pure = true", False),
        ("independent = true", False),
        ("functions.compare.pure = true", True),
        ('functions.compare.pure = true\nonly = ["compare"]', False),
        ("pure = true\nfunctions.compare.pure = false", True),
        ("independent = true\nfunctions.compare.pure = true", False),
    ],
)
def test_which_modules_keep_state(read, text, keeps):
    assert read(f"[remote.compare]\n{text}").remote["compare"].keeps_state is keeps


TRANSPORTS = {
    'transport = "udp"': 'allowed: "auto", "shm", "unix" or "tcp"',
    'transport = "TCP"': 'hint: did you mean "tcp"?',
    "transport = 1": 'remote.compare.transport is 1; allowed: "auto", "shm", "unix" or "tcp"',
    'replicas = 2\npure = true\ntransport = "tcp"\ntopology = "ring"': (
        'remote.compare.transport is "tcp", over which replicas pass no calls to one another'
    ),
}


@pytest.mark.parametrize(("text", "said"), TRANSPORTS.items(), ids=list(TRANSPORTS))
def test_wrong_transports_are_refused(refusal, text, said):
    assert said in refusal(f"[remote.compare]\n{text}")
