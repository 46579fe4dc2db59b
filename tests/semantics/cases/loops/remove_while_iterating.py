# A list shrinks while it is walked, so elements are skipped, as in plain Python.
# file: work.py
def is_even(x):
    return x % 2 == 0
# file: main.py
import work

items = [2, 4, 6, 1, 8, 8, 3, 10]
for item in items:
    even = work.is_even(item)
    print(item, even, items)
    if even:
        items.remove(item)
print(items)
stack = [1, 2, 3]
while stack:
    top = stack.pop()
    if work.is_even(top):
        stack.extend([top + 3, top + 5])
    print(top, stack)
