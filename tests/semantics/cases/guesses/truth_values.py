# Guesses that are truth values, or nothing: some are wrong.
# file: cord.toml
[remote.work]
replicas = 4
pure = true
guess = "work.coarse"
only = ["is_good"]
# file: work.py
import time


def is_good(x):
    time.sleep(0.01)
    return None if x % 5 == 0 else x % 3 == 0


def coarse(x):
    return x % 3 == 0
# file: main.py
import cmd

import work


class Shell(cmd.Cmd):
    at = 0

    def do_step(self, text):
        good = work.is_good(self.at)
        if good is None:
            self.at += 2
        elif good:
            self.at += 3
        else:
            self.at += 1
        print(text, good is True, not good, self.at)


shell = Shell()
for n in range(16):
    shell.onecmd(f"step {n}")
