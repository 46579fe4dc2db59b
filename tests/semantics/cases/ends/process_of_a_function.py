# A process that a function starts lives on, and writes to the program's own output.
# file: work.py
import subprocess


def start(name):
    command = f"sleep 0.3; echo said {name}; echo error {name} >&2; echo {name} > left_{name}.txt"
    subprocess.Popen(["sh", "-c", command])
    return name
# file: main.py
import work

print(work.start("a"), flush=True)
# file: cord.toml
[remote.work]
