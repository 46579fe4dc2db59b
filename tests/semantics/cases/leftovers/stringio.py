# A pure function that reads on in a stream in memory.
# told: 1
# file: work.py
def f(s, x):
    t = sum(i % 7 for i in range(3000))
    return s.readline().strip()


# file: main.py
import work, io

s = io.StringIO("a\nb\nc\nd\ne\nf\ng\n")
for x in range(6):
    print(work.f(s, x))
