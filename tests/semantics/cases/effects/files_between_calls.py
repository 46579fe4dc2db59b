# Files written and read by the client between the calls, and deleted again.
# file: work.py
def render(n, text):
    return f"{n}:{text}"
# file: main.py
import os

import work

for n in range(4):
    if os.path.exists("state.txt"):
        with open("state.txt") as f:
            text = f.read()
    else:
        text = "start"
    with open("state.txt", "w") as f:
        f.write(work.render(n, text))
    print(sorted(name for name in os.listdir() if name.endswith(".txt")), os.path.getsize("state.txt"))
    if n == 2:
        os.rename("state.txt", "old.txt")
os.makedirs("a/b")
os.chdir("a/b")
with open("c.txt", "w") as f:
    print(work.render(9, os.path.basename(os.getcwd())), file=f)
