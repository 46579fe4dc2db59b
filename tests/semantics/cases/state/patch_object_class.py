# A method that the program replaces for a while is replaced in replicas for that while.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: shapes.py
class Square:
    def __init__(self, n): self.n = n
    def area(self): return self.n ** 2
# file: work.py
import shapes
def area(n):
    return shapes.Square(n).area()
# file: main.py
from unittest import mock
import work, shapes
print([work.area(n) for n in range(4)])
with mock.patch.object(shapes.Square, "area", lambda self: -self.n):
    print([work.area(n) for n in range(4)])
print([work.area(n) for n in range(4)])
with mock.patch.object(shapes.Square, "area", return_value=7):
    print([work.area(n) for n in range(4)])
print([work.area(n) for n in range(4)])
