# Objects that are left at the end are finalized, though scouts have looked at them and their classes.
# file: work.py
def f(x): return x * 2
# file: main.py
import weakref
from work import f
class Part:
    def __init__(self, n): self.n = n
    def __del__(self): print("del", self.n)
    def more(self, x): return f(self.n + x)
class Whole:
    def __init__(self): self.part, self.seen = Part(7), []
part, whole = Part(1), Whole()
for i in range(3):
    part.d = i
    whole.seen.append(f(i))
    print(f(part.n), len(whole.seen))
print(part.more(2), whole.part.more(3))
