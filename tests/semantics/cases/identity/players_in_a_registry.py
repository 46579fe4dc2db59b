# Instances are in a list of their class, and look for themselves there.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
only = ["place", "Player.rank"]
# file: work.py
class Player:
    all = []

    def __init__(self, name):
        self.name = name
        Player.all.append(self)

    def rank(self):
        return Player.all.index(self), [one.name for one in Player.all if one is not self]


def place(players):
    return [player.rank()[0] for player in players]
# file: main.py
import work

players = [work.Player(name) for name in "abc"]
for player in players:
    print(player.name, player.rank())
    work.Player(player.name * 2)
print(work.place(players), work.place([*reversed(players)]))
