# Lambdas kept in variables, in a list, and with defaults make the calls.
# overlap: 3
# file: main.py
from work import nap

score = lambda x: nap(x) + 1
by_power = [lambda x, k=k: nap(x, k) for k in range(3)]


def main(k):
    local = lambda x, y=1: nap(x, k) + y
    return [local(i) for i in range(8)]


print(main(3))
for i in range(6):
    print(score(i))
for i in range(3):
    for function in by_power:
        print(function(i))
