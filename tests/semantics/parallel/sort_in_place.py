# A list that is sorted in place by what the calls give.
# overlap: 3
# file: main.py
from work import nap

numbers = list(range(16))
numbers.sort(key=nap)
print(numbers)
numbers.sort(key=lambda x: nap(x, 2) % 7, reverse=True)
print(numbers)
