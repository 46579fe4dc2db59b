# Objects die when the program drops them, not later; nothing else keeps them.
# file: work.py
def f(x):
    return x
# file: main.py
import weakref

import work


class Resource:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        print("closed", self.n)


def use(n):
    for i in range(n):
        resource = Resource(i)
        print(work.f(resource.n))
        del resource
        print("after del", i)
    last = Resource("last")
    return work.f(last.n)


print(use(3))
ref = weakref.ref(kept := Resource("kept"))
print(work.f(kept.n), ref() is kept)
del kept
print(ref())
box = [Resource(k) for k in "ab"]
for item in box:
    print(work.f(item.n))
del item
box.clear()
print("end")
