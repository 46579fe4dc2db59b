"""A stand-in for the service of a language model: slow, limited and unreliable as those are.

It answers `POST /complete` with a text that depends on the prompt alone. An answer takes 80 to
240 ms, the longer the more it says. Whoever asks more than RATE times a second is told to come back
later (429), and now and then it is overloaded (503): the first time that it hears certain prompts.
"""

import json
import random
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RATE = 30  # requests in a second
WORDS = """harbour winter lantern copper river memory engine silence orchard signal paper glass
mountain letter window garden thread market season bridge machine morning island winter pattern
story number history shadow kitchen station""".split()


def answer(prompt: str) -> str:
    """What the model says: a mark for a prompt that asks to rate something, else some sentences."""
    chance = random.Random(prompt)
    if prompt.startswith("Rate "):
        return str(chance.randint(1, 100))
    sentences = [
        " ".join(chance.choices(WORDS, k=chance.randint(5, 11))).capitalize() + "."
        for _ in range(chance.randint(2, 8))
    ]
    return " ".join(sentences)


class Service(ThreadingHTTPServer):
    """What all requests share: when the last ones came, and which prompts were heard before."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.recent: deque[float] = deque()
        self.heard: set[str] = set()

    def refusal(self, prompt: str) -> int | None:
        """The status of a request that is not served."""
        now = time.monotonic()
        with self.lock:
            while self.recent and self.recent[0] < now - 1:
                self.recent.popleft()
            if len(self.recent) >= RATE:
                return 429
            self.recent.append(now)
            first = prompt not in self.heard
            self.heard.add(prompt)
        return 503 if first and random.Random(prompt + "?").random() < 0.08 else None


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Service

    def do_POST(self) -> None:
        """Read the prompt, take the time that a model takes, and answer."""
        prompt = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["prompt"]
        status = self.server.refusal(prompt)
        text = "" if status else answer(prompt)
        if not status:
            time.sleep(0.08 + min(len(text), 400) / 2500)
        body = json.dumps({"text": text}).encode()
        self.send_response(status or 200)
        if status == 429:
            self.send_header("Retry-After", "0.1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def running() -> Iterator[str]:
    """Run the service beside the program, as long as the block lasts, and give its address."""
    with subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


if __name__ == "__main__":
    service = Service()
    print(f"http://127.0.0.1:{service.server_port}", flush=True)
    service.serve_forever()
