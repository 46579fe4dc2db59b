# Tuples that hold lists, frozen sets, strings built anew and small integers.
# file: work.py
def key(x):
    return repr(x)
# file: main.py
import work

holder = ([], "name")
for i in range(4):
    print(work.key(holder), work.key((i, holder)))
    holder[0].append(i)
word = "a"
for i in range(4):
    print(work.key(word), work.key(frozenset({i})), work.key(10**20 + i), work.key(range(i)))
    word = "".join([word, "b"])
print(work.key(...), work.key(NotImplemented), work.key(int), work.key(len), work.key(slice(1, 2)))
