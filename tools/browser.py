"""Chromium without a screen, driven through its DevTools pipe: a page's log, pictures and answers."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-pipe",
)  # fmt: skip
Json = dict[str, Any]


class Browser:
    """A page in a window of a size. `faults` are the console's warnings and errors, exceptions, and requests
    of other things than files and data."""

    def __init__(self, width: int = 1440, height: int = 900) -> None:
        assert CHROMIUM is not None
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # Chromium reads commands from 3 and writes to 4; numbers above these are not overwritten
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 16) for end in (to_read, to_write)]
        silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        given = [(os.POSIX_SPAWN_DUP2, end, number) for end, number in zip(ends, (3, 4), strict=True)]
        options = (
            *_OPTIONS,
            f"--user-data-dir={self._folder.name}",
            f"--window-size={width},{height}",
            "about:blank",
        )
        self._process = os.posix_spawn(
            CHROMIUM, [CHROMIUM, *options], os.environ, file_actions=[*silent, *given]
        )
        for end in (to_read, to_write, *ends):
            os.close(end)
        self._number, self._buffer, self._session = 0, b"", ""
        self.faults: list[str] = []
        self._loaded = False
        (page,) = [
            target for target in self._ask("Target.getTargets")["targetInfos"] if target["type"] == "page"
        ]
        self._session = self._ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")
        self._ask("Performance.enable", timeDomain="threadTicks")
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._ask("Browser.close")
        os.waitpid(self._process, 0)
        os.close(self._write)
        os.close(self._read)
        self._folder.cleanup()

    def open(self, path: Path) -> None:
        self._loaded = False
        self._ask("Page.navigate", url=path.as_uri())
        while not self._loaded:
            self._receive()
        self.settle()

    def settle(self) -> None:
        """Wait until a frame is drawn."""
        self.value(
            "new Promise((done) =>"
            "  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
        )

    def value(self, expression: str) -> Any:
        answer = self._ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def first_paint(self) -> float:
        """Milliseconds from the start of the navigation to the first contents on the screen."""
        return self.value(
            "new Promise((done) => new PerformanceObserver((list) => {"
            "  for (const entry of list.getEntriesByName('first-contentful-paint')) done(entry.startTime);"
            "}).observe({type: 'paint', buffered: true}))"
        )

    def busy(self) -> float:
        """Milliseconds of a processor that the page's main thread took since the start of the navigation;
        other processes of the machine do not count."""
        metrics = {
            metric["name"]: metric["value"] for metric in self._ask("Performance.getMetrics")["metrics"]
        }
        return 1000 * metrics["TaskDuration"]

    def press(self, *keys: str, shift: bool = False) -> None:
        """Keys by their DOM names."""
        for key in keys:
            text = {"text": key} if len(key) == 1 else {}
            self._ask("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=8 * shift, **text)
            self._ask("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=8 * shift)
        self.settle()

    def point(self, selector: str, x: float = 0.5, y: float = 0.5, *, click: bool = False) -> None:
        """Move the mouse to a place in an element, in parts of its size, and click."""
        box = self.value(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [b.x, b.y, b.width, b.height]; })()"
        )
        place = {"x": box[0] + x * box[2], "y": box[1] + y * box[3]}
        self._ask("Input.dispatchMouseEvent", type="mouseMoved", **place)
        if click:
            for kind in ("mousePressed", "mouseReleased"):
                self._ask("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)
        self.settle()

    def _ask(self, method: str, **parameters: Any) -> Json:
        self._number += 1
        number = self._number
        message: Json = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _receive(self) -> Json:
        while b"\0" not in self._buffer:
            data = os.read(self._read, 1 << 16)
            assert data, "Chromium ended"
            self._buffer += data
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: Json = json.loads(text)
        parameters = message.get("params", {})
        match message.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Runtime.exceptionThrown":
                self.faults.append(json.dumps(parameters["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if parameters["type"] in ("error", "warning", "assert"):
                self.faults.append(json.dumps(parameters["args"]))
            case "Log.entryAdded" if parameters["entry"]["level"] in ("error", "warning"):
                self.faults.append(parameters["entry"]["text"])
            case "Network.requestWillBeSent" if not parameters["request"]["url"].startswith(
                ("file:", "data:")
            ):
                self.faults.append(f"asks the network for {parameters['request']['url']}")
            case _:
                pass
        return message
