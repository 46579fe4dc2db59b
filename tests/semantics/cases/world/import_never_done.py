# A remote module that the program does not import is imported by nobody.
# file: work.py
with open("trace.txt", "a") as file:
    file.write("imported\n")

def f(x):
    return x
# file: other.py
def g(x):
    return x + 1
# file: main.py
import sys

import other

if len(sys.argv) > 5:
    import work

    print(work.f(1))
print(other.g(1))
# file: cord.toml
[remote.work]
[remote.other]
