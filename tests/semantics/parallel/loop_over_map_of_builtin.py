# The loop walks a map and a filter that make no calls.
# overlap: 3
# file: main.py
from work import nap

for x in map(int, "3 1 4 1 5 9 2 6 5".split()):
    print(nap(x))
for x in filter(lambda x: x % 2, map(lambda a, b: a + b, range(12), range(0, 24, 2))):
    print(nap(x))
print([nap(len(word)) for word in map(str.strip, ["a ", " bc", "def"] * 3)])
