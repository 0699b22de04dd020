# SPDX-License-Identifier: MIT
"""A real Chromium without a window, driven through its own debugging pipe: standard library only.

    with Browser() as browser:
        page = browser.open(path)
        page.value("document.title")
"""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_S = 120


def find_browser():
    """The first Chromium of this machine, or None."""
    return next((found for found in map(shutil.which, PROGRAMS) if found), None)


class Browser:
    """One browser process; messages are JSON with a zero byte behind each, on its descriptors 3 and 4."""

    def __enter__(self):
        self._profile = tempfile.mkdtemp(prefix="flowgauge_browser_")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def place_pipes():
            spare = os.dup(from_browser), os.dup(to_browser)
            os.dup2(spare[1], 3)
            os.dup2(spare[0], 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        command = [find_browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-extensions", "--disable-background-networking", "--hide-scrollbars", f"--user-data-dir={self._profile}",
                   "--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(command, preexec_fn=place_pipes, close_fds=False, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._rest, self._number, self.events = b"", 0, []
        return self

    def __exit__(self, *_):
        os.close(self._write)
        self._process.terminate()
        self._process.wait(timeout=PATIENCE_S)
        os.close(self._read)
        shutil.rmtree(self._profile, ignore_errors=True)

    def message(self):
        """The next message; events are kept as well."""
        end = time.monotonic() + PATIENCE_S
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            piece = os.read(self._read, 1 << 20)
            assert piece, "the browser has ended"
            self._rest += piece
        text, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            self.events.append(message)
        return message

    def ask(self, method, session=None, **parameters):
        """Calls a method of the protocol and waits for its result."""
        self._number += 1
        call = {"id": self._number, "method": method, "params": parameters}
        if session:
            call["sessionId"] = session
        os.write(self._write, json.dumps(call).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer}"
                return answer["result"]

    def open(self, path, width=1280, height=900):
        """A page with a file, loaded."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Network", "Log", "Runtime"):
            page.ask(f"{domain}.enable")
        page.resize(width, height)
        self.events.clear()
        page.ask("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.message()
        return page


class Page:
    def __init__(self, browser, session):
        self._browser, self._session = browser, session

    def ask(self, method, **parameters):
        return self._browser.ask(method, self._session, **parameters)

    def value(self, expression):
        """What a JavaScript expression gives."""
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def resize(self, width, height):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, kind="screen", scheme="light"):
        self.ask("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key, code):
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)
        if key == "Enter":
            self.ask("Input.dispatchKeyEvent", type="char", text="\r")

    def complaints(self):
        """Errors of the console and of scripts since the page was opened."""
        bad = []
        for event in self._browser.events:
            method, what = event["method"], event["params"]
            if method == "Runtime.exceptionThrown" or (method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning")):
                bad.append(what)
            if method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning"):
                bad.append(what)
        return bad

    def requests(self):
        """Addresses that the page has asked for."""
        return [event["params"]["request"]["url"] for event in self._browser.events if event["method"] == "Network.requestWillBeSent"]

    def picture(self, file):
        """The whole page as a PNG."""
        height = self.value("document.documentElement.scrollHeight")
        width = self.value("innerWidth")
        shot = self.ask("Page.captureScreenshot", captureBeyondViewport=True, clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
        pathlib.Path(file).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self):
        """The page as A4, as bytes."""
        return base64.b64decode(self.ask("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])
