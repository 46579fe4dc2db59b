# A while loop whose counter does not depend on results.
# overlap: 4
# file: main.py
import work

n, found = 0, []
while n < 20:
    found.append(work.nap(n))
    n += 1
    if n % 5 == 0:
        print(found[-5:])
