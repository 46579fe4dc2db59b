# The loop itself stores to the attribute that it reads.
# file: main.py
from work import f


class State:
    pass


state = State()
state.n = 0
for x in range(6):
    state.n = state.n + 1
    print(f(state.n))  # in place
