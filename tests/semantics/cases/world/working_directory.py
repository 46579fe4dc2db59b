# Calls run in the folder that the program is in when it makes them.
# file: work.py
import os

def read(name):
    with open(name) as file:
        return file.read()

def here():
    return os.path.basename(os.getcwd())
# file: main.py
import contextlib
import os

import work

for folder in ("red", "green", "blue"):
    os.mkdir(folder)
    with open(f"{folder}/name.txt", "w") as file:
        file.write(f"I am {folder}")
    with contextlib.chdir(folder):
        print(work.here(), work.read("name.txt"))
try:
    work.read("name.txt")
except FileNotFoundError as error:
    print(error.filename)
back = os.open(".", os.O_RDONLY)
os.chdir("red")
print(work.here())
os.fchdir(back)
print(work.here() == os.path.basename(os.getcwd()))
os.chdir("green")
for i in range(3):
    os.chdir("../blue" if i % 2 else "../red")
    print(i, work.here())
# file: cord.toml
[remote.work]
