"""A headless Chromium, told what to do by its DevTools protocol over two pipes."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

COMMAND = next(
    filter(None, map(shutil.which, ("chromium", "google-chrome", "chromium-browser"))), None
)


# The browser reads descriptor 3 and writes descriptor 4.
_GIVE = """\
import fcntl, os, sys
pipes = [fcntl.fcntl(int(pipe), fcntl.F_DUPFD_CLOEXEC, 10) for pipe in sys.argv[1:3]]
for pipe, number in zip(pipes, (3, 4)):
    os.dup2(pipe, number)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """One page of a browser; `errors` are those that it has told of on its console."""

    def __init__(self, profile: Path) -> None:
        assert COMMAND is not None
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        pipes = [str(theirs_in), str(theirs_out)]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _GIVE, *pipes, COMMAND, *options, f"--user-data-dir={profile}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs_in, theirs_out),
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._number = 0
        self._rest = b""
        self._session: str | None = None
        self._events: list[dict[str, Any]] = []
        self.errors: list[str] = []
        page = self.say("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.say("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.say(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        os.close(self._out)
        os.close(self._in)
        self._process.terminate()
        self._process.wait(20)

    def say(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Have it do something; its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            heard = self._hear()
            if heard.get("id") == self._number:
                assert "error" not in heard, heard
                result: dict[str, Any] = heard["result"]
                return result

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._in, 1 << 16)
            assert more, "the browser has gone"
            self._rest += more
        one, self._rest = self._rest.split(b"\0", 1)
        heard: dict[str, Any] = json.loads(one)
        told = heard.get("params", {})
        if heard.get("method") == "Runtime.exceptionThrown":
            self.errors.append(str(told["exceptionDetails"]))
        elif heard.get("method") == "Log.entryAdded":
            self.errors.append(told["entry"]["text"])
        elif heard.get("method") == "Runtime.consoleAPICalled":
            self.errors.append(str(told["args"]))
        elif "method" in heard:
            self._events.append(heard)
        return heard

    def open(self, path: Path, width: int, height: int, *, dark: bool = False) -> None:
        """Show a file, in a window of this size; return when it is there."""
        self.say(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 500,
        )  # fmt: skip
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.say("Emulation.setEmulatedMedia", features=scheme)
        self._events.clear()
        self.say("Page.navigate", url=path.as_uri())
        while not any(one["method"] == "Page.loadEventFired" for one in self._events):
            self._hear()
        drawn = (
            "new Promise(done => (function look() { document.querySelector('canvas').dataset.span"
        )
        self.run(f"{drawn} ? requestAnimationFrame(() => done(1)) : setTimeout(look, 20) }})())")

    def run(self, script: str) -> Any:
        """What a script's value is."""
        told = self.say(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Move the mouse, or press, release or turn something on it."""
        self.say("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **more)

    def key(self, key: str) -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.say("Input.dispatchKeyEvent", type=kind, key=key)

    def picture(self) -> bytes:
        """The whole page as PNG."""
        told = self.say("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(told["data"])
