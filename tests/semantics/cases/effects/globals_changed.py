# Globals that the arguments are made of change in the loop, in helpers and through globals().
# file: settings.py
level = 1
# file: work.py
def f(*xs):
    return sum(xs)
# file: main.py
import settings
import work

scale = 1


def scaled(x):
    return work.f(x * scale, settings.level)


def bump():
    global scale
    scale += 1


for i in range(6):
    print(scaled(10), scale)
    if i % 2:
        bump()
    if i == 3:
        globals()["scale"] = 50
        settings.level = 1000
print([scaled(1) for _ in range(2)])


def run():
    global scale
    for scale in range(3):
        print(scaled(2), work.f(scale))
    del scale


run()
try:
    scaled(1)
except NameError as error:
    print(error)
