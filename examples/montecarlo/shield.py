"""Follows neutrons through a shield of concrete."""

import math
import random

MEAN_FREE_PATH = 4.2  # centimetres between two collisions
ABSORBED = 0.12  # the share of collisions that end a neutron's way


def passed(thickness: float, neutrons: int, seed: int) -> int:
    """Send neutrons into a shield, and count those that come out at its other side.

    Args:
        thickness: How thick the shield is, in centimetres.
        neutrons: How many are sent.
        seed: Chooses the random numbers.

    Returns:
        How many have passed. The others were absorbed, or came back.
    """
    chance = random.Random(seed)
    count = 0
    for _ in range(neutrons):
        depth, cosine = 0.0, 1.0
        while True:
            depth -= cosine * MEAN_FREE_PATH * math.log(1 - chance.random())
            if depth < 0:
                break
            if depth > thickness:
                count += 1
                break
            if chance.random() < ABSORBED:
                break
            cosine = chance.uniform(-1, 1)
    return count
