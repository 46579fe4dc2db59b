# What calls tell is in objects of the program's before it looks at them, though values come late.
# file: work.py
import logging
import time
import warnings


def f(x):
    time.sleep(0.003)
    warnings.warn(f"number {x}", stacklevel=2)
    logging.getLogger("work").warning("record %s", x)
    print("line", x)
    return x


# file: main.py
import logging
import sys
import warnings

import work

seen = []
written = []


class Show(logging.Handler):
    def emit(self, record):
        seen.append(record.getMessage())


class Stream:
    def write(self, text):
        written.append(text)
        return len(text)

    def flush(self):
        pass


logging.getLogger().addHandler(Show())
for turn in range(3):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work.f(turn)
        print(len(seen), [one for one in seen], [str(one.message) for one in caught])
logging.getLogger().handlers[:] = [logging.NullHandler()]
plain, sys.stdout = sys.stdout, Stream()
for turn in range(3):
    work.f(turn)
    print([one for one in written], file=plain)
sys.stdout = plain
