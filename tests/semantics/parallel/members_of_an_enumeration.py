# A loop over the members of an `Enum`, in another loop.
# overlap: 4
# file: main.py
from enum import Enum

import work


class Colour(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


for turn in range(4):
    for colour in Colour:
        print(colour.name, work.nap(colour.value, turn))
