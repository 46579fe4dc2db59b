"""Gives a copy of the source its public address.

The page on the package index shows README.md, where links to files of the repository lead nowhere,
and pyproject.toml cannot know where a copy of the repository lives. Who releases tells both.
"""

import re
import tomllib
from pathlib import Path

# A link of Markdown to a file of the repository, with what names a place in it.
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)\s]+)\)")


def make_public(source: Path, address: str) -> None:
    """Change the copy `source`: links of README.md become full, pyproject.toml gets its own.

    Args:
        source: The folder of the copy.
        address: Of the repository, such as https://example.org/cord.
    """
    address = address.rstrip("/")
    version = tomllib.loads((source / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    at_version = f"{address}/blob/v{version}"
    readme = source / "README.md"
    readme.write_text(LINK.sub(rf"]({at_version}/\1)", readme.read_text()))
    project = source / "pyproject.toml"
    urls = {
        "Source": address,
        "Documentation": f"{at_version}/README.md#more",
        "Changelog": f"{at_version}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    lines = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    table = f"[project.urls]\n{lines}\n[project.scripts]\n"
    project.write_text(project.read_text().replace("[project.scripts]\n", table))
