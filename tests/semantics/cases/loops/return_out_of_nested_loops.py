# An early return out of two loops; what runs ahead of it must leave no trace.
# file: work.py
def product(a, b):
    return a * b
# file: main.py
import work


def find(target, limit):
    tried = 0
    for a in range(1, limit):
        for b in range(a, limit):
            tried += 1
            print("try", a, b)
            if work.product(a, b) == target:
                return a, b, tried
    return None


print(find(35, 9))
print(find(97, 5))
