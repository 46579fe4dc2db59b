# Objects remember what was said to them.
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



class Agent:
    def __init__(self, name):
        self.name, self.heard = name, []

    def think(self, turn):
        said = work.say(f"{turn} {' | '.join(self.heard[-2:])}")
        self.heard.append(f"{self.name}: {said}")
        return said


agents = [Agent(f"a{n}") for n in range(8)]
for turn in range(3):
    for agent, said in others.each(lambda agent, turn=turn: agent.think(turn), agents):
        print(agent.name, said[:30])
