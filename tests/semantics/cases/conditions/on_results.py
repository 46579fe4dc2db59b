# Which function comes next depends on the results so far.
# file: work.py
def up(x):
    return x + 3


def down(x):
    return x - 2


def done(x):
    return x > 12
# file: main.py
import work

x, path = 0, ""
while True:
    if work.done(x):
        break
    if x % 2 == 0:
        x = work.up(x)
        path += "u"
    elif x % 3 == 0:
        x = work.up(work.up(x))
        path += "U"
    else:
        x = work.down(x)
        path += "d"
    if len(path) > 20:
        print("gave up")
        break
print(x, path)
