# The file that is read grows by the results: reader and writer see each other.
# file: work.py
def succ(text):
    n = int(text)
    return [] if n > 6 else [n * 2, n * 2 + 1]
# file: main.py
import work

with open("queue.txt", "w") as out:
    print("1", file=out)
with open("queue.txt") as reader, open("queue.txt", "a") as writer:
    while line := reader.readline():
        for n in work.succ(line):
            print(n, file=writer, flush=True)
        print(line.strip(), reader.tell())
