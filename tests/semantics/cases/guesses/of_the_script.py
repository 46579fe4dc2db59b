# Guesses for a function of the script by another one of it, which changes its argument, for calls of
# which each needs the one before.
# file: cord.toml
[remote.main]
replicas = 4
pure = true
only = ["grown"]

[remote.main.functions.grown]
guess = "main.guessed"
# file: main.py
import cmd
import time


def grown(rows):
    time.sleep(0.01)
    return [*rows, len(rows)]


def guessed(rows):
    rows.append(len(rows) if len(rows) % 4 else -1)
    return rows


class Shell(cmd.Cmd):
    rows = []

    def do_grow(self, text):
        self.rows = grown(self.rows)
        print(text, self.rows)


shell = Shell()
for n in range(12):
    shell.onecmd(f"grow {n}")
