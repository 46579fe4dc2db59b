# A pure function that imports the module that it changes when it is called.
# told: 1
# file: config.py
seen = set()


# file: work.py
def f(x):
    t = sum(i % 7 for i in range(3000))
    from config import seen

    seen.add(x)
    return len(seen)


# file: main.py
import work, config

for x in range(8):
    print(work.f(x))
print(config.seen)
