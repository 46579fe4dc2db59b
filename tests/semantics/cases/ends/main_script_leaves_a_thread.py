# A function of the main script starts a thread and a process.
# file: main.py
import subprocess
import threading
import time


def begin(name):
    def go():
        time.sleep(0.2)
        print("late", name, flush=True)

    threading.Thread(target=go).start()
    subprocess.Popen(["sh", "-c", "sleep 0.6; echo process"])
    return name


if __name__ == "__main__":
    print(begin("a"), flush=True)
# file: cord.toml
[remote.main]
only = ["begin"]
