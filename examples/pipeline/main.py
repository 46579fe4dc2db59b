"""Writes invoices: looks up what customers have ordered, stage by stage."""

import argparse

import articles
import freight
import invoices
import orders


def write_invoices(customers: int) -> None:
    """Print the sum and the number of parcels for each customer."""
    for customer in range(customers):
        lines = orders.lines_of(customer)
        items = articles.priced(lines)
        cents = invoices.total(items)
        parcels = freight.parcels(items)
        print(f"customer {customer:>4}: {cents / 100:>10.2f} in {parcels} parcels")


def main() -> None:
    """Read the command line and write the invoices."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--customers", type=int, default=400, help="how many invoices to write")
    write_invoices(parser.parse_args().customers)


if __name__ == "__main__":
    main()
