# Calls run at once in one process, and each starts threads and processes, which end before it does.
# file: cord.toml
[remote.work]
threads = 4
pure = true
repeatable = true
inline = false
# file: work.py
import subprocess
import sys
import threading

PROGRAM = "import sys, time; time.sleep(0.05); print(int(sys.argv[1]) * 2)"


def doubled(x):
    made = subprocess.run([sys.executable, "-ISc", PROGRAM, str(x)], capture_output=True, text=True)
    return int(made.stdout)


def together(x):
    found = {}

    def put(n):
        found[n] = doubled(n)

    threads = [threading.Thread(target=put, args=(x + i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(found.values())
# file: main.py
import work

print([work.doubled(x) for x in range(8)])
print([work.together(x) for x in range(8)])
