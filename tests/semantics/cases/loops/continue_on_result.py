# A result decides whether the rest of the turn runs.
# file: work.py
import time


def score(word):
    time.sleep(len(word) % 3 / 1000)
    return sum(map(ord, word)) % 10


def shout(word):
    return word.upper()
# file: main.py
from work import score, shout

words = "the quick brown fox jumps over the lazy dog again and again".split()
kept = []
for word in words:
    s = score(word)
    if s < 4:
        print("skip", word)
        continue
    kept.append((shout(word), s))
print(kept)
