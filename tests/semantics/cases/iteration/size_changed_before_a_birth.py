# A dict and a set whose size changes before the first call in the loop over them: Python's own
# error comes where the loop goes on, not at the call.
# file: work.py
def double(x):
    return x * 2
# file: main.py
from work import double

def pop_all(numbers):
    for key, value in numbers.items():
        numbers.pop(key)
        print([double(x) for x in [key, value]])

def discard_all(numbers):
    for number in numbers:
        numbers.discard(number)
        print(double(number), double(-number))

for function, argument in [(pop_all, {1: 2, 3: 4}), (discard_all, {5, 6})]:
    try:
        function(argument)
    except RuntimeError as error:
        print(repr(error))
