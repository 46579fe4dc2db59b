# SystemExit with codes of every kind comes from a remote function.
# file: work.py
import sys
def leave(code):
    sys.exit(code)
# file: main.py
import work, atexit
atexit.register(lambda: print("atexit ran"))
for code in (None, 0, 3, "text", (1, 2), True, 256):
    try:
        work.leave(code)
    except SystemExit as e:
        print(repr(e.code), e.args)
try:
    work.leave(5)
finally:
    print("finally")
