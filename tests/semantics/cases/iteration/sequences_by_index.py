# Sequences that have __getitem__ and no __iter__.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10
# file: main.py
from work import f
class Deck:
    def __init__(self, cards): self.cards = cards
    def __len__(self): return len(self.cards)
    def __getitem__(self, i): return self.cards[i]
deck = Deck([3, 1, 4, 1, 5])
for card in deck:
    print(f(card))
for i in range(len(deck)):
    print(f(deck[i]))
print([f(card) for card in deck])
print([f(card) for card in reversed(deck)])
def show(deck):
    for card in deck:
        print(f(card))
show(Deck([1, 2, 3, 4]))
