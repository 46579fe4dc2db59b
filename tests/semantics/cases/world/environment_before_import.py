# The remote module is imported once, in the world that the program has made by then.
# file: work.py
import os

MODE = os.environ.get("MODE", "default")
HERE = os.path.basename(os.getcwd())
with open("settings.txt") as file:
    SETTINGS = file.read()
calls = []

def show():
    calls.append(1)
    return MODE, HERE, SETTINGS, len(calls)
# file: main.py
import os

os.environ["MODE"] = "fast"
os.mkdir("inside")
os.chdir("inside")
with open("settings.txt", "w") as file:
    file.write("written before the import")
import work

os.environ["MODE"] = "slow"
os.chdir("..")
print(work.show(), work.MODE)
print(work.show())
# file: cord.toml
[remote.work]
