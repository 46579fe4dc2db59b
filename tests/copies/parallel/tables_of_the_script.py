# What the script defines travels with the calls, with a table that is watched for changes.
# overlap: 4
# file: lib/others.py
def each(function, things):
    return [function(thing) for thing in things]
# file: main.py
import sys

sys.path.append("lib")
import others
import work

TABLE = [f"row {number}" for number in range(50_000)]


class Rows:
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        return (len(row) for row in TABLE[self.start : self.start + 5])


print(others.each(lambda start: work.nap_all(Rows(start)), range(0, 4_000, 100)))
