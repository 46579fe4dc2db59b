# Links drawn one by one, with shares of another kind.
# file: cord.toml
[remote.work]
replicas = 3
callstyle = "async"
pure = true
loadratio = "3:1:0"
batch = 4
migration = ["1(oc=(load>=2))#2:[1/2]", "2#3(uc=(load<=1)):[1/1]"]
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
