# What modules draw, ask of the clock, or make for themselves when they are imported, is the program's.
# file: setup.py
import secrets

RUN = secrets.token_hex(4)
# file: work.py
import datetime
import os
import random
import time
import uuid

import setup
from setup import RUN

ID = uuid.uuid4()
NAME = f"run-{ID}"
TOKEN: bytes = os.urandom(4)
SALT = random.random()
START = time.time()
NOW = datetime.datetime.now()
PID = os.getpid()
VALUES = {"a": 1}


def f(x):
    time.sleep(0.002)
    return ID, NAME, TOKEN, SALT, START, NOW, PID, RUN, setup.RUN, VALUES["a"] * x
# file: main.py
import setup
import work

own = (work.ID, work.NAME, work.TOKEN, work.SALT, work.START, work.NOW, work.PID, setup.RUN, setup.RUN)
for x in range(4):
    *found, number = work.f(x)
    print([one == other for one, other in zip(found, own)], number)
work.VALUES["a"] = 7
work.SALT = 0.5
print(work.f(3)[3], work.f(3)[-1])
