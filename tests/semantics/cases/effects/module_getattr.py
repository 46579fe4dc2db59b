# A module with a __getattr__ of its own, and a dict whose keys compare with an effect.
# file: work.py
def f(*args):
    return args
# file: settings.py
reads = []


def __getattr__(name):
    reads.append(name)
    print("reading", name)
    return len(reads)
# file: main.py
import settings
import work


class Key:
    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        print("comparing", self.name, other)
        return self.name == other


for i in range(4):
    print(i, work.f(settings.level, i))
table = {Key("a"): 1, Key("b"): 2}
for name in "abab":
    print(name, work.f(table[name]))
print(settings.reads)
