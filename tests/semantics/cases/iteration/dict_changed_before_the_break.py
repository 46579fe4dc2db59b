# A dict or set is changed in a loop over it that goes no further.
# file: work.py
def f(x):
    return x * 2
# file: main.py
import work

table = {n: n for n in range(5)}
for key in table:
    table.pop(key)
    print(work.f(key))
    break
several = {1, 2, 3}
for value in several:
    several.add(value + 10)
    print(work.f(value), work.f(1))
    break
try:
    for key in table:
        table[key + 10] = work.f(key)
except RuntimeError as error:
    print(error, table)
