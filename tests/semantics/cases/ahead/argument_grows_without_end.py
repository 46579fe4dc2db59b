# Past the break the arguments double each turn: what runs ahead has to stay within bounds.
# file: work.py
def size(x):
    return len(x)
# file: main.py
import work

data = b"x" * 1000
while True:
    n = work.size(data)
    print(n)
    if n > 60_000:
        break
    data = data + data
words = ["w"]
for _ in range(10**9):
    if work.size(words) == 8:
        break
    words = words + words
print(len(words))
