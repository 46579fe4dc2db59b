# Lines from standard input.
# stdin: input.txt
# file: input.txt
1
2
3
4
# file: main.py
import sys

from work import f

for line in sys.stdin:
    print(f(int(line)))  # ahead
