# A library logs each call to stdout.
# overlap: 4
# file: lib/rounds.py
import logging


def each(function, items):
    results = []
    for item in items:
        results.append(function(item))
        logging.info("item %d of process %s", item, bool(logging.logProcesses))
    return results
# file: main.py
import logging
import sys

sys.path.append("lib")
import rounds
import work

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(message)s")
print(rounds.each(work.nap, range(40)))
