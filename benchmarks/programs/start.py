"""How long it takes from the command to the first result."""

import work
from timing import report, since_start

assert work.inc(1) == 2
report(seconds=since_start())
