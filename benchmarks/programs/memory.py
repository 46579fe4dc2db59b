"""How much memory all processes have when they have nothing to do."""

import work
from footprint import idle_bytes
from timing import report

assert [work.inc(number) for number in range(100)] == list(range(1, 101))
report(bytes=idle_bytes())
