# Conditional expressions, and/or, chained comparisons: only what is reached is called.
# file: calls.py
from pathlib import Path


def say(x):
    with Path("calls.txt").open("a") as log:
        log.write(f"{x!r} ")
    return x
# file: cord.toml
[remote.calls]
replicas = 1
# file: main.py
from calls import say

print(say(1) if say(0) else say(2), say(3) if say(4) else say(5))
print(say(0) and say(6), say(7) and say(8), say(0) or say(9), say(10) or say(11))
print(say(1) < say(3) < say(2) < say(4), say(1) < say(2) < say(3))
print(say("") or say([]) or say(()) or say("end"), not say(0))
print(say(5) in [say(4), say(5)], say(None) is None)
for i in range(4):
    if say(i) % 2 == 0 and say(i + 100) > 101 or say(i + 200) == 203:
        print("yes", i)
assert say(1), say("message that is not evaluated")
