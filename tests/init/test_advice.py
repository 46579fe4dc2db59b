"""What `cord init` says where no plan pays."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from cord.tools.init import advice
from cord.tools.init.advice import may_pay, nothing_gained, why_in_place
from cord.tools.init.choice import Candidate
from cord.tools.init.gain import Tried
from cord.tools.init.methods import part_of
from cord.tools.init.profile import Function, Profile
from cord.tools.init.proposal import Table
from cord.tools.init.refusal import Undecided

TOLD = """\
the program's own words

How the calls of main.py were made:

main.py:4: service.answer(text)
  2,000 calls: 13 ahead, by a slice; 1,987 in place.
  {reason}
"""


def told(reason: str) -> str:
    return why_in_place(TOLD.format(reason=reason).splitlines())


def test_the_reason_that_was_met_most() -> None:
    reason = "in place 12 of 2,000 times, because of this.\n  "
    reason += "in place 1,900 of 2,000 times, as the text tells: it stands in a loop over a file.\n"
    reason += "    remedy: assume that open is pure"
    assert told(reason) == (
        "1,900 of 2,000 calls were made in place, as the text tells: it stands in a loop over a "
        "file. Remedy: assume that open is pure."
    )


def test_calls_that_need_one_another() -> None:
    one = "ahead by 1 call as a rule, by 1 call at most."
    assert told(one) == "A call is ahead by one at most: it needs the result of the one before."
    assert told("ahead by 16 calls as a rule, by 20 calls at most.") == ""
    assert told("in place 12 of 2,000 times, because of this.") == ""


CLIENT = """\
class Client:
    def __init__(self):
        self.base, self.tokens = "there", 0

    def ask(self, question):
        body = {"model": "small", "question": question}
        with connect(self.base) as reply:
            answer = reply.read(body)
        self.tokens += len(answer)
        return answer.strip()
"""


def test_a_method_of_the_script_is_told_what_of_it_could_be_a_function(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(advice, "_loop", lambda plain: None)
    (tmp_path / "main.py").write_text(CLIENT)
    file = str(tmp_path / "main.py")
    method = Function("__main__", "Client.ask", file, 5, "method", "project", 60, 6.0, 6.0)
    refused = advice.nothing_to_name(cast(Any, None), Profile(6.0, 6.0, 6.0, 0.0, [method], {}))
    assert refused.reason.startswith("Client.ask (main.py:5) takes 100% of the time, in 60 calls")
    assert "methods of public classes outside of the main script" in refused.reason
    why, text = refused.more
    assert why.startswith("Each call needs what the one before has left in self.tokens.")
    assert "def ask(base, question):" in text
    assert "lines 6 to 8, with base for self.base" in text
    assert "answer = ask(self.base, question)" in text


def test_a_method_of_which_nothing_can_be_told_apart() -> None:
    draws = "class Walk:\n    def go(self):\n        n = 3\n        return self.rng.random() * n\n"
    part = part_of(draws, 2)
    assert part is not None
    assert (part.chained, part.first) == (("rng",), 0)
    assert part_of("def go(self):\n    pass\n", 1) is None


class Plain:
    """Plain runs on a machine that others use, too."""

    is_disturbed = True
    busy = 1.6


def table() -> Table:
    function = Function("work", "f", "", 1, "function", "project", 9, 9.0, 9.0)
    return Table("work", [Candidate(0, function, False, 9, 9.0)], 8)


def test_on_a_busy_machine_no_gain_tells_nothing_if_there_may_be_one() -> None:
    tried = Tried([table()], 9.5, [], 9.0, processor=5.0)
    with pytest.raises(Undecided) as refused:
        nothing_gained(cast(Any, Plain()), [tried], {})
    assert refused.value.reason.startswith("This machine is busy (load ")
    assert refused.value.reason.endswith("busy): measure again when it is quiet.")
    assert "[remote.work]" in refused.value.more[-1]


def test_what_needs_more_processor_seconds_than_there_are_does_not_pay_anywhere() -> None:
    cores = len(os.sched_getaffinity(0))
    tried = Tried([table()], None, [], 9.0, processor=9.0 * cores)
    assert not may_pay([tried])
    assert may_pay([replace(tried, processor=4.0 * cores)])
    assert not may_pay([replace(tried, processor=None)])
