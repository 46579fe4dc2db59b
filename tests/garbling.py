"""What all that garbles texts and bytes shares."""

from __future__ import annotations

import random
from collections.abc import Sequence


def garbled(chance: random.Random, corpus: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """One of a corpus, changed here and there.

    Args:
        chance: Chooses.
        corpus: What is changed.
        words: What is put in, among other things.
    """
    text = bytearray(chance.choice(corpus))
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(len(text) + 1)
        match chance.randrange(6):
            case 0 if at < len(text):
                text[at] ^= 1 << chance.randrange(8)
            case 1:
                text[at:at] = bytes([chance.randrange(256)])
            case 2:
                del text[at : at + chance.randrange(4)]
            case 3:
                other = chance.choice(corpus)
                text[at:at] = other[chance.randrange(len(other)) :]
            case 4:
                text[at:at] = chance.choice(words)
            case _:
                text[at:at] = text[: chance.randrange(20)]
    return bytes(text)
