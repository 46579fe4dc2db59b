# The plan says which argument replicas keep; only one of the functions has it.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
resident = ["rows"]
# file: work.py
def total(number, rows):
    return number + sum(map(len, rows))

def other(number):
    return number
# file: main.py
from work import other, total

rows = [[1, 2]] * 9

for x in range(4):
    print(total(x, rows))  # ahead
    print(other(x))  # ahead
