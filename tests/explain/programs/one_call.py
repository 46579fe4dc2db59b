# A single call.
# file: main.py
from work import f

print(f(1))  # in place
