# Members of enumerations are keys of dicts: machines go from state to state by results.
# overlap: 4
# file: main.py
from enum import Enum, IntEnum

from work import nap


class State(Enum):
    IDLE = "idle"
    BUSY = "busy"
    DONE = "done"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


MOVES = {(State.IDLE, True): State.BUSY, (State.BUSY, True): State.DONE, (State.DONE, False): State.IDLE}
WEIGHT = {State.IDLE: 1, State.BUSY: 2, State.DONE: 3}
OFFSET = {Level.LOW: 10, Level.HIGH: 20}


class Machine:
    def __init__(self, seed):
        self.state, self.seed = State.IDLE, seed

    def feed(self, x):
        good = nap(self.seed, x) % 2 == 0
        self.state = MOVES.get((self.state, good), self.state)


for seed in range(6):
    machine = Machine(seed)
    for x in range(4):
        machine.feed(x)
    print(machine.state)
for x in range(12):
    state = list(State)[x % 3]
    print(state, nap(WEIGHT[state], OFFSET[Level(1 + x % 2)]))
