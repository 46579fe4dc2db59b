# A pure function that counts in an attribute of a class.
# told: 1
# file: work.py
class Job:
    made = 0

    def __init__(self):
        type(self).made += 1


def f(x):
    t = sum(i % 7 for i in range(3000))
    return Job().made * 10 + x


# file: main.py
import work

for x in range(8):
    print(work.f(x))
print(work.Job.made)
