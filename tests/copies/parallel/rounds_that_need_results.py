# Calls of a round do not depend on one another; the next round depends on their sum.
# overlap: 4
# file: lib/rounds.py
def run(function, rounds, width):
    total = 0
    for number in range(rounds):
        results = []
        for at in range(width):
            results.append(function(number + at, total % 7))
        total += sum(results)
    return total
# file: main.py
import sys

sys.path.append("lib")
import rounds
import work

print(rounds.run(work.nap, 6, 8))
