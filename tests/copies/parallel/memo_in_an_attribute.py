# A library's object remembers results in a dict.
# overlap: 4
# file: lib/memos.py
class Memo:
    def __init__(self, function):
        self.function = function
        self.known = {}

    def __call__(self, *key):
        try:
            return self.known[key]
        except KeyError:
            found = self.known[key] = self.function(*key)
            return found
# file: main.py
import sys

sys.path.append("lib")
import memos
import work

nap = memos.Memo(work.nap)
scores = []
for x in range(40):
    scores.append(nap(x % 30))
print(scores)
