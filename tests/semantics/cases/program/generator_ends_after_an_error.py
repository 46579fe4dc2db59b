# A generator that an uncaught exception leaves in its frame ends, with its `finally`, when Python
# lets go of the traceback.
# file: work.py
def inverse(x):
    return 1 / x
# file: main.py
from work import inverse

def numbers():
    try:
        yield 0
    finally:
        print("no more numbers")

def run():
    print({inverse(x) for x in numbers()})

run()
