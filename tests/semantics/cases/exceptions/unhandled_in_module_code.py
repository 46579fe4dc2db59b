# Module-level code of a helper makes calls and fails; the import error is the program's.
# file: work.py
def f(x):
    if x == 3:
        raise RuntimeError("three is too many")
    return x
# file: config.py
import work

VALUES = [work.f(i) for i in range(3)]
print("config has", VALUES)
# file: broken.py
import work

print("broken starts")
VALUES = {i: work.f(i) for i in range(6)}
print("never printed")
# file: main.py
import config

print(config.VALUES)
try:
    import broken
except RuntimeError as error:
    print("import failed:", error)
import broken
