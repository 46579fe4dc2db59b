"""What has become of calls that the plan takes care of: those of functions that wait."""

from __future__ import annotations

from cord.fixed import Value


class Tended(Value):
    """The sums of one module in a run.

    Attributes:
        waited: How many calls have waited for their turn by a rate.
        wait: For how many seconds, together.
        retried: How often one was made once more after an exception.
        expired: How many have taken longer than their deadline.
        copies: How many were made a second time while they ran.
        won: How many of these have answered first.
        groups: How often one call was made for several.
        grouped: How many these were.
        miscounted: How often that has not given a result for each.
        again: How many were made again while replicas were idle, to compare what they give.
    """

    waited: int
    wait: float
    retried: int
    expired: int
    copies: int
    won: int
    groups: int
    grouped: int
    miscounted: int
    again: int

    def lines(self, module: str) -> list[str]:
        """What is to be told of them.

        Args:
            module: The module's name.
        """
        told = []
        if self.waited:
            told.append(f"{_calls(self.waited)} waited for rate, {self.wait:.1f} s together")
        if self.retried:
            told.append(f"{_calls(self.retried)} tried again after an exception")
        if self.expired:
            told.append(f"{_calls(self.expired)} ended by deadline")
        if self.copies:
            told.append(f"{_calls(self.copies)} hedged, {self.won:,} answered by the copy first")
        if self.groups:
            told.append(f"{_calls(self.grouped)} gathered into {self.groups:,}")
        if self.miscounted:
            told.append(f"{self.miscounted:,} times not a result for each, made one by one then")
        if self.again:
            told.append(f"{_calls(self.again)} made again while replicas were idle, and compared")
        return [f"Of {module}: {'; '.join(told)}."] if told else []


def _calls(number: int) -> str:
    return f"{number:,} call" if number == 1 else f"{number:,} calls"
