# Pure functions break their word in a later call, beside work that reads what they change.
# told: 4
# file: cord.toml
[remote.work]
pure = true
# file: work.py
import time

totals = [0]


def damage(player, turn):
    time.sleep(0.01)
    if turn > 7 and turn % 3 == 0:
        player.hits += 1
        player.x -= 1
    return player.x % 3


def keep(turn, kept):
    time.sleep(0.01)
    if turn >= 6 and turn % 2:
        kept.append(turn)
    return turn


def count(turn):
    time.sleep(0.01)
    if turn >= 6:
        totals[0] += turn
    return turn


def rename(box):
    time.sleep(0.01)
    if box.number > 5:
        box.inner.hidden.append(box.number)
    return box.number
# file: main.py
import work


class Player:
    def __init__(self, x):
        self.x = x
        self.hits = 0


class Box:
    def __init__(self, number, inner):
        self.number = number
        self.inner = inner


players = [Player(n) for n in range(5)]
score = 0
for turn in range(16):
    player = players[turn % 5]
    done = work.damage(player, turn)
    score += player.x * 2 + player.hits
    seen = {one.x: one.hits for one in players}
    print(turn, done, score, seen)

kept = []
for turn in range(12):
    found = work.keep(turn, kept)
    length = len(kept) * 2
    copied = [one for one in kept]
    print(found, length, copied)

history = []
for turn in range(12):
    found = work.count(turn)
    history.append(sum(work.totals))
    print(found, history[-1])

inner = Box(0, None)
inner.hidden = hidden = []
for number in range(10):
    box = Box(number, inner)
    found = work.rename(box)
    length = len(hidden)
    print(found, length)
