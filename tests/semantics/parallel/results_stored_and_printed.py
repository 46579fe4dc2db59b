# The loop prints and writes a file in every turn: effects do not stop the calls ahead.
# overlap: 3
# file: main.py
import work

with open("results.txt", "w") as out:
    for name in [f"sample{i}" for i in range(18)]:
        value = work.nap(len(name), int(name[6:]))
        print(name, value)
        out.write(f"{name} {value}\n")
print(open("results.txt").read().count("\n"))
