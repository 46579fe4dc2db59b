# What other threads change of a global before a call is seen by the call.
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
only = ["total"]
# file: main.py
import queue
import threading

data = {"rows": [[n, n] for n in range(100)], "sum": 0}
large = [0.0] * 60_000


def total(n):
    return n, sum(map(sum, data["rows"])), data["sum"], sum(large)


def work(orders, done):
    rows = data["rows"]
    while (order := orders.get()) is not None:
        rows[order % 100][1] += order
        large[order * 100] = float(order)
        data["sum"] += 1
        done.put(order)


orders, done = queue.Queue(), queue.Queue()
thread = threading.Thread(target=work, args=(orders, done))
thread.start()
for n in range(1, 12):
    print(total(n))
    if n % 3 == 0:
        orders.put(n)
        done.get()
orders.put(None)
thread.join()
print(total(0))

results = {}


def each(name):
    results[name] = [total(n)[0] for n in range(5)]


threads = [threading.Thread(target=each, args=(name,)) for name in "ab"]
for one in threads:
    one.start()
for one in threads:
    one.join()
print(sorted(results.items()))
