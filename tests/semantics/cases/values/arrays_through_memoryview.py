# An array changed through a memoryview and a cast of it between the calls.
# file: work.py
def total(data):
    return sum(data), data.typecode if hasattr(data, "typecode") else type(data).__name__
# file: main.py
from array import array

import work

data = array("i", range(6))
view = memoryview(data)
raw = bytearray(b"\0" * 6)
raw_view = memoryview(raw)[2:4]
for i in range(6):
    view[i] = 100 + i
    raw_view[i % 2] = i + 1
    print(work.total(data), work.total(raw), work.total(bytes(raw_view)))
view.cast("B")[0] = 255
print(work.total(data), list(data))
