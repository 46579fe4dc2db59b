"""How thick must a shield be? Monte Carlo, with as many neutrons as the precision needs."""

import argparse
import math

import shield


def share_passed(thickness: float, precision: float, batch: int) -> tuple[float, int]:
    """Send batches of neutrons until the share that passes is known well enough.

    Args:
        thickness: How thick the shield is, in centimetres.
        precision: The standard error wanted, as a share of the result.
        batch: How many neutrons are sent at a time.

    Returns:
        The share of neutrons that pass, and how many were sent.
    """
    sent = passed = 0
    while True:
        passed += shield.passed(thickness, batch, seed=sent)
        sent += batch
        if passed and math.sqrt((1 - passed / sent) / passed) < precision:
            return passed / sent, sent


def main() -> None:
    """Read the command line, and print a table of thicknesses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--precision", type=float, default=0.005, help="relative standard error")
    parser.add_argument("--batch", type=int, default=25_000, help="neutrons to send at a time")
    arguments = parser.parse_args()

    print(f"{'cm':>4} {'passes':>8} {'neutrons':>10}")
    for thickness in range(5, 35, 5):
        share, sent = share_passed(thickness, arguments.precision, arguments.batch)
        print(f"{thickness:>4} {share:>8.2%} {sent:>10}")


if __name__ == "__main__":
    main()
