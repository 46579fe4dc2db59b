# A flag changed by results turns calls on and off; history must not be guessed into effects.
# file: work.py
def is_open(line):
    return line == "<"


def is_close(line):
    return line == ">"


def body(line, depth):
    return line * depth
# file: main.py
import work

depth = 0
out = []
for line in "a<b<c>d>e<f>":
    if work.is_open(line):
        depth += 1
    elif work.is_close(line):
        depth -= 1
        if depth < 0:
            raise SystemExit("unbalanced")
    elif depth:
        out.append(work.body(line, depth))
    else:
        print("outside", line)
print(out)
