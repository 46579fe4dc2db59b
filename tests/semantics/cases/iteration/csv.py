# A csv reader and a DictWriter around calls.
# file: data.csv
name,qty,price
pen,2,1.5
"cup, blue",1,4.25
hat,x,10
# file: work.py
def cost(qty, price):
    return int(qty) * float(price)
# file: main.py
import csv

import work

with open("data.csv", newline="") as source, open("out.csv", "w", newline="") as target:
    reader = csv.DictReader(source)
    writer = csv.DictWriter(target, ["line", "name", "cost"])
    writer.writeheader()
    for row in reader:
        try:
            cost = work.cost(row["qty"], row["price"])
        except ValueError as error:
            print(reader.line_num, error)
            continue
        writer.writerow({"line": reader.line_num, "name": row["name"], "cost": cost})
print(open("out.csv").read())
