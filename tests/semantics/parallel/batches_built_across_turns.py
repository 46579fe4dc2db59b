# An argument list is filled turn by turn and passed on when it is full.
# overlap: 3
# file: main.py
import work


def run(items, size):
    batch, sums = [], []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            sums.append(work.nap_all(batch))
            print(batch, sums[-1])
            batch = []
    if batch:
        sums.append(work.nap_all(batch))
    return sums


print(run(range(50), 4))
