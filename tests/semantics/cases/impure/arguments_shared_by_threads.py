# Threads share arguments of undeclared calls: what the program changes meanwhile is not overwritten.
# file: cord.toml
[remote.work]
# file: work.py
import time
def append(items, x): time.sleep(0.03); items.append(x)
def put(box, key): time.sleep(0.03); box["mine"].append(key)
# file: main.py
import signal, threading, time
import work
items = [0]
box = {"mine": [], "yours": []}
def other():
    time.sleep(0.01)
    items.append("program"); box["yours"].append(1)
def beside(f, *args):
    thread = threading.Thread(target=other); thread.start()
    try: print(f(*args))
    except Exception as error: print(type(error).__name__)
    thread.join()
    print(items, box)
beside(work.put, box, 1)
def handler(*_): box["yours"].append("handler")
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.01)
work.put(box, 2)
print(box)
