# Iterating over a file, with calls in between and the position looked at.
# file: words.txt
alpha beta
gamma

delta epsilon zeta
# file: work.py
def count(text):
    return len(text.split())
# file: main.py
import work

with open("words.txt") as lines:
    for line in lines:
        print(repr(line), work.count(line))
with open("words.txt") as lines:
    print(next(lines), end="")
    for number, line in enumerate(lines, 2):
        if not line.strip():
            print("skipped with", repr(lines.readline()))
            continue
        print(number, work.count(line))
with open("words.txt", "rb") as raw:
    while chunk := raw.read(7):
        print(raw.tell(), work.count(chunk))
print([work.count(line) for line in open("words.txt")])
