# Some calls raise exceptions, which are caught.
# overlap: 4
# file: lib/others.py
def each(function, things):
    for thing in things:
        yield thing, function(thing)
# file: main.py
import sys

sys.path.append("lib")
import others
import work



def attempt(x):
    try:
        return work.picky(x) + 1
    except ValueError as error:
        return str(error)


for x, found in others.each(attempt, range(40)):
    print(x, found)
