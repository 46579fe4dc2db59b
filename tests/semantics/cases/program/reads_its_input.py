# Input is read line by line, in three ways, between the calls.
# stdin: in.txt
# file: work.py
def up(s): return s.upper()
# file: main.py
import sys
from work import up
n = int(input("how many? "))
for _ in range(n):
    print(up(input()))
for line in sys.stdin:
    if not line.strip(): break
    print(up(line), end="")
print(repr(sys.stdin.readline()), up(sys.stdin.read()))
try: input()
except EOFError as e: print("eof", e)
# file: in.txt
2
one
two
three
four

five
six
