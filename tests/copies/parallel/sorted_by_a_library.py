# A library sorts by the results of calls.
# overlap: 4
# file: lib/ranking.py
def ranked(items, key):
    return sorted(items, key=key)
# file: main.py
import sys

sys.path.append("lib")
import ranking
import work

print(ranking.ranked(range(40), work.nap))
