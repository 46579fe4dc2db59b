"""Makes some photographs to work on: hills under a sky, out of focus, noisy and too dark."""

import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter


def landscape(number: int, width: int, height: int) -> bytes:
    """Make the photograph of that number, a JPEG file."""
    chance = np.random.default_rng(number)
    across, down = np.arange(width) / width, np.linspace(0, 1, height)[:, np.newaxis]
    pixels = np.empty((height, width, 3))
    pixels[:] = (1 - down[..., np.newaxis]) * chance.uniform(60, 140, 3) + 20
    for layer in range(1, 5):
        waves = zip(chance.uniform(2, 9, 4), chance.uniform(0, 6.3, 4), strict=True)
        ridge = 0.2 * layer + 0.03 * sum(np.sin(often * across + shift) for often, shift in waves)
        pixels[down > ridge] = chance.uniform(10, 110, 3) / layer
    pixels += chance.normal(0, 12, pixels.shape)
    picture = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    file = io.BytesIO()
    picture.filter(ImageFilter.GaussianBlur(1.2)).save(file, "JPEG", quality=88)
    return file.getvalue()


def take(folder: Path, count: int, width: int = 1200, height: int = 900) -> None:
    """Fill a folder with photographs, unless they are there already."""
    folder.mkdir(exist_ok=True)
    for number in range(1, count + 1):
        path = folder / f"hills-{number:02}.jpg"
        if not path.exists():
            path.write_bytes(landscape(number, width, height))
