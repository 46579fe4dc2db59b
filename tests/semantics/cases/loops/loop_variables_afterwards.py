# Loop variables keep their last value, and are what the body makes of them.
# file: work.py
def twice(x):
    return 2 * x
# file: main.py
import work

for i in range(5):
    i = work.twice(i)
    print(i, end=";")
print(i)
for i in []:
    work.twice(i)
print(i)
for i, (a, *rest) in enumerate([(1, 2, 3), (4,), "xyz"]):
    r = work.twice(a)
print(i, a, rest, r)
