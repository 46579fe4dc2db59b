"""What the page on the package index shows leads somewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAKE_PUBLIC = """\
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from public_links import make_public
make_public(Path.cwd(), "https://example.org/cord/")
"""


def test_links_have_the_repository_s_address(tmp_path: Path) -> None:
    for name in ("README.md", "Cargo.toml", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    words = [sys.executable, "-c", MAKE_PUBLIC, str(ROOT / "scripts")]
    subprocess.run(words, cwd=tmp_path, check=True)
    readme = (tmp_path / "README.md").read_text()
    links = re.findall(r"\]\(([^)\s]+)\)", readme)
    assert any(link.startswith("https://example.org/cord/blob/v") for link in links)
    assert all(re.match(r"https?://|#", link) for link in links)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]
    assert project["urls"]["Source"] == "https://example.org/cord"
    assert project["urls"]["Changelog"].endswith("/CHANGELOG.md")
    assert project["scripts"] == {"cord": "cord.__main__:main"}
