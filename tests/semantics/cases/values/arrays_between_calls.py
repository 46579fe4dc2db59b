# Arrays that change between calls.
# file: work.py
def total(values):
    return sum(values)
# file: main.py
import array
from work import total
values = array.array("i", [1, 2, 3])
for x in range(5):
    values[0] = x
    print(total(values))
for x in range(5):
    values.append(x)
    print(total(list(values)))
