"""The examples compute what they say."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def load(path: str) -> ModuleType:
    """A module of an example that imports none of the others."""
    spec = spec_from_file_location(Path(path).stem, EXAMPLES / path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(program: str, *arguments: str, folder: Path | None = None) -> list[str]:
    command = [sys.executable, str(EXAMPLES / program), *arguments]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def test_the_picture_is_a_png_of_the_rows(tmp_path: Path) -> None:
    printed("mandelbrot/main.py", "--size", "20", "--limit", "30", folder=tmp_path)
    written = (tmp_path / "mandelbrot.png").read_bytes()
    assert written[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(written):
        (length,) = struct.unpack_from(">I", written, at)
        name, data = written[at + 4 : at + 8], written[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", written, at + 8 + length)
        assert checksum == zlib.crc32(name + data)
        chunks[name], at = data, at + 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    assert chunks[b"IHDR"] == struct.pack(">IIBBBBB", 20, 20, 8, 0, 0, 0, 0)
    row = load("mandelbrot/fractal.py").row
    expected = b"".join(b"\0" + row(top, 20, 20, 30) for top in range(20))
    assert zlib.decompress(chunks[b"IDAT"]) == expected


def test_the_set_has_its_middle_and_not_its_corners() -> None:
    fractal = load("mandelbrot/fractal.py")
    assert fractal.steps_inside(0j, 500) == 500
    assert fractal.steps_inside(complex(-1.8, 1.2), 500) < 5
    top, bottom = (fractal.row(top, 40, 40, 100) for top in (0, 39))
    assert top == bottom  # the set mirrors itself


def test_the_product_is_exact() -> None:
    product = load("matmul/product.py")
    numbers = np.random.default_rng(7)
    a, b = (numbers.integers(product.PRIME, size=(9, 9)) for _ in range(2))
    a[0], b[0] = product.PRIME - 1, product.PRIME - 1
    columns = b.T.tolist()
    for row in a:
        exact = [sum(map(int.__mul__, row.tolist(), column)) % product.PRIME for column in columns]
        assert product.row_times(row, b).tolist() == exact


def test_both_programs_sort_alike() -> None:
    in_parts = printed("sort/main.py", "--count", "500", "--parts", "7")
    by_halves = printed("sort/recursive.py", "--count", "500", "--depth", "4")
    assert in_parts == by_halves
    assert in_parts[0] == "500 numbers, in order: True"


def test_few_numbers_are_sorted_too() -> None:
    assert (
        printed("sort/main.py", "--count", "3", "--parts", "16")[0] == "3 numbers, in order: True"
    )
    assert printed("sort/recursive.py", "--count", "0")[0] == "0 numbers, in order: True"
    assert printed("sort/main.py", "--count", "0")[0] == "0 numbers, in order: True"


def test_an_invoice_adds_up() -> None:
    orders, articles, invoices, freight = (
        load(f"pipeline/{name}.py") for name in ("orders", "articles", "invoices", "freight")
    )
    items = articles.priced(orders.lines_of(7))
    bought = [(article, pieces) for buyer, article, pieces in orders.ROWS if buyer == 7]
    assert [(article, pieces) for article, pieces, _, _ in items] == bought
    full = sum(pieces * cents for _, pieces, cents, _ in items)
    assert 0.7 * full < invoices.total(items) <= full
    grams = sum(pieces * grams for _, pieces, _, grams in items)
    assert grams / freight.LARGEST <= freight.parcels(items) <= len(items) * 9
