"""A hook of the site's generator: pages that lie beside the code belong to the site, too.

Pages in docs/ link to files of the repository, as readers of the repository want it. In the site
such a link leads to a page, if the file is one, and is plain text if not.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
BESIDE = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "benchmarks/README.md",
    "examples/*/*.md",
    "crates/**/README.md",
    "python/cord/**/README.md",
]
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)")


def on_config(config: Any) -> Any:
    """Put the examples of the repository under the how-to pages."""
    found = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("examples/*/README.md"))
    [guides] = [section["How to"] for section in config.nav if "How to" in section]
    guides.append({"Longer examples": found})
    return config


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages that lie beside the code."""
    for pattern in BESIDE:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            page = File(name, str(ROOT), config.site_dir, config.use_directory_urls)
            page.inclusion = page.inclusion.NOT_IN_NAV
            files.append(page)
            for picture in (*path.parent.glob("*.svg"), *path.parent.glob("*.png")):
                image = picture.relative_to(ROOT).as_posix()
                files.append(File(image, str(ROOT), config.site_dir, config.use_directory_urls))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Files) -> str:
    """Let links that leave docs/, or come from without, lead to pages of the site."""
    own = page.file.src_uri
    if own.startswith(("crates/", "python/", "CHANGELOG")):  # who searches looks for guides
        page.meta.setdefault("search", {"exclude": True})
    place = own if page.file.src_dir == str(ROOT) else f"docs/{own}"

    def led(link: re.Match[str]) -> str:
        picture, text, target, anchor = link[1], link[2], link[3], link[4] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
        name = path.removeprefix("docs/")
        for found in (name, f"{name}/README.md"):
            if files.get_file_from_path(found):
                here = posixpath.relpath(found, posixpath.dirname(own) or ".")
                return f"{picture}[{text}]({here}{anchor})"
        return text if (ROOT / path).exists() else link[0]

    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(led, part) for part in parts)
