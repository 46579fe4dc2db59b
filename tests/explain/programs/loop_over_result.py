# What a call gives is walked.
# file: main.py
from work import f, neighbours

for x in range(4):
    for other in neighbours(x):  # ahead
        print(f(other))  # ahead
