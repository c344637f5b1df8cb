"""A headless Chromium, spoken to over its DevTools pipe; no driver and no further package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


class Page:
    """One tab: goes to a page, asks it, and does what a reader does."""

    def __init__(self, send: Any, receive: Any) -> None:
        self._send, self._receive = send, receive
        self._number = 0
        self._session = ""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Accessibility", "DOM"):
            self._call(f"{domain}.enable")
        # All files share one storage, and themes remember the reader's choice there.
        forget = "try { localStorage.clear(); } catch { /* about:blank has none */ }"
        self._call("Page.addScriptToEvaluateOnNewDocument", source=forget)

    def open(self, path: Path, *, width: int = 1200, dark: bool = False) -> None:
        """Load a file in a window of that width, for a reader whose system is dark or light."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        address = f"{path.as_uri()}?{self._number}"
        self._call("Page.navigate", url=address)
        while self.ask("[location.href, document.readyState]") != [address, "complete"]:
            time.sleep(0.02)

    def ask(self, expression: str) -> Any:
        """Return what a JavaScript expression gives on the page."""
        answer = self._call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def point(self, x: float, y: float) -> None:
        """Move the mouse there."""
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key: str) -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            code = {"Tab": 9, "Escape": 27, "ArrowRight": 39, "ArrowDown": 40}[key]
            self._call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code
            )

    def accessible(self, role: str) -> list[dict[str, str]]:
        """Return name and description of everything with a role in the accessibility tree."""
        nodes = self._call("Accessibility.getFullAXTree")["nodes"]
        return [
            {part: n.get(part, {}).get("value", "") for part in ("name", "description")}
            for n in nodes
            if not n["ignored"] and n["role"]["value"] == role
        ]

    def _call(self, method: str, **params: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._send.write(json.dumps(message).encode() + b"\0")
        self._send.flush()
        while (answer := self._next()).get("id") != self._number:
            pass
        assert "error" not in answer, (method, answer.get("error"))
        return answer["result"]

    def _next(self) -> dict[str, Any]:
        text = bytearray()
        while (byte := self._receive.read(1)) != b"\0":
            assert byte, "Chromium ended"
            text += byte
        answer: dict[str, Any] = json.loads(text)
        return answer


@contextmanager
def browser(profile: Path) -> Iterator[Page]:
    """Start Chromium with an empty profile, and end it."""
    assert CHROMIUM
    read_theirs, write_ours = os.pipe()
    read_ours, write_theirs = os.pipe()

    def connect() -> None:
        # Chromium reads from file descriptor 3 and writes to 4.
        theirs, answers = os.dup(read_theirs), os.dup(write_theirs)
        os.dup2(theirs, 3)
        os.dup2(answers, 4)

    process = subprocess.Popen(
        [CHROMIUM, *FLAGS, f"--user-data-dir={profile}"],
        preexec_fn=connect,
        close_fds=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(read_theirs)
    os.close(write_theirs)
    try:
        with os.fdopen(write_ours, "wb") as send, os.fdopen(read_ours, "rb") as receive:
            yield Page(send, receive)
    finally:
        process.terminate()
        process.wait(10)
