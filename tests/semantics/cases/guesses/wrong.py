# What stands in for results is not what comes, of another kind at times, and prints.
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
print("imported")


def step(x):
    print("a guess for", x)
    return [x, {"kept": x}] if x % 2 else {x: "no list"}

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
