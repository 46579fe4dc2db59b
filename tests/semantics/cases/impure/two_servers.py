# Two impure modules, called in turn: the order between them is the program's.
# file: left.py
def say(x):
    with open("order.txt", "a") as f:
        f.write(f"left {x}\n")
    return x + 1
# file: right.py
def say(x):
    with open("order.txt", "a") as f:
        f.write(f"right {x}\n")
    return x * 2
# file: cord.toml
[remote.left]
replicas = 1

[remote.right]
replicas = 1
callstyle = "async"
# file: main.py
import left
import right

x = 1
for turn in range(5):
    x = left.say(x)
    x = right.say(x)
    left.say(-turn)
    right.say(left.say(turn) + right.say(turn))
print(x, open("order.txt").read())
