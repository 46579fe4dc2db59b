# A list that grows by results is an argument.
# file: main.py
from work import f, total

results = []
for x in range(5):
    results.append(f(x))  # ahead
    print(total(results))  # waits
