# A function is given the function that it calls.
# overlap: 3
# file: main.py
import work


def helper(x):
    return work.nap(x, 1)


def apply(function, xs):
    out = []
    for x in xs:
        out.append(function(x))
    return out


def main(k):
    for j in range(3):
        print(apply(lambda x: work.nap(x, k + j), range(3)))


print(apply(work.nap, range(8)), apply(helper, range(8)), apply(abs, range(8)))
main(2)
