# Searches that end early, some of them never: exits that results decide, in loops and beside them.
# overlap: 3
# file: main.py
import work


def first_over(limit, start):
    for c in range(start, start + 12):
        if work.nap(c) > limit:
            return c
    return None


def steps(start):
    x = start
    while work.nap(x) < 60:
        x += 1
    return x


for start in range(6):
    print(start, first_over(80, start), steps(start))
    hit = None
    for c in range(start, 8):
        value = work.nap(c, start)
        if value < 5:
            continue
        if value % 9 == 4:
            hit = c
            break
    else:
        hit = "none"
    print(hit, work.nap(start, 1) if hit is None or hit == "none" else work.nap(hit, 2))
    print(any(work.nap(c) > 90 for c in range(start, 9)), all(work.nap(c) < 50 for c in range(3)))
    print(next((c for c in range(start, 12) if work.nap(c) % 5 == 3), None))
    print(49 in map(work.nap, range(start, 10)), 50 not in (work.nap(c) for c in range(4)))
    try:
        for c in range(start, 9):
            print(work.picky(c))
    except ValueError as error:
        print("picky", error)
