"""The two servers: started on a core, checked with one request, stopped again."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))

from serving import Serving, clean_environment, port_of  # noqa: E402

from . import machine  # noqa: E402


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Reply:
    def __init__(self, status, fields, body, head):
        self.status, self.fields, self.body, self.head = status, fields, body, head


def read_reply(connection):
    """One answer with Content-Length."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            raise RuntimeError(f"the connection ended inside a head: {data[:200]!r}")
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]
    length = next((int(value) for name, value in fields if name.lower() == "content-length"), 0)
    while len(body) < length:
        body += connection.recv(65536)
    return Reply(int(lines[0].split()[1]), fields, body, head + b"\r\n\r\n")


class Server(Serving):
    """A server process, which runs in the `with` block. `port` is where the measured request goes."""

    patience = 2

    def __init__(self, name):
        self.name = name
        self.process = None
        self.port = 0
        #: Fields of the measured request in addition to Host.
        self.fields = []

    def start(self):
        """Starts it; returns the seconds from before fork to the ready line, or None if it has none."""
        raise NotImplementedError

    def __enter__(self):
        self.start()
        return self

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/api/v1/conversations"

    def request(self, method="GET", path="/api/v1/conversations", body=None, fields=None):
        """The bytes of a request, by default the measured one."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        lines += [f"{name}: {value}" for name, value in (self.fields if fields is None else fields)]
        content = b""
        if body is not None:
            content = json.dumps(body).encode()
            lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + content

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def ask(self, *arguments, **options):
        with self.connect() as connection:
            connection.sendall(self.request(*arguments, **options))
            return read_reply(connection)

    def check(self):
        """Checks the measured request once, since a load of refusals would measure something else."""
        reply = self.ask()
        if reply.status != 200:
            raise RuntimeError(f"{self.name} answers the measured request with {reply.status}: {reply.body[:300]!r}")
        return reply


class Understudy(Server):
    def __init__(self, program, journal_bytes=None, token=None, state=None, name="understudy", command=("serve",), log=None):
        super().__init__(name)
        self.command = command
        self.state = state
        #: The file that takes the access log; None for a server that writes none.
        self.log = log
        self.program = program
        self.journal_bytes = journal_bytes
        self.token = token
        self.fields = [("Authorization", f"Bearer {token}")] if token else []

    def start(self):
        command = [self.program, *self.command, "--port", "0"]
        if self.log is None:
            command.append("--quiet")
        if self.journal_bytes is not None:
            command += ["--journal-bytes", str(self.journal_bytes)]
        if self.state is not None:
            command += ["--state", self.state]
        environment = clean_environment()
        began = time.perf_counter()
        with machine.on_core(machine.SERVER_CORE):
            self.launch(*command, errors=self.log or os.devnull, env=environment, cwd="/")
        ready = time.perf_counter() - began
        self.port = port_of(self.apis["omnichat"])
        return ready

    def prepare(self):
        """Signs the documented user in and disables the limiter."""
        reply = self.ask("POST", "/api/v1/auth/apple", {"idToken": "mock_apple_token"}, fields=[])
        if reply.status != 200:
            raise RuntimeError(f"sign-in failed with {reply.status}: {reply.body[:300]!r}")
        answer = json.loads(reply.body)
        self.token = find(answer, "accessToken")
        self.fields = [("Authorization", f"Bearer {self.token}")]
        self.set({"omnichat": {"rateLimits": "off"}})
        return self.check()

    def set(self, settings):
        reply = self.ask("PUT", "/__admin/settings", settings, fields=[])
        if reply.status != 200:
            raise RuntimeError(f"the settings were refused with {reply.status}: {reply.body[:300]!r}")


def find(value, name):
    """Returns the first member of that name at any depth."""
    if isinstance(value, dict):
        if name in value:
            return value[name]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            found = find(item, name)
            if found is not None:
                return found
    return None


class Nginx(Server):
    """nginx with one process that returns the same bytes from its configuration."""

    #: Header fields that nginx adds itself.
    OWN_FIELDS = {"server", "date", "content-type", "content-length", "connection"}

    def __init__(self, work, model, fields):
        super().__init__("nginx")
        self.work = work
        self.model = model
        self.fields = fields
        self.program = shutil.which("nginx")

    def start(self):
        self.port = free_port()
        os.makedirs(self.work, exist_ok=True)
        path = os.path.join(self.work, "nginx.conf")
        with open(path, "w") as file:
            file.write(self._configuration())
        # One process, as the one worker it stands for; a master beside it would only have to be stopped too.
        with machine.on_core(machine.SERVER_CORE):
            self.process = subprocess.Popen(
                [self.program, "-p", self.work, "-c", path, "-e", "/dev/null"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        until = time.perf_counter() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return None
            except ConnectionRefusedError:
                if time.perf_counter() > until or self.process.poll() is not None:
                    raise RuntimeError("nginx did not start") from None

    def _configuration(self):
        def quoted(text):
            return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("$", "${dollar}") + "'"

        kinds = dict((name.lower(), value) for name, value in self.model.fields)
        headers = "\n".join(
            f"                add_header {name} {quoted(value)};"
            for name, value in self.model.fields
            if name.lower() not in self.OWN_FIELDS
        )
        user = "user root;" if os.geteuid() == 0 else ""
        temporary = "\n".join(
            f"    {kind}_temp_path {self.work}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        return f"""
daemon off; master_process off; worker_processes 1; worker_rlimit_nofile 65536; {user}
pid {self.work}/nginx.pid; error_log /dev/null;
events {{ worker_connections 16384; use epoll; }}
http {{
    access_log off; server_tokens off; tcp_nodelay on;
    keepalive_timeout 3600; keepalive_requests 1000000000;
{temporary}
    geo $dollar {{ default "$"; }}
    server {{
        listen 127.0.0.1:{self.port} backlog=4096;
        location = /api/v1/conversations {{
            default_type {quoted(kinds.get("content-type", "application/json"))};
{headers}
            return 200 {quoted(self.model.body.decode())};
        }}
    }}
}}
"""
