"""Fetches pages of a web site."""

import urllib.error
import urllib.request
from dataclasses import dataclass
from html.parser import HTMLParser


@dataclass
class Page:
    """What is known of a page: how the server answered, its size in bytes, where it leads to."""

    status: int
    size: int
    links: list[str]


class _Anchors(HTMLParser):
    """Notes the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the link, if this is one."""
        self.links += [value for key, value in attrs if (tag, key) == ("a", "href") and value]


def fetch(site: str, path: str) -> Page:
    """Fetch a page and read its links.

    Args:
        site: The address of the site.
        path: The path of the page there.

    Returns:
        The page; also where the server says that there is none.
    """
    try:
        with urllib.request.urlopen(site + path, timeout=30) as response:
            body = response.read()
    except urllib.error.HTTPError as error:
        return Page(error.code, 0, [])
    anchors = _Anchors()
    anchors.feed(body.decode())
    return Page(200, len(body), anchors.links)
