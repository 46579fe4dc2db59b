# A table goes from CSV through a database to JSON and CSV.
# file: work.py
import datetime as dt
from decimal import Decimal
def parse(row):
    return {"when": dt.date.fromisoformat(row["when"]), "amount": Decimal(row["amount"]), "who": row["who"].title()}
def tax(amount, day): return (amount * Decimal("0.21") + day.day).quantize(Decimal(".01"))
# file: main.py
import csv, json, sqlite3, io, pathlib
from work import parse, tax
with open("data.csv", newline="") as f:
    rows = [parse(r) for r in csv.DictReader(f)]
db = sqlite3.connect(":memory:")
db.execute("create table t (w text, a text, d text)")
with db:
    db.executemany("insert into t values (?, ?, ?)", ((r["who"], str(tax(r["amount"], r["when"])), r["when"].isoformat()) for r in rows))
for w, a in db.execute("select w, sum(a) from t group by w order by w"):
    print(w, a)
db.create_function("tax", 1, lambda a: str(tax(__import__("decimal").Decimal(a), rows[0]["when"])))
print(db.execute("select tax(a) from t order by d").fetchall())
out = pathlib.Path("out.json")
out.write_text(json.dumps(rows, default=str, indent=1))
with open("out.csv", "w", newline="") as f:
    w = csv.writer(f)
    for r in rows: w.writerow([*r.values(), tax(r["amount"], r["when"])])
print(out.read_text())
# file: data.csv
when,amount,who
2024-02-29,10.50,ann lee
2024-01-01,3.333,bob
2023-12-31,1E+2,ann lee
