"""Crawls a web site, and lists what is there, how far from the first page, and dead links."""

import argparse
from collections import deque

import web
import website


def crawl(site: str, limit: int) -> dict[str, tuple[int, web.Page]]:
    """Fetch all pages that links lead to, those first that are nearest to the first page.

    Args:
        site: The address of the site.
        limit: How many pages to fetch at most.

    Returns:
        By path, how many links a page is away from the first one, and the page.
    """
    found: dict[str, tuple[int, web.Page]] = {}
    seen = {"/"}
    queue = deque([("/", 0)])
    while queue and len(found) < limit:
        path, distance = queue.popleft()
        page = web.fetch(site, path)
        found[path] = distance, page
        for link in page.links:
            if link not in seen:
                seen.add(link)
                queue.append((link, distance + 1))
    return found


def main() -> None:
    """Read the command line, start the site, crawl it, and print the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=100, help="how many pages to fetch at most")
    arguments = parser.parse_args()

    with website.running() as site:
        found = crawl(site, arguments.limit)
    for path, (distance, page) in found.items():
        print(f"{distance} {path:<20} {page.status} {page.size:>5} {len(page.links):>3} links")
    dead = [path for path, (_, page) in found.items() if page.status != 200]
    print(f"{len(found)} pages, {len(dead)} dead links: {' '.join(dead)}")


if __name__ == "__main__":
    main()
