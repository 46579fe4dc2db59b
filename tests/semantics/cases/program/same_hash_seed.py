# Sets of strings have the same order in the client and in the replicas.
# file: work.py
def order(words):
    return list(set(words)), hash("cord")
# file: main.py
import work

words = [f"word{i * i}" for i in range(30)]
for n in range(3, 30, 9):
    print(work.order(words[:n]) == (list(set(words[:n])), hash("cord")), work.order(words[:n]))
