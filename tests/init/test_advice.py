"""What `cord init` says where no plan pays."""

from __future__ import annotations

from cord.tools.init.advice import why_in_place

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
