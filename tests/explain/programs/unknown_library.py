# A library function that Cord does not know.
# file: main.py
import shlex

from work import f

for word in ["a b", "it's", "abc"]:
    print(f(len(shlex.quote(word))))  # in place
