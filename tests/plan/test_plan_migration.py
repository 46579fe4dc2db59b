"""The keys that say how replicas pass queued calls to one another, and how fast they are."""

from __future__ import annotations

import pytest

from cord.plan.settings import Link, Load, Migration

THREE = '[remote.compare]\nreplicas = ["ant", "bee", "cat"]\npure = true\n'
HALF = (1, 2)


def test_replicas_may_have_names(read):
    remote = read(THREE).remote["compare"]
    assert (remote.replicas, remote.names) == (3, ("ant", "bee", "cat"))
    hosts = ["10.0.0.1", "node_2.lab.edu", "b-7", "käfer"]
    assert read(f"[remote.compare]\npure = true\nreplicas = {hosts}").remote[
        "compare"
    ].names == tuple(hosts)


def test_an_expression_has_up_to_four_conditions(read):
    text = (
        "migration = ["
        "'ant(oc=(load>=8))#bee:[1/2]', "
        "' bee ( uc = ( load < 3 ), oc=(load > 4) ) # cat(oc=(load==5)uc=(load==0)) : [ 2 / 3 ] '"
        "]"
    )
    assert read(THREE + text).remote["compare"].migration == Migration(
        (
            Link(0, 1, "overload", Load(8, None), HALF),
            Link(2, 1, "underload", Load(0, 2), (2, 3)),
            Link(1, 2, "overload", Load(5, None), (2, 3)),
            Link(2, 1, "overload", Load(5, 5), (2, 3)),
            Link(1, 2, "underload", Load(0, 0), (2, 3)),
        ),
        start=(1, 0, 0),
    )


def test_replicas_without_names_go_by_number(read):
    text = "[remote.compare]\nreplicas = 2\npure = true\nmigration = ['2(oc=(load>=1))#1:[1/1]']"
    assert read(text).remote["compare"].migration == Migration(
        (Link(1, 0, "overload", Load(1, None), (1, 1)),), start=(0, 1)
    )


@pytest.mark.parametrize(
    ("links", "start"),
    [
        ("ant#bee bee#cat", (1, 0, 0)),
        ("cat#bee bee#ant", (0, 0, 1)),
        ("bee#cat ant#bee", (1, 0, 0)),
        ("ant#bee bee#cat cat#ant", (1, 1, 1)),
        ("ant#bee ant#cat", (1, 1, 1)),
        ("ant#bee", (1, 1, 1)),
        ("ant#bee bee#ant", (1, 1, 1)),
        ("ant#cat bee#cat", (1, 1, 1)),
    ],
)
def test_along_a_line_the_first_gets_all_at_first_else_all_get_alike(read, links, start):
    drawn = ", ".join(f"'{link}(uc=(load==0)):[1/2]'" for link in links.split())
    migration = read(f"{THREE}migration = [{drawn}]").remote["compare"].migration
    assert migration.start == start


def test_a_topology_draws_the_links(read):
    text = THREE + 'topology = "{}"\noverload = "load >= 10"\nunderload = "load <= 1"\n'
    over, under = Load(10, None), Load(0, 1)
    line = read(text.format("line")).remote["compare"].migration
    assert [(one.sender, one.receiver, one.begins, one.load) for one in line.links] == [
        (0, 1, "overload", over),
        (0, 1, "underload", under),
        (1, 2, "overload", over),
        (1, 2, "underload", under),
    ]
    assert line.start == (1, 0, 0)
    ring = read(text.format("ring") + 'share = "1/3"').remote["compare"].migration
    assert [(one.sender, one.receiver) for one in ring.links[4:]] == [(2, 0), (2, 0)]
    assert (ring.links[0].share, ring.start) == ((1, 3), (1, 1, 1))
    full = read(text.format("full")).remote["compare"].migration
    assert (full.full, full.overload, full.underload, full.links) == (True, over, under, ())


def test_a_topology_alone_lets_idle_replicas_ask(read):
    migration = read(THREE + 'topology = "full"').remote["compare"].migration
    assert (migration.overload, migration.underload) == (None, Load(0, 0))
    assert migration.share == HALF


@pytest.mark.parametrize(
    ("speed", "stretches"),
    [
        ("[0.25, 1, 2]", [7.0, 1.0, 0.0]),
        ("[1, 1, 1]", [0.0, 0.0, 0.0]),
        ("[0.5, 0.25, 0.125]", [1.0, 3.0, 7.0]),
    ],
)
def test_speed_1_or_the_largest_above_it_is_full_speed(read, speed, stretches):
    remote = read(f"{THREE}speed = {speed}").remote["compare"]
    assert [remote.stretch(number) for number in range(3)] == stretches
    assert read(THREE).remote["compare"].stretch(2) == 0.0


@pytest.mark.parametrize(
    ("written", "share"),
    [("2/4", (1, 2)), ("1", (1, 1)), ("0.25", (1, 4)), (".5/1.5", (1, 3)), (" 7 / 7 ", (1, 1))],
)
def test_a_share_is_a_fraction(read, written, share):
    text = f'{THREE}topology = "full"\nshare = "{written}"'
    assert read(text).remote["compare"].migration.share == share


REFUSED = {
    "topology = 'star'": 'topology is "star"; allowed: "line", "ring" or "full"',
    "topology = 'rin'": 'hint: did you mean "ring"?',
    "overload = 'load >= 1'": (
        'overload is "load >= 1", but there is no topology that it would be for'
    ),
    "share = '1/2'": 'share is "1/2", but there is no topology that it would be for',
    "topology = 'ring'\noverload = 'load <= 1'": "hint: the comparison is one of >=, >, ==",
    "topology = 'ring'\nunderload = 'load >= 1'": "hint: the comparison is one of ==, <=, <",
    "topology = 'ring'\nunderload = 'load < 0'": "hint: no load is < 0",
    "topology = 'ring'\nunderload = 'queue == 0'": ('hint: a condition is written as "load == 10"'),
    "topology = 'ring'\noverload = 10": (
        'overload is 10; allowed: a condition such as "load >= 10"'
    ),
    "topology = 'ring'\nshare = '3/2'": 'share is "3/2"; allowed: a fraction such as "1/2"',
    "topology = 'ring'\nshare = '0/2'": 'share is "0/2"; allowed: ',
    "topology = 'ring'\nshare = '1/0'": 'share is "1/0"; allowed: ',
    "topology = 'ring'\nshare = ''": 'share is ""; allowed: ',
    "topology = 'ring'\nshare = '1/'": 'share is "1/"; allowed: ',
    "topology = 'ring'\nshare = '/2'": 'share is "/2"; allowed: ',
    "topology = 'ring'\nshare = '.'": 'share is "."; allowed: ',
    "topology = 'ring'\nshare = '1.0000001'": 'share is "1.0000001"; allowed: ',
    "topology = 'ring'\nshare = 0.5": "share is 0.5; allowed: ",
    "topology = 'ring'\nmigration = ['ant#bee(uc=(load==0)):[1/2]']": (
        'topology is "ring", but migration draws the links already'
    ),
    "migration = []": "migration is []; allowed: a list of expressions such as",
    "migration = 'ant#bee(uc=(load==0)):[1/2]'": ('hint: write ["ant#bee(uc=(load==0)):[1/2]"]'),
    "migration = ['ant#bee:[1/2]']": (
        "hint: one side has to have a condition, such as uc=(load==0)"
    ),
    "migration = ['ant(oc=(load>=1))#bee']": (
        'hint: an expression is written as "ant(oc=(load>=10))#bee(uc=(load==0)):[1/2]"'
    ),
    "migration = ['ant(oc=(load>=1))#ant:[1/2]']": "hint: ant is linked to itself",
    "migration = ['ant(oc=(load>=1))#bee:[5/2]']": (
        'hint: "5/2" is not a fraction from above 0 to 1, such as 1/2'
    ),
    "migration = ['ant(xx=(load>=1))#bee:[1/2]']": (
        'hint: "xx=(load>=1)" is no condition; one is written as oc=(load>=10)'
    ),
    "migration = ['ant(oc=(load>=1))#bea:[1/2]']": (
        "migration names the replica bea, which is not there; allowed: ant, bee or cat\n\n"
        'hint: did you mean "bee"?'
    ),
    "migration = [3]": "item 1 of remote.compare.migration is 3; the key takes a list of",
    "speed = [1, 2]": (
        "speed is [1, 2], but remote.compare.replicas is 3; allowed: a speed for each replica"
    ),
    "speed = [1, 0, 1]": "item 2 of remote.compare.speed is 0; the key takes a list of numbers",
    "speed = 2": "speed is 2; allowed: a list of numbers above 0, one for each replica",
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items(), ids=list(REFUSED))
def test_wrong_values_are_refused(refusal, text, said):
    assert said in refusal(THREE + text)


def test_many_spaces_are_refused_at_once(refusal):
    spaces = " " * 30_000
    said = refusal(f"{THREE}topology = 'ring'\nshare = '{spaces}x'")
    assert "share is" in said
    assert "allowed: a fraction" in said
    said = refusal(f"{THREE}migration = ['a{spaces}x']")
    assert "hint: an expression is written as" in said


ALONE = {
    "topology = 'ring'": (
        'topology is "ring", but there is only one replica; allowed: two or more'
    ),
    "replicas = []": 'replicas is []; allowed: a whole number from 1 to 1024, "auto", or a list',
    "replicas = ['ant', 'ant']": "hint: ant is there twice",
    "replicas = ['ant', 'b e']": "hint: a name is made of letters, digits, _, . and -",
    "replicas = ['-a']": "hint: a name is made of letters, digits, _, . and -",
    "replicas = [1, 2]": "item 1 of remote.compare.replicas is 1; the key takes a whole number",
}


@pytest.mark.parametrize(("text", "said"), ALONE.items(), ids=list(ALONE))
def test_wrong_replicas_are_refused(refusal, text, said):
    assert said in refusal(f"[remote.compare]\n{text}")
