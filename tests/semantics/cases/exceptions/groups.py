# Exception groups and except* around calls.
# file: work.py
def f(x):
    if x == 1:
        raise ExceptionGroup("many", [ValueError(1), TypeError("t"), KeyError("k")])
    if x == 2:
        raise ValueError("alone")
    return x
# file: main.py
import work

for x in range(4):
    try:
        print(work.f(x))
    except* ValueError as group:
        print("values", group.exceptions)
    except* (TypeError, KeyError) as group:
        print("others", group.exceptions)
work.f(1)
