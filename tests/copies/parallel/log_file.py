# A library logs each call to a file, which the program reads at its end.
# overlap: 4
# file: lib/rounds.py
import logging


def each(function, items):
    for item in items:
        yield function(item)
        logging.getLogger(__name__).info("item %d", item)
# file: main.py
import logging
import sys

sys.path.append("lib")
import rounds
import work

logging.basicConfig(level=logging.INFO, filename="calls.log", format="%(name)s %(message)s")
print(list(rounds.each(work.nap, range(40))), len(open("calls.log").readlines()))
