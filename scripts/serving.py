"""A server of the tests and benchmarks, from its ready line to its end. For tests of your own there is `clients/python`."""

import json
import os
import re
import select
import signal
import subprocess
import time


class Died(Exception):
    """The process ended without being stopped, or never became ready."""


def port_of(url):
    return int(url.rpartition(":")[2])


def clean_environment():
    """The environment without the settings of an understudy."""
    return {name: text for name, text in os.environ.items() if not name.startswith("UNDERSTUDY_")}


class Serving:
    """A process that prints a ready line, such as `understudy serve`."""

    #: What `stop` sends, and the seconds until it kills the process.
    ending, patience = signal.SIGTERM, 30

    def __init__(self, *command, **options):
        self.launch(*command, **options)

    def launch(self, *command, errors=os.devnull, seconds=300, **options):
        """Starts it with options of `subprocess.Popen`, its standard error appended to a file, and waits for its ready line."""
        self.errors = errors
        with open(errors, "ab") as file:
            options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": file, **options}
            self.process = subprocess.Popen([str(word) for word in command], **options)
        # Not select: a test may hold thousands of connections, which have taken the small numbers. The limit only ends a hang.
        waiting = select.poll()
        waiting.register(self.process.stdout, select.POLLIN | select.POLLHUP)
        line = self.process.stdout.readline() if waiting.poll(seconds * 1000) else b""
        if not line:
            raise Died(f"the server did not start ({self.stop(0)}): {self.said()[-500:]}")
        self.ready = json.loads(line)
        self.hub, self.apis = self.ready["hub"], self.ready["apis"]
        self.port = port_of(self.hub)

    @property
    def pid(self):
        return self.process.pid

    def said(self):
        """What it has written to standard error."""
        with open(self.errors, encoding="utf-8", errors="replace") as file:
            return file.read()

    def find(self, pattern, seconds=120):
        """The group of the first match in what it says, which may be yet to come."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.said())):
            if time.monotonic() > end:
                raise AssertionError(f"it never says {pattern}: {self.said()[-500:]}")
            time.sleep(0.05)
        return found.group(1)

    def pairing_code(self):
        return self.find("#pair=([0-9a-f]{32})")

    def stop(self, number=None):
        """Ends the process by a signal, unless it has ended; returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(self.ending if number is None else number)
            try:
                self.process.wait(self.patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
