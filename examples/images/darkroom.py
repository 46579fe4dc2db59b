"""Develops photographs."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageOps


def develop(photo: Path, picture: Path, width: int) -> int:
    """Make a picture for the web: upright, without noise, with full contrast, small, with its name.

    Args:
        photo: The image file to read.
        picture: The JPEG file to write.
        width: How wide the picture shall be, in pixels.

    Returns:
        The size of the picture's file, in bytes.
    """
    with Image.open(photo) as original:
        image = ImageOps.exif_transpose(original).convert("RGB")
    image = image.filter(ImageFilter.MedianFilter(3))
    image = ImageOps.autocontrast(image, cutoff=1)
    height = round(image.height * width / image.width)
    image = image.resize((width, height), Image.Resampling.LANCZOS)
    image = image.filter(ImageFilter.UnsharpMask(radius=2, percent=120))
    name = ImageDraw.Draw(image)
    name.text((12, height - 22), photo.stem, fill="white", stroke_width=1, stroke_fill="black")
    image.save(picture, "JPEG", quality=85, optimize=True)
    return picture.stat().st_size
