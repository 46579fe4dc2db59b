# A function that guesses gives the same list each time, and changes what it has given.
# file: cord.toml
[remote.work]
replicas = 4
pure = true

[remote.work.functions.step]
guess = "coarse.step"
# file: work.py
import time


def step(x):
    time.sleep(0.01)
    return [x + 1, {"kept": str(x)}]
# file: coarse.py
TABLE = [0, {"kept": ""}]


def step(x):
    TABLE[0] = x + 1
    TABLE[1]["kept"] = str(x)
    TABLE[1].pop("more", None)
    del TABLE[2:]
    return TABLE

# file: main.py
import cmd

import work


class Shell(cmd.Cmd):
    at = 1

    def do_step(self, text):
        found = work.step(self.at)
        if found[0] % 3:
            found.append(text)
        found[1]["more"] = len(found)
        self.at = found[0]
        print(text, found)


shell = Shell()
for n in range(12):
    shell.onecmd(f"step {n}")
