# A first loop fills a list of results, two more use it in different orders.
# file: work.py
def weight(name):
    return len(name) * 3 + ord(name[0]) % 5
# file: main.py
import work

names = ["ada", "grace", "alan", "barbara", "edsger", "tony"]
weights = []
for name in names:
    weights.append(work.weight(name))
print("measured", len(weights))
for name, weight in zip(names, weights):
    print(name, weight)
heaviest = max(range(len(names)), key=weights.__getitem__)
for index in sorted(range(len(names)), key=lambda i: -weights[i]):
    print(names[index], weights[index] - weights[heaviest])
