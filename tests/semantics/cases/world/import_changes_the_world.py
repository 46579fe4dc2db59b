# What a remote module changes of the world when it is imported holds for its functions too.
# file: work.py
import os
import sys

BEFORE = os.environ.get("LEVEL"), os.path.basename(os.getcwd())
os.environ["LEVEL"] = "set by work"
os.chdir("below")
sys.path.append("added by work")

def look():
    return BEFORE[0], os.environ["LEVEL"], os.path.basename(os.getcwd()), sys.path[-1]
# file: below/empty.txt
# file: main.py
import os
import sys

import work

print(work.look())
os.environ["LEVEL"] = "set by main"
print(work.look(), sys.path.pop())
os.chdir("..")
print(work.look()[:2])
# file: cord.toml
[remote.work]
