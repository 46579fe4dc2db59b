# The same of functions that are declared pure.
# told: 1
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
replicas = 2
callstyle = "async"
pure = true
