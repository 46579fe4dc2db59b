# An impure function changes some of what it reads, or nothing, or changes it back.
# file: cord.toml
[remote.main]
only = ["act"]
# file: main.py
from collections import deque
from dataclasses import dataclass, field


@dataclass
class Account:
    owner: str
    moves: list = field(default_factory=list)


class Log:
    lines = []
    count = 0


accounts = {name: Account(name) for name in ("ann", "bob")}
ledger = [[n] for n in range(20)]
recent = deque(maxlen=3)
raw = bytearray(4)
rate = 1.5
alias = ledger[3]
moves = accounts["ann"].moves


def act(n):
    global rate
    recent.append(n)
    recent.pop()
    if n % 4 == 1:
        ledger[3].append(n)
    elif n % 4 == 2:
        accounts["ann"].moves.append(n)
        Log.lines.append(str(n))
    elif n % 4 == 3:
        rate = rate * 2 / 2
        raw[n % 4] = n
        Log.count += 1
        act.calls = n
    return n, len(ledger[3])


act.calls = 0
for n in range(12):
    if n == 6:
        ledger.append("by the program")
        accounts["bob"].moves.append("by the program")
    print(act(n), alias is ledger[3], alias, moves, list(recent), bytes(raw), rate)
    print(Log.lines, Log.count, act.calls, accounts["bob"], len(ledger))
