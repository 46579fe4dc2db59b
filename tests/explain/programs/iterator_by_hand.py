# The program steps an iterator by itself.
# file: main.py
from work import f

numbers = iter([1, 2, 3, 4])
while True:
    number = next(numbers, None)
    if number is None:
        break
    print(f(number))  # in place
