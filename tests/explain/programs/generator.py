# The project's own generator makes the calls in its own body.
# file: main.py
from work import f


def scores(values):
    for value in values:
        yield f(value)  # ahead


for score in scores(range(6)):  # in place
    print(score)
