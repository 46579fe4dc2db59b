# A library tries calls that raise once more, and goes on.
# overlap: 4
# file: lib/retries.py
def tried(function, times):
    def trying(x):
        for _ in range(times):
            try:
                return function(x)
            except ValueError as error:
                failure = error
        return f"failed {failure}"

    return trying
# file: main.py
import sys

sys.path.append("lib")
import retries
import work

picky = retries.tried(work.picky, 2)
print([picky(x) for x in range(40)])
