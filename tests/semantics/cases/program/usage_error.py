# argparse ends the program with its usage on stderr.
# args: --number seven
# file: work.py
def f(x):
    return x
# file: main.py
import argparse

import work

print(work.f(1))
parser = argparse.ArgumentParser()
parser.add_argument("--number", type=int)
parser.parse_args()
