# Calls that are cheaper to make than to send are made in the program, wherever they stand.
# file: work.py
def grow(x, by=1):
    return x + by


def halve(x):
    if x % 50 == 0:
        raise ValueError(f"not {x}")
    return x // 2


def tell(x):
    print("telling", x)
    return [x]


# file: main.py
import functools

import work

total = 0
for x in range(400):
    total += work.grow(x)
print(total)

print(sum(work.grow(x, by=x % 3) for x in range(400)))
print(len([work.grow(x) for x in range(400) if work.grow(x) % 2]))
print(functools.reduce(work.grow, range(400)))
print(sorted(range(300), key=work.grow)[:5], max(map(work.grow, range(300))))

caught = []
for x in range(1, 300):
    try:
        caught.append(work.halve(x))
    except ValueError as error:
        caught.append(str(error))
print(caught[45:55], caught[-3:])

for x in range(120):
    print("asking", x)
    assert work.tell(x) == [x]


def chain(x):
    for _ in range(300):
        x = work.grow(x)
    return x


print([chain(x) for x in range(4)])
