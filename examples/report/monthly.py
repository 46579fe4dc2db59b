"""Sums up the sales of a month."""

from pathlib import Path

import pandas as pd


def summary(path: Path) -> pd.DataFrame:
    """Read the sales of a month and sum them up by shop.

    Args:
        path: A CSV file with the columns time, shop, customer, article, pieces and price.

    Returns:
        For each shop its turnover in euros, its visits, the share of customers who came again
        within a week, the best hour of the day, and the article that was sold most.
    """
    sales = pd.read_csv(path, parse_dates=["time"])
    sales["price"] = pd.to_numeric(sales["price"].str.removeprefix("EUR "), errors="coerce")
    sales = sales.dropna(subset="price")
    sales["turnover"] = sales["pieces"] * sales["price"]
    return sales.groupby("shop").apply(_of_shop)


def _of_shop(sales: pd.DataFrame) -> pd.Series:
    by_hour = sales.groupby(sales["time"].dt.hour)["turnover"].sum()
    by_article = sales.groupby("article")["pieces"].sum()
    again = sales.groupby("customer")["time"].apply(_within_a_week)
    return pd.Series(
        {
            "turnover": sales["turnover"].sum(),
            "visits": len(sales),
            "again": again.mean(),
            "best hour": by_hour.idxmax(),
            "best article": by_article.idxmax(),
        }
    )


def _within_a_week(times: pd.Series) -> bool:
    return bool((times.diff().dropna() <= pd.Timedelta(days=7)).any())
