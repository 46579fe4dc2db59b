# The client reads its environment and arguments between the calls and changes them.
# args: one "two words" --three
# file: work.py
def f(x):
    return f"[{x}]"
# file: main.py
import os
import sys

import work

print(sys.argv, len(sys.orig_argv) > 1, os.path.basename(__file__), __name__)
for i, arg in enumerate(sys.argv[1:]):
    os.environ["LAST"] = work.f(arg)
    print(os.environ["LAST"], os.environ.get("NEXT"))
    os.environ["NEXT"] = str(i)
while sys.argv:
    print(work.f(sys.argv.pop()))
