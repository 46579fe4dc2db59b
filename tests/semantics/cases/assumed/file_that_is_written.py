# A file that the program writes while it reads it, and files that it makes.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
[assume]
pure = ["builtins.open"]
# file: work.py
def twice(text):
    return text.strip() * 2
# file: main.py
import os

import work

with open("log.txt", "w") as out:
    out.write("a\nb\n")
with open("log.txt", "a") as out, open("log.txt") as lines:
    for number, line in enumerate(lines):
        print(work.twice(line))
        if number < 5:
            out.write(f"more {number}\n")
            out.flush()
with open("log.txt", "r+") as both:
    for line in both:
        print(work.twice(line))
for name in ["x", "y", "z"]:
    with open(name, "w") as out:
        for letter in "abc":
            out.write(work.twice(letter + name) + "\n")
    for line in open(name):
        print(work.twice(line))
    os.replace(name, "done")
    print(open("done").read(), os.path.exists(name))
for name in ["done", "missing", "done"]:
    try:
        for line in open(name):
            print(work.twice(line))
    except FileNotFoundError as error:
        print(error)
os.mkfifo("pipe")
if os.fork() == 0:
    with open("pipe", "w") as out:
        out.write("p\nq\nr\n")
    os._exit(0)
for line in open("pipe"):
    print(work.twice(line))
os.remove("pipe")
