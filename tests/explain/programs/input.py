# Numbers asked for one by one.
# stdin: input.txt
# file: input.txt
1
2
3
4
# file: main.py
from work import f

for _ in range(4):
    number = int(input())
    print(f(number))  # in place
