# Every pair of a list, as all-against-all comparisons do.
# overlap: 3
# file: main.py
import work

names = ["ada", "bob", "cyd", "dan", "eve", "fay"]
best = None
for i, a in enumerate(names):
    for b in names[i + 1 :]:
        score = work.compare(a, b)
        if best is None or score > best[0]:
            best = (score, a, b)
print(best)
