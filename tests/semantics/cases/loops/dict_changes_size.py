# A dict that changes size while it is walked raises where plain Python raises.
# stderr: whole
# file: work.py
def next_key(k):
    return k + 10
# file: main.py
import work


def spread(table):
    for key in table:
        new = work.next_key(key)
        print(key, new)
        if key == 1:
            table[new] = key


table = {0: None, 1: None, 2: None}
try:
    spread(table)
except RuntimeError as error:
    print("caught", error)
print(table)
spread(dict.fromkeys(range(3)))
