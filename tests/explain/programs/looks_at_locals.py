# A function that looks at its own variables.
# file: main.py
from work import f


def run():
    for x in range(4):
        print(f(x), sorted(locals()))  # in place


run()
