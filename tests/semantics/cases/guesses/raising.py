# Functions that guess raise, end the program, or do not take such arguments: there is no guess.
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
import sys


def step(x, factor=None):
    if x % 3 == 0:
        raise ValueError(x)
    if x % 3 == 1:
        sys.exit("no guess")
    return step(x, x, x)

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
