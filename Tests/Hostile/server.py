"""A server under attack: its process, its memory, and the waits of another connection meanwhile."""

import contextlib
import http.client
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../scripts"))

from serving import Died, Serving  # noqa: E402

CLOCK = "2025-01-01T12:00:00Z"


@contextlib.contextmanager
def apis(files):
    """A folder of custom APIs with these files."""
    with tempfile.TemporaryDirectory(prefix="understudy-hostile-apis-") as place:
        for name, content in files.items():
            path = os.path.join(place, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                json.dump(content, file)
        yield place


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        return json.loads(self.body)


class Server(Serving):
    """A running `understudy serve` on free ports, with a folder of its own, which goes with the `with` block."""

    ending = signal.SIGINT

    def __init__(self, binary, *flags, folder=None, clock="frozen:" + CLOCK, limits=None, admin_token=None, env=None):
        self.binary = binary
        self.folder = folder or tempfile.mkdtemp(prefix="understudy-hostile-")
        self.flags = list(flags)
        self.clock = clock
        self.admin_token = admin_token
        self.limits = limits
        self.env = env
        self.start()

    def start(self):
        command = [self.binary, "serve", "--port", "0", "--quiet", "--clock", self.clock] + self.flags
        if self.admin_token:
            command += ["--admin-token", self.admin_token]
        began = time.monotonic()
        self.launch(
            *command, cwd=self.folder, errors=os.path.join(self.folder, "stderr"), preexec_fn=self.limits,
            env=dict(os.environ, **(self.env or {})),
        )
        self.start_time = time.monotonic() - began

    def check(self):
        """Raises if the process is gone."""
        code = self.process.poll()
        if code is not None:
            raise Died("the process ended with %s: %s" % (code, self.said()[-400:]))

    def call(self, method, target, body=None, headers=None, base=None, timeout=60, expect=None):
        """One request on a connection of its own; an answer of another status than is expected fails the case."""
        address = urllib.parse.urlsplit(base or self.hub)
        headers = dict(headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body, separators=(",", ":")).encode()
            headers.setdefault("Content-Type", "application/json")
        if self.admin_token and "/__admin" in target:
            headers.setdefault("Authorization", "Bearer " + self.admin_token)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=timeout)
        try:
            connection.request(method, target, body=body, headers=headers)
            reply = connection.getresponse()
            answer = Answer(reply.status, reply.getheaders(), reply.read())
        except (ConnectionError, http.client.HTTPException, socket.timeout, OSError):
            time.sleep(0.05)
            self.check()
            raise
        finally:
            connection.close()
        if expect and answer.status not in ([expect] if isinstance(expect, int) else expect):
            raise AssertionError("%s %s with %s answers %d, not %s: %s" % (
                method, target[:200], headers, answer.status, expect, answer.body[:300]))
        return answer

    def token(self, api, user, kind="access", **members):
        order = dict(members, api=api, user=user, kind=kind)
        return self.call("POST", "/__admin/tokens", order, expect=(200, 201)).json()["token"]

    def memory(self):
        """Resident and peak bytes."""
        values = {}
        with open("/proc/%d/status" % self.process.pid) as file:
            for line in file:
                name, _, rest = line.partition(":")
                if name in ("VmRSS", "VmHWM"):
                    values[name] = int(rest.split()[0]) * 1024
        return values.get("VmRSS", 0), values.get("VmHWM", 0)

    def forget_peak(self):
        try:
            with open("/proc/%d/clear_refs" % self.process.pid, "w") as file:
                file.write("5")
        except OSError:
            pass

    def kill(self):
        self.stop(signal.SIGKILL)

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __exit__(self, *_):
        self.remove()


class Probe:
    """Asks `health` every 5 ms from a process of its own and keeps the longest wait."""

    def __init__(self, server):
        arguments = [sys.executable, os.path.join(HERE, "probe.py"), server.hub]
        if server.admin_token:
            arguments.append(server.admin_token)
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def _ask(self, word, timeout=120):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        # Not select: thousands of connections may have taken the small numbers.
        waiting = select.poll()
        waiting.register(self.process.stdout, select.POLLIN | select.POLLHUP)
        if not waiting.poll(timeout * 1000):
            raise Died("the probe has no answer for %s s" % timeout)
        return json.loads(self.process.stdout.readline())

    def begin(self):
        self._ask("begin")

    def longest(self):
        """Milliseconds of the longest wait since `begin`, the one under way included."""
        return self._ask("report")["longest"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Upstream:
    """A backend that keeps every byte of each request. `/late` answers after a while, `/silent` never."""

    def __init__(self):
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(1024)
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        self.lock = threading.Lock()
        self.requests = []
        self.answers = {}
        self.open = 0
        self.closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with self.lock:
            self.open += 1
        try:
            buffer = b""
            while True:
                while b"\r\n\r\n" not in buffer:
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    buffer += piece
                head, _, rest = buffer.partition(b"\r\n\r\n")
                fields = {}
                for line in head.split(b"\r\n")[1:]:
                    name, _, value = line.partition(b":")
                    fields[name.strip().lower()] = value.strip()
                if b"chunked" in fields.get(b"transfer-encoding", b""):
                    body = b""
                    while True:
                        while b"\r\n" not in rest:
                            rest += self._more(connection)
                        size, _, rest = rest.partition(b"\r\n")
                        count = int(size.split(b";")[0], 16)
                        while len(rest) < count + 2:
                            rest += self._more(connection)
                        body += rest[:count]
                        rest = rest[count + 2:]
                        if count == 0:
                            break
                else:
                    length = int(fields.get(b"content-length", b"0"))
                    while len(rest) < length:
                        rest += self._more(connection)
                    body, rest = rest[:length], rest[length:]
                buffer = rest
                with self.lock:
                    self.requests.append((head, body))
                target = head.split(b" ", 2)[1]
                if b"/silent" in target:
                    while connection.recv(65536):
                        pass
                    return
                if b"/late" in target:
                    time.sleep(1.5)
                status, extra, content = self.answers.get(target, (200, b"", b"{}"))
                connection.sendall(
                    b"HTTP/1.1 %d OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s"
                    % (status, len(content), extra, content)
                )
        except (OSError, EOFError, ValueError):
            pass
        finally:
            connection.close()
            with self.lock:
                self.open -= 1

    @staticmethod
    def _more(connection):
        piece = connection.recv(65536)
        if not piece:
            raise EOFError
        return piece

    def take(self):
        with self.lock:
            taken, self.requests = self.requests, []
        return taken

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
