"""The page of `cord report`, in a headless Chromium where there is one on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import COMMAND, Browser
from traced import cord, trace

HOSTILE = """\
import work
text = "</script><script>window.broken = 1</script><!-- <b>&amp;"
for x in range(40):
    print(len(text), work.nap(x), "@DATA@")  # `</td><img src=x onerror="window.broken = 1">
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run whose text would like to be part of it."""
    path = trace(tmp_path_factory.mktemp("page"), HOSTILE)
    done = cord(path.parent, "report", path.name)
    assert done.returncode == 0
    return Path(f"{path}.html")


def test_it_stands_by_itself(page: Path) -> None:
    text = page.read_text()
    assert not re.findall(r"(?:src|href)=\"(?!#|data:)", text)
    assert "http" not in text.replace("http-equiv", "")
    # one for the data, one for the script; what the program says is escaped
    assert text.count("<script") == text.count("</script>") == 2
    assert "&lt;/script&gt;&lt;script&gt;window.broken" in text


needs_browser = pytest.mark.skipif(COMMAND is None, reason="there is no Chromium or Chrome here")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


def middle(browser: Browser) -> tuple[float, float, float]:
    """Where the timeline's last row is, and where it ends."""
    left, bottom, width = browser.run(
        "(() => { const one = document.getElementById('timeline'); one.scrollIntoView();"
        "const box = one.getBoundingClientRect(); return [box.left, box.bottom, box.width]; })()"
    )
    return left + width * 0.6, bottom - 14, width


def span(browser: Browser) -> int:
    """How much of the run is shown."""
    return int(browser.run("document.getElementById('timeline').dataset.span"))


@needs_browser
@pytest.mark.parametrize("size", [(1200, 900), (390, 800)])
@pytest.mark.parametrize("dark", [False, True])
def test_no_errors_and_nothing_too_wide(
    browser: Browser, page: Path, size: tuple[int, int], dark: bool
) -> None:
    browser.open(page, *size, dark=dark)
    assert browser.run("document.documentElement.scrollWidth") <= size[0]
    assert browser.run("window.broken") is None
    light = browser.run("getComputedStyle(document.body).backgroundColor")
    assert (light == "rgb(255, 255, 255)") is not dark
    assert browser.errors == []


@needs_browser
def test_hover_and_zoom(browser: Browser, page: Path) -> None:
    browser.open(page, 1200, 900)
    whole = span(browser)
    x, y, _ = middle(browser)
    told = ""
    for step in range(40):  # from here on to the right there is a call
        browser.mouse("Moved", x + 4 * step, y)
        told = browser.run("document.getElementById('tip').textContent")
        if "ran for" in told:
            break
    assert told.startswith("main.py:4  work.nap(x)\nwork 1: ran for ")
    browser.mouse("Wheel", x, y, deltaX=0, deltaY=-200)
    near = span(browser)
    assert near < whole
    browser.run("document.getElementById('timeline').focus()")
    browser.key("+")
    assert span(browser) < near
    browser.key("0")
    assert span(browser) == whole
    # a wheel that would zoom out further leaves the page to scroll
    browser.mouse("Wheel", x, y, deltaX=0, deltaY=200)
    assert span(browser) == whole
    assert browser.errors == []


@needs_browser
def test_a_click_leads_to_the_line(browser: Browser, page: Path) -> None:
    browser.open(page, 1200, 900)
    x, y, _ = middle(browser)
    for step in range(40):
        for kind in ("Pressed", "Released"):
            browser.mouse(kind, x + 4 * step, y, button="left", clickCount=1)
        if browser.run("document.querySelector('#picked a') !== null"):
            break
    link = "document.querySelector(document.querySelector('#picked a').hash).textContent"
    assert "work.nap(x)" in browser.run(link)
