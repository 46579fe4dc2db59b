"""Downloads files."""

import shutil
import urllib.request
from pathlib import Path


def download(address: str, path: Path) -> int:
    """Download a file.

    Args:
        address: Where it is.
        path: Where to write it.

    Returns:
        Its size in bytes.
    """
    with urllib.request.urlopen(address, timeout=30) as response, path.open("wb") as file:
        shutil.copyfileobj(response, file)
        return file.tell()
