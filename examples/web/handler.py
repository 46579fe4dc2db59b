"""A handler that takes 40 ms for each request, as that of the experiment with Rudy."""

import time


def work(name: str = "world") -> str:
    """Answer after 40 ms."""
    time.sleep(0.04)
    return f"hello {name}"


def hello(name: str = "world") -> str:
    """Answer at once."""
    return f"hello {name}"
