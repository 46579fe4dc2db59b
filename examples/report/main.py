"""Reports the sales of a year: by month and by shop."""

import argparse
from pathlib import Path

import pandas as pd

import monthly
import sales


def report(folder: Path) -> str:
    """Sum up each month's file, and put the months together."""
    months = {path.stem: monthly.summary(path) for path in sorted(folder.glob("*.csv"))}
    year = pd.concat(months, names=["month"]).reset_index()
    by_month = year.pivot_table(values="turnover", index="month", columns="shop", aggfunc="sum")
    by_shop = year.groupby("shop").agg(
        {"turnover": "sum", "visits": "sum", "again": "mean", "best hour": "median"}
    )
    return f"{by_month.round(-2).to_string()}\n\n{by_shop.round(2).to_string()}"


def main() -> None:
    """Read the command line, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sales", type=Path, default=Path("sales"), help="the folder to read")
    parser.add_argument("--rows", type=int, default=8000, help="sales of a month, if none are")
    arguments = parser.parse_args()

    sales.write(arguments.sales, arguments.rows)
    print(report(arguments.sales))


if __name__ == "__main__":
    main()
