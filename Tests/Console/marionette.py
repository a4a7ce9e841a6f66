"""A stock Firefox, driven over its Marionette protocol; Playwright has only a Firefox of its own."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

PATH = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
PREFERENCES = """
user_pref("marionette.port", %d);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.startup.page", 0);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Firefox:
    """One headless Firefox with a profile of its own."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="console-firefox")
        port = free_port()
        with open(os.path.join(self.profile, "user.js"), "w", encoding="utf-8") as file:
            file.write(PREFERENCES % port)
        self.process = subprocess.Popen(
            [PATH, "--headless", "--marionette", "--no-remote", "--profile", self.profile, "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile, "MOZ_DISABLE_CONTENT_SANDBOX": "1"},
        )
        self.socket, self.last = self.connect(port), 0
        self.buffer = b""
        self.read()
        self.ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"timeouts": {"script": 60_000}}}})

    def connect(self, port):
        for _ in range(600):
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=120)
            except OSError:
                if self.process.poll() is not None:
                    raise AssertionError("Firefox ended with %s" % self.process.returncode)
                time.sleep(0.2)
        raise AssertionError("Firefox does not listen")

    def read(self):
        while b":" not in self.buffer:
            self.more()
        length, _, self.buffer = self.buffer.partition(b":")
        while len(self.buffer) < int(length):
            self.more()
        message, self.buffer = self.buffer[: int(length)], self.buffer[int(length) :]
        return json.loads(message)

    def more(self):
        part = self.socket.recv(65536)
        if not part:
            raise AssertionError("Firefox has closed the connection")
        self.buffer += part

    def ask(self, command, parameters):
        self.last += 1
        data = json.dumps([0, self.last, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(data), data))
        answer = self.read()
        if answer[2]:
            raise AssertionError("%s: %s" % (command, answer[2].get("message", answer[2])))
        return answer[3]

    def open(self, address):
        self.ask("WebDriver:Navigate", {"url": "about:blank"})
        self.ask("WebDriver:Navigate", {"url": address})

    def run(self, script):
        """What an expression yields in the page."""
        return self.ask("WebDriver:ExecuteScript", {"script": "return " + script, "args": []})["value"]

    def wait(self, script, seconds=60):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise AssertionError("never true in Firefox: %s\n%s" % (script, self.run("document.body.innerText.slice(0, 3000)")))
            time.sleep(0.1)

    def press(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("WebDriver:PerformActions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def stop(self):
        try:
            self.ask("Marionette:Quit", {"flags": ["eForceQuit"]})
        except (AssertionError, OSError):
            self.process.kill()
        self.process.wait(60)
        shutil.rmtree(self.profile, ignore_errors=True)
