# A library logs to a file, and sends how much is in it.
# overlap: 4
# file: lib/rounds.py
import logging
import os


def each(function, items):
    for item in items:
        yield function(item, os.path.getsize("calls.log"))
        logging.getLogger(__name__).info("item %d", item)
# file: main.py
import logging
import sys

sys.path.append("lib")
import rounds
import work

logging.basicConfig(level=logging.INFO, filename="calls.log", format="%(name)s %(message)s")
logging.info("it begins")
print(list(rounds.each(work.nap, range(40))), len(open("calls.log").readlines()))
