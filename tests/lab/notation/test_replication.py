"""Hosts, and migration expressions: what they are equal to, and what is wrong with them."""

from __future__ import annotations

import pytest
from imported import errors, one_call, refused, remote

# where the text of the attribute begins, in the second line
BEGIN = len('module scorer { source = "C" "remote" :: define interface score : replication = "')


def scorer(text: str) -> dict[str, object]:
    return remote(one_call("", f': replication = "{text}"'))


def told(text: str) -> list[str]:
    """What is said, with the place in the attribute's text, from 0."""
    found = []
    for line in errors(one_call("", f': replication = "{text}"')):
        place, message = line.split(": ", 1)
        assert place.startswith("2:")
        found.append(f"{int(place[2:]) - BEGIN - 1}: {message}")
    return found


def links(*pairs: str) -> list[str]:
    return [f"{pair[0]}(oc=(load>=5))#{pair[1]}(uc=(load==0)):[1/2]" for pair in pairs]


@pytest.mark.parametrize(
    ("pairs", "hosts"),
    [
        (["ab", "bc", "cd"], "abcd"),  # a line
        (["ab", "bc", "cd", "da"], "abcd"),  # a ring
        (["ab", "ba"], "ab"),
        (["ca", "cb", "cd"], "cabd"),  # a star
        (["cd", "ab"], "cdab"),
    ],
)
def test_expressions_draw_the_topology(pairs, hosts):
    text = ", ".join(links(*pairs))
    assert told(text) == []
    assert scorer(text)["migration"] == links(*pairs)
    assert scorer(text)["replicas"] == list(hosts)


@pytest.mark.parametrize(
    "written",
    [
        "a(oc=(load>=8))#b:[1/2]",
        "a#b(uc=(load==0)):[1/3]",
        "a(uc=(load<=2))#b:[2/4]",
        "a#b(oc=(load>=1)):[1]",
        "a(oc=(load>=8),uc=(load==0))#b(oc=(load>=8),uc=(load<=1)):[0.25]",
        "10.0.0.1(oc=(load>=8))#node-2.lab.edu:[1/1]",
        "oc(oc=(load>=8))#load:[1/2]",
    ],
)
def test_conditions_and_fractions(written):
    assert told(written) == []
    assert scorer(written)["migration"] == [written]
    assert refused(one_call("", f': replication = "{written}"')) == []


@pytest.mark.parametrize(
    "written",
    [
        " a ( oc = ( load >= 08 ) uc=(load==0) ) # b ( ) : [ 1 / 2 ] ",
        "a(oc=(load>=8);uc=(load==0))#b:[1/2]",
        "a(oc=(load>=8)\n,\tuc=(load==0))#b\n:[1/2]",
    ],
)
def test_blank_space_in_expressions(written):
    assert scorer(written)["migration"] == ["a(oc=(load>=8),uc=(load==0))#b:[1/2]"]


def test_hosts_that_nothing_joins_are_replicas_too():
    text = "z, a(oc=(load>=8))#b:[1/2], b"
    assert scorer(text)["replicas"] == ["z", "a", "b"]


WRONG = {
    "": ["0: a host is missing here"],
    "a,,b": ["2: a host is missing here"],
    "a,b,": ["4: a host is missing here"],
    "a,b,a": ["4: the host a is there twice"],
    "a b": ["2: `b` cannot stand here; `#` or `(` is expected"],
    "a#b:[1/2]": ["0: this migration has no condition, so nothing would ever move"],
    "a()#b():[1/2]": ["0: this migration has no condition, so nothing would ever move"],
    "a(oc=(load>=8))": ["15: `#` is missing here"],
    "a(oc=(load>=8))#": ["16: a host is missing here"],
    "a(oc=(load>=8))#b": ["17: `(` or `:` is missing here"],
    "a(oc=(load>=8))#b:1/2": ["18: `1` cannot stand here; `[` is expected"],
    "a(oc=(load>=8))#b:[1/2": ["22: `]` is missing here"],
    "a(oc=(load>=8)#b:[1/2], c": [
        "14: `#` cannot stand here; `)`, `,`, `;` or a condition is expected"
    ],
    "a(oc=load>=8)#b:[1/2]": ["5: `load` cannot stand here; `(` is expected"],
    "a(oc=(load=>8))#b:[1/2]": ["11: `>` cannot stand here; a number is expected"],
    "a(oc=(load==8))#b:[1/2]": ["10: oc compares the load with ==; allowed: oc=(load>=N)"],
    "a(uc=(load<8))#b:[1/2]": [
        "10: uc compares the load with <; allowed: uc=(load==N) or uc=(load<=N)"
    ],
    "a(xc=(load>=8))#b:[1/2]": ["2: xc is not a condition; there are oc and uc"],
    "a(oc=(queue>=8))#b:[1/2]": ["6: queue is nothing that a condition can compare"],
    "a(oc=(load>=0.5))#b:[1/2]": ["12: a load is a whole number, and 0.5 is none"],
    "a(oc=(load>=8),oc=(load>=9))#b:[1/2]": ["15: oc is there twice for a"],
    "a(oc=(load>=8))#a:[1/2]": ["16: the host a cannot pass calls to itself"],
    "a(oc=(load>=8))#b:[0/2]": ["19: the fraction is 0/2; allowed: more than 0, and 1 at most"],
    "a(oc=(load>=8))#b:[3/2]": ["19: the fraction is 3/2; allowed: more than 0, and 1 at most"],
    "a(oc=(load>=8))#b:[1/0]": ["19: the fraction is 1/0; allowed: more than 0, and 1 at most"],
    "a(oc=(load>=8))#b:[1/2], a(uc=(load==0))#b:[1/2]": ["25: a and b are joined already"],
}


@pytest.mark.parametrize(("text", "said"), WRONG.items())
def test_mistakes(text, said):
    assert told(text) == said


def test_a_mistake_spoils_one_expression_only():
    good = links("ab", "cd")
    text = f"{good[0]}, b(oc=(load>=5)#c:[1/2], {good[1]}"
    assert len(told(text)) == 1
    assert scorer(text)["migration"] == good
