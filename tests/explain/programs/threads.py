# Each thread has a loop of its own.
# file: main.py
import threading

from work import f

results = {}


def run(name, values):
    results[name] = [f(value) for value in values]  # ahead


threads = [threading.Thread(target=run, args=(name, range(4))) for name in "ab"]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(results.items()))
