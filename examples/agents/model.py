"""Asks a language model, and asks again when its service is busy."""

import json
import time
import urllib.error
import urllib.request

ATTEMPTS = 20
BUSY = (429, 500, 502, 503, 529)


def ask(service: str, prompt: str) -> str:
    """Get the model's answer to a prompt, at temperature 0.

    Args:
        service: The address of the service.
        prompt: What to ask.

    Returns:
        The text of the answer.

    Raises:
        urllib.error.HTTPError: The service refused, or was still busy after all attempts.
    """
    body = json.dumps({"prompt": prompt, "temperature": 0}).encode()
    for attempt in range(ATTEMPTS):
        try:
            with urllib.request.urlopen(f"{service}/complete", body, timeout=30) as response:
                return json.loads(response.read())["text"]
        except urllib.error.HTTPError as error:
            if error.code not in BUSY or attempt == ATTEMPTS - 1:
                raise
            time.sleep(float(error.headers.get("Retry-After", 0.2)))
    raise AssertionError("the last attempt returns or raises")
