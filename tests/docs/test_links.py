"""Links between pages lead somewhere, and files that pages beside the code name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BESIDE_CODE = sorted([*ROOT.glob("crates/*/README.md"), *ROOT.glob("crates/*/src/**/README.md")])
BESIDE_CODE += sorted(ROOT.glob("python/cord/**/README.md"))
PLAN = ROOT / "docs" / "architecture.md"
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
    *sorted(ROOT.glob("benchmarks/*.md")),
    *sorted(ROOT.glob("examples/*/*.md")),
    *BESIDE_CODE,
]
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
QUOTED = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"[\w/-]+\.(py|pyi|rs)")
PROGRAMS = {"search.py", "program.py"}  # what guides call a reader's program
FOLDER = re.compile(r"([\w-]+/)+")


def prose(page: Path) -> str:
    """A page without its listings and pictures."""
    return FENCE.sub("", page.read_text())


def anchors(page: Path) -> set[str]:
    """What a page's headings are called in links, as GitHub makes it."""
    titles = [re.sub(r"[^\w\- ]", "", title.lower()) for title in HEADING.findall(prose(page))]
    return {title.replace(" ", "-") for title in titles}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def bases(page: Path) -> list[Path]:
    """Where the names on a page begin: beside it, or at the top of a crate or of the package"""
    top, folder, *_ = page.relative_to(ROOT).parts
    first = f"crates/{folder}/src" if top == "crates" else "python/cord"
    return [page.parent, *(ROOT / place for place in (first, "crates", "."))]


def is_there(file: str, places: list[Path]) -> bool:
    return any((place / file).exists() for place in places)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(prose(page)):
        led_to = (page.parent / target) if target else page
        assert led_to.exists(), target
        if anchor:
            assert anchor in anchors(led_to), f"{target}#{anchor}"


@pytest.mark.parametrize("page", [PLAN, *BESIDE_CODE], ids=name)
def test_files_that_are_named_are_there(page: Path) -> None:
    wrong = []
    for block in re.split(r"\n\n+", prose(page)):
        table = block.startswith("|")  # a row may name files of folders that it or the head names
        head, *rows = block.splitlines() if table else ["", block]
        for row in rows:
            quoted = QUOTED.findall(f"{head} {row}")
            folders = [one for one in quoted if FOLDER.fullmatch(one)]
            places = [base / one for base in bases(page) for one in ["", *folders]]
            files = [one for one in quoted if FILE.fullmatch(one)]
            wrong += [one for one in [*files, *folders] if not is_there(one, places)]
    assert wrong == []


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/**/*.md")), ids=name)
def test_files_that_guides_name_are_somewhere(page: Path) -> None:
    known = [path for top in ("python/cord", "crates") for path in (ROOT / top).rglob("*.*")]
    paths = [f"/{path.relative_to(ROOT)}" for path in known]
    files = [one for one in QUOTED.findall(prose(page)) if FILE.fullmatch(one)]
    examples = {*re.findall(r'^```\w+ title="([^"]+)"$', page.read_text(), re.MULTILINE), *PROGRAMS}
    own = [one for one in files if one not in examples and not is_there(one, [ROOT])]
    assert [one for one in own if not any(path.endswith(f"/{one}") for path in paths)] == []
