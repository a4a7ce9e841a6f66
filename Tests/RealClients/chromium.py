"""A headless Chromium behind a script for automatic proxy configuration, driven through a pipe by its own protocol."""

import json
import os
import select
import shutil
import subprocess
import time


def program():
    """The browser of this machine, or None."""
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


class Chromium:
    def __init__(self, script, home, user, password):
        self.user, self.password = user, password
        orders, self.orders = os.pipe()
        self.answers, answers = os.pipe()
        self.number, self.rest, self.events = 0, b"", []

        def place():
            """The browser reads 3 and writes 4."""
            inward, outward = os.dup(orders), os.dup(answers)
            os.dup2(inward, 3)
            os.dup2(outward, 4)

        words = [
            program(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
            "--disable-component-update", "--disable-dev-shm-usage", "--remote-debugging-pipe",
            # It would turn http:// into https:// where both are there.
            "--disable-features=HttpsUpgrades,HttpsFirstBalancedMode,HttpsFirstBalancedModeAutoEnable",
            "--user-data-dir=" + os.path.join(home, "chromium-" + user), "--proxy-pac-url=" + script, "about:blank",
        ]
        self.process = subprocess.Popen(
            words, env={**os.environ, "HOME": home}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=place,
        )
        os.close(orders)
        os.close(answers)
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Fetch.enable", handleAuthRequests=True)

    session = None

    def send(self, method, **parameters):
        self.number += 1
        order = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            order["sessionId"] = self.session
        os.write(self.orders, json.dumps(order).encode() + b"\0")
        return self.number

    def read(self, seconds=60):
        """The next message."""
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            if not select.select([self.answers], [], [], max(end - time.monotonic(), 0))[0]:
                raise AssertionError("the browser says nothing")
            piece = os.read(self.answers, 65_536)
            if not piece:
                raise AssertionError("the browser has ended")
            self.rest += piece
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def call(self, method, **parameters):
        number = self.send(method, **parameters)
        while True:
            message = self.read()
            if message.get("id") == number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                return message["result"]
            self.handle(message)

    def handle(self, message):
        """Lets requests go, and answers what asks for credentials."""
        identity = message.get("params", {}).get("requestId")
        if message.get("method") == "Fetch.requestPaused":
            self.send("Fetch.continueRequest", requestId=identity)
        elif message.get("method") == "Fetch.authRequired":
            assert message["params"]["authChallenge"]["source"] == "Proxy", message
            answer = {"response": "ProvideCredentials", "username": self.user, "password": self.password}
            self.send("Fetch.continueWithAuth", requestId=identity, authChallengeResponse=answer)
        elif "method" in message:
            self.events.append(message["method"])

    def text(self, url):
        """What a page shows."""
        self.events.clear()
        found = self.call("Page.navigate", url=url)
        if found.get("errorText"):
            return found["errorText"]
        while "Page.loadEventFired" not in self.events:
            self.handle(self.read())
        return self.call("Runtime.evaluate", expression="document.body.innerText")["result"]["value"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.orders)
        os.close(self.answers)
