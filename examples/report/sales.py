"""Makes the sales of some months, a CSV file for each: what tills write, with their mistakes."""

from pathlib import Path

import numpy as np
import pandas as pd

SHOPS = ["Aalborg", "Bergen", "Cork", "Delft", "Evora", "Fulda", "Ghent", "Hull", "Imatra", "Jena"]
GOODS = ["apples", "bread", "cheese", "dates", "eggs", "flour", "garlic", "honey"]


def month_of(year: int, month: int, rows: int) -> pd.DataFrame:
    """Make the sales of one month, in the order of their time."""
    chance = np.random.default_rng(year * 12 + month)
    minutes = np.sort(chance.integers(30 * 24 * 60, size=rows))
    prices = chance.gamma(3, 2, size=rows).round(2)
    text = np.where(chance.random(rows) < 0.02, "n/a", np.char.add("EUR ", prices.astype(str)))
    return pd.DataFrame(
        {
            "time": pd.Timestamp(year, month, 1) + pd.to_timedelta(minutes, unit="min"),
            "shop": chance.choice(SHOPS, size=rows),
            "customer": chance.integers(400, size=rows),
            "article": chance.choice(GOODS, size=rows),
            "pieces": chance.integers(1, 9, size=rows),
            "price": text,
        }
    )


def write(folder: Path, rows: int) -> None:
    """Fill a folder with the sales of a year, unless they are there already."""
    folder.mkdir(exist_ok=True)
    for month in range(1, 13):
        path = folder / f"2025-{month:02}.csv"
        if not path.exists():
            month_of(2025, month, rows).to_csv(path, index=False)
