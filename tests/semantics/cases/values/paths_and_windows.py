# Parts of paths, sliding windows, dicts and tables made by builtin classes.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10


def show(value):
    return repr(value)
# file: main.py
from collections import deque
from pathlib import Path
from work import f, show
for p in [Path("a/b.txt"), Path("c.py"), Path("d"), Path("e.tar.gz")]:
    print(show(p.suffix), show(p.parent.name), show(p.stem))
window = deque(maxlen=3)
for x in range(6):
    window.append(x)
    print(f(sum(window)), f(max(window)), f(len(window)))
table = str.maketrans("abc", "xyz")
for word in ["abc", "bca", "cab", "none"]:
    print(show(word.translate(table)), show(word.translate(str.maketrans("no", "on"))))
    print(show(dict.fromkeys(word, 0)), f(int.from_bytes(word.encode(), "big")))
