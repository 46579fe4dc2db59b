# A write that a function hides from itself, and one in some calls only: made once, by the program.
# told: 2
# file: work.py
import time


def hidden(x):
    try:
        with open("hidden.txt", "a") as file:
            file.write(f"{x}\n")
    except BaseException:
        return "refused"
    return x


def seldom(x):
    time.sleep(0.001)
    if x % 20 == 13:
        with open("seldom.txt", "a") as file:
            file.write(f"{x}\n")
    return x * x


# file: main.py
import work

print([work.hidden(i) for i in range(5)])
total = 0
for i in range(120):
    total += work.seldom(i)
print(total)
