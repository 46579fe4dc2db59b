# What methods change that operators and builtins call is the program's.
# file: cord.toml
[remote.work]
inline = false

[remote.alone]
independent = true
replicas = 2
inline = false
# file: cards.py
class Card:
    compared = 0
    added = 0

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        Card.compared += 1
        return self.value < other.value

    def __radd__(self, other):
        Card.added += 1
        return other + self.value
# file: work.py
def order(cards):
    return sorted(cards)
# file: alone.py
def least(cards):
    return min(cards)


def total(cards):
    return sum(cards)
# file: main.py
import alone
import work
from cards import Card

hand = [Card(value) for value in (3, 1, 2)]
for i in range(3):
    print([one.value for one in work.order(hand)], Card.compared)
    print(alone.least(hand).value, Card.compared, alone.total(hand), Card.added)
