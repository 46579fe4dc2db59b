# Scouts make generators of their own where the program is not yet.
# overlap: 4
# file: main.py
import work


def parts(text):
    for word in text.split():
        yield word.upper()


def lengths(text):
    found = []
    for part in parts(text):
        found.append(work.nap(len(part)))
    return found


for text in ["a bb", "ccc dddd", "eeeee ffffff", "ggggggg hhhhhhhh"]:
    print(lengths(text))
