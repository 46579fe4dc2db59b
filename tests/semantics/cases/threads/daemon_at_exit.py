# A thread that the program leaves running is silent when the program ends.
# file: work.py
import time
def slow(x):
    time.sleep(x)
    return x
# file: main.py
import threading
from work import slow
def loop():
    while True: slow(0.05)
threading.Thread(target=loop, daemon=True).start()
def last():
    slow(0.2); print("non-daemon done", slow(0.01))
threading.Thread(target=last).start()
print("main ends")
