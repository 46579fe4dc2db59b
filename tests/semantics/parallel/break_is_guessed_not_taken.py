# A break that depends on the result: the turns after it are begun all the same.
# overlap: 3
# file: main.py
import work


def first_over(limit, candidates):
    for c in candidates:
        value = work.nap(c)
        if value > limit:
            return c, value
    return None


print(first_over(50, range(40)))
