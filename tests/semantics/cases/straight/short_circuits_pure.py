# The same over replicas: which calls are made decides what is raised.
# file: work.py
def inv(x):
    return 1 / x
# file: main.py
from work import inv

for x in (4, 0, -2, 0.5):
    ok = x != 0 and inv(x) > 0
    print(x, ok, inv(x) if x else "none", x == 0 or inv(x))
print(0 < inv(4) < inv(2) < 1, inv(2) < inv(4) < inv(0.0000001))
try:
    print(inv(1) > 2 or inv(0))
except ZeroDivisionError as error:
    print(error)
