# A decorator of a library calls the function, and again where it raises.
# overlap: 4
# file: lib/retries.py
import functools
import time


def retry(times):
    def decorate(function):
        @functools.wraps(function)
        def retrying(*args, **kwargs):
            for left in reversed(range(times)):
                try:
                    return function(*args, **kwargs)
                except ValueError:
                    if not left:
                        raise
                    time.sleep(0.01)

        return retrying

    return decorate
# file: main.py
import sys

sys.path.append("lib")
import retries
import work

nap = retries.retry(3)(work.nap)
print([nap(x) for x in range(40)])
