"""What replicas say of what is left, and which filters of warnings they have."""

from __future__ import annotations

import os
import pickle
import re

from cord.engines.local.ledger import BEGUN, ENDED, OUTPUT, Ledger
from cord.runtime.objects.filters import Held, filters, plain


def test_each_reader_gets_what_is_new_to_it():
    first = Ledger.make()
    second = Ledger(os.dup(first.fd))
    assert first.is_empty()
    first.add(BEGUN)
    assert second.news() == [(BEGUN, os.getpid(), b"")]
    second.add(OUTPUT, b"text" * 100)
    first.add(ENDED)
    me = os.getpid()
    assert second.news() == [(OUTPUT, me, b"text" * 100), (ENDED, me, b"")]
    assert second.news() == []
    assert len(first.news()) == 3
    assert not first.is_empty()


def test_nothing_is_said_where_the_program_has_closed_the_descriptor():
    ledger = Ledger.make()
    os.close(ledger.fd)
    ledger.add(BEGUN)
    assert ledger.news() == []
    assert ledger.is_empty()


OWN = [
    ("default", None, DeprecationWarning, "__main__", 0),
    ("ignore", re.compile("noise"), Warning, None, 0),
    ("error", None, RuntimeWarning, None, 7),
    ("once", None, UserWarning, re.compile("pkg"), 0),
    ("error", None, UserWarning, re.compile("part"), 0),
]


def test_filters_of_replicas_stand_for_the_programs():
    held = filters(OWN)
    assert plain(held) == OWN
    assert plain(filters(held)) == OWN
    assert [one[0] for one in held if not isinstance(one[0], Held)] == ["ignore", "error", "error"]
    # of a module's errors, those whose module is not known here are shown by the program
    assert len(held) == len(OWN) + 1
    names = ("__main__", "pkg.part", "cord.x", "other")
    matched = [[one[3].match(name) is not False for name in names] for one in (held[0], held[4])]
    assert matched == [[True, False, True, False], [False, False, True, False]]


def test_an_action_that_stands_for_another_shows_that_one():
    held = Held("once", is_program_s=True)
    assert held == "once" and held != "always" and hash(held) == hash("once")
    assert (str(held), repr(held)) == ("once", "'once'")
    assert type(pickle.loads(pickle.dumps(held))) is str
    assert str.__str__(held) == "always"
