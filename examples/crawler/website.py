"""A small web site to crawl: as slow as one on another continent, with some dead links."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGES = 60
WORDS = "about archive blog contact guide help history index map news notes shop team tour".split()


def name(number: int) -> str:
    """The path of a page."""
    return f"/{WORDS[number % len(WORDS)]}/{number}.html" if number else "/"


def links(number: int) -> list[str]:
    """Where a page leads to: those that come next in a tree of pages, some others, dead ends."""
    chance = random.Random(number)
    numbers = [child for child in range(3 * number + 1, 3 * number + 4) if child < PAGES]
    numbers += chance.sample(range(PAGES), 3)
    dead = [f"/old/{number}.html"] if chance.random() < 0.1 else []
    return [name(other) for other in numbers] + dead


SITE = {name(number): links(number) for number in range(PAGES)}


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    def do_GET(self) -> None:
        """Take the time that a far server takes, and send the page."""
        time.sleep(random.Random(self.path).uniform(0.03, 0.1))
        found = SITE.get(self.path)
        anchors = "".join(f'<li><a href="{link}">{link}</a>\n' for link in found or [])
        body = f"<title>Page {self.path}</title>\n<ul>\n{anchors}</ul>\n".encode()
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def running() -> Iterator[str]:
    """Run the site beside the program, as long as the block lasts, and give its address."""
    with subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


if __name__ == "__main__":
    ThreadingHTTPServer.request_queue_size = 128  # as many at once as like to come
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
