# A helper counts, prints and changes its arguments beside its call: once for each turn.
# file: work.py
def f(x):
    return sum(x) if isinstance(x, list) else x
# file: main.py
import work

calls = []


def helper(x, into):
    calls.append(x)
    into.append(x)
    print("helper", x, len(calls))
    r = work.f(into)
    into[0] = r
    return r


into = [0]
for i in range(6):
    print(helper(i, into), into)
    if work.f(len(calls)) == 4:
        into.clear()
        into.append(100)
print(calls, into)
