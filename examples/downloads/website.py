"""A small archive of files: as slow as one on another continent."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    """As many may come at once as like to."""

    request_queue_size = 128


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    def do_GET(self) -> None:
        """Take the time that a far server takes, and send the file."""
        chance = random.Random(self.path)
        time.sleep(chance.uniform(0.05, 0.15))
        line = f"This is {self.path[1:]}.\n".encode()
        body = line * chance.randrange(200, 2000)
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def running() -> Iterator[str]:
    """Run the archive beside the program, as long as the block lasts, and give its address."""
    with subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
