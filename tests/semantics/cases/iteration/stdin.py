# Lines from stdin, with input() in between.
# stdin: numbers.txt
# file: numbers.txt
3
4 5

6
last
rest 1
rest 2
# file: work.py
def parse(line):
    return [int(x) for x in line.split()]
# file: main.py
import sys

import work

print(work.parse(input()))
for line in sys.stdin:
    if not line.strip():
        print("next is", work.parse(sys.stdin.readline()))
        break
    print(work.parse(line))
print(input("prompt> "))
print([line for line in sys.stdin])
try:
    print(work.parse("7"), input())
except EOFError as error:
    print("no more", error)
