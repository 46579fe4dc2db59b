# Equal shares, and a ring that evens them out.
# file: cord.toml
[remote.work]
replicas = 3
callstyle = "async"
pure = true
topology = "ring"
overload = "load >= 3"
underload = "load == 0"
share = "1/3"
speed = [1, 4, 2]
# file: work.py
def f(x, pad="", n=0):
    if x == 333:
        raise OverflowError(x)
    print("f", x % 5, end=" ")
    return x * 3 + len(pad)


def chain(y, x=1, *, pad="ab", n=2):
    return "." * (y % 5000) + pad
# file: main.py
import work

for i in range(200):
    print(work.f(i, "a" * (i % 7), n=i), len(work.chain(work.f(i))))
try:
    for i in range(1000):
        work.f(i)
except OverflowError as error:
    print(i, error)
for i in range(500):
    if work.f(i % 300) > 700:
        break
print(i, sum(len(work.chain(i)) for i in range(300)))
