# KeyboardInterrupt raised by the program itself: exit as plain Python exits.
# file: work.py
def f(x):
    return x
# file: main.py
import work

try:
    for i in range(5):
        print(work.f(i))
        if i == 3:
            raise KeyboardInterrupt
finally:
    print("cleaned up")
