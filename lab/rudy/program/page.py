"""What the web server answers, after a while that stands for real work."""

import time


def hello(delay: float = 0.0) -> str:
    """Answer a request, `delay` seconds later."""
    time.sleep(delay)
    return "<html><body>Hello</body></html>"
