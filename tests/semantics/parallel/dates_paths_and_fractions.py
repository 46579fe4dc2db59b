# Arguments are computed with dates, paths, fractions, and class methods of the library.
# overlap: 4
# file: main.py
import re
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import chain
from pathlib import PurePosixPath
from statistics import fmean

from work import nap, nap_all

for text in [f"2024-03-{day:02d}T12:30:00" for day in range(1, 9)]:
    when = datetime.fromisoformat(text)
    span = when + timedelta(minutes=nap(when.day)) - when
    print(nap(int(span.total_seconds()), when.isoweekday()))
for day in range(8):
    print(nap(date.fromordinal(738_000 + day).weekday()))
paths = [PurePosixPath(f"/data/part_{i}.csv") for i in range(8)]
seen = {path.stem: 0 for path in paths}
for path in paths:
    seen[path.stem] += nap(len(path.name), len(path.with_suffix(".txt").as_posix()))
print(seen)
for i in range(1, 9):
    near = Fraction(i, 7).limit_denominator(5)
    print(nap(near.numerator, near.denominator))
for x in chain.from_iterable([[1, 2, 3], (4, 5), [6, 7, 8]]):
    print(nap(int.from_bytes(bytes([x]), "big")))
for line in ["1 2 3", "4 5", "6 7 8 9", "10", "11 12", "13 14"]:
    numbers = [int(match.group()) for match in re.compile(r"\d+").finditer(line)]
    print(nap_all(numbers), nap(round(fmean(numbers))))
