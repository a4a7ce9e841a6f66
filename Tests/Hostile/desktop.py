"""A server in device mode on a machine of a network, and requests from the others."""

import json
import os
import shutil
import ssl
import tempfile
import time

from attack_tls import hello
from server import CLOCK
from serving import Serving, port_of
from session import require

TOKEN = "hostile-admin-token"
# A limit that only ends a hang.
PATIENCE = 120


def eventually(what, found):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = found()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError("%s does not come" % what)


class Reply:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def problem(self):
        return self.json["type"].rsplit("/", 1)[-1]


def receive(connection):
    """One answer of HTTP/1.1; nothing if the connection ends before its first byte."""
    data = b""
    while b"\r\n\r\n" not in data:
        try:
            piece = connection.recv(65536)
        except ConnectionError:
            piece = b""
        if not piece:
            require(not data, "the answer breaks off: %r" % data[:200])
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    status = int(lines[0].split()[1])
    length = int(fields.get("content-length", "0"))
    while len(body) < length:
        piece = connection.recv(65536)
        require(piece, "the answer breaks off")
        body += piece
    return Reply(status, fields, body)


class Desk(Serving):
    """`understudy serve` on a machine of the network, and calls from wherever one likes."""

    def __init__(self, session, network, *flags, token=TOKEN, quiet=False):
        self.network = network
        self.folder = tempfile.mkdtemp(prefix="understudy-hostile-")
        words = [session.binary, "serve", "--port", "0", "--ca", "ca", "--clock", "frozen:" + CLOCK, *flags]
        words += (["--admin-token", token] if token else []) + (["--quiet"] if quiet else [])
        self.launch(*words, cwd=self.folder, errors=os.path.join(self.folder, "stderr"), preexec_fn=network.desktop.enter)
        self.ports = {name: port_of(url) for name, url in self.apis.items()}

    def trust(self, pem=None):
        made = ssl.create_default_context()
        if pem:
            made.load_verify_locations(cadata=pem.decode())
        else:
            made.load_verify_locations(os.path.join(self.folder, "ca", "root.pem"))
        return made

    def connect(self, machine=None, host=None, port=None, source=None):
        machine = machine or self.network.phone
        host = host or ("127.0.0.1" if machine is self.network.desktop else self.network.DESKTOP)
        return machine.connect(host, port or self.port, source)

    def ask(self, method, path, body=None, machine=None, host=None, port=None, token=None, trust=None, name=None,
            fields=(), source=None, authority=None):
        """One request on a connection of its own; over TLS with what is trusted."""
        connection = self.connect(machine, host, port, source)
        shown = host or (self.network.DESKTOP if (machine or self.network.phone) is self.network.phone else "127.0.0.1")
        if trust:
            connection = trust.wrap_socket(connection, server_hostname=name or shown)
        with connection:
            send(connection, method, path, authority or "%s:%d" % (name or shown, port or self.port), body, token, fields)
            return receive(connection)

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder)


def send(connection, method, path, authority, body=None, token=None, fields=()):
    lines = ["%s %s HTTP/1.1" % (method, path), "Host: " + authority]
    content = b"" if body is None else json.dumps(body).encode()
    if body is not None:
        lines += ["Content-Type: application/json", "Content-Length: %d" % len(content)]
    if token:
        lines.append("Authorization: Bearer " + token)
    connection.sendall("\r\n".join([*lines, *fields, "", ""]).encode() + content)


def is_served(connection, server):
    """Tells whether a connection is answered; false if it was closed instead."""
    try:
        send(connection, "GET", "/__device/check", "%s:%d" % (server.network.DESKTOP, server.port))
        answer = receive(connection)
    except ConnectionError:
        return False
    return answer is not None and answer.status == 200


def begin(server, count, machine=None, host=None):
    """Begins handshakes on connections that are open already; returns how many were closed before an answer."""
    opened = [server.connect(machine, host) for _ in range(count)]
    first = hello(b"localhost")
    try:
        for one in opened:
            one.sendall(first)
        closed = 0
        for one in opened:
            try:
                closed += one.recv(1) == b""
            except ConnectionError:
                closed += 1
        return closed
    finally:
        for one in opened:
            one.close()


def codes(text):
    """The QR codes in what was printed, each as its lines."""
    found, lines = [], []
    for line in text.replace("\r", "").split("\n"):
        if line and set(line) <= set(" \u2580\u2584\u2588"):
            lines.append(line)
        elif lines:
            found.append(lines)
            lines = []
    return found + ([lines] if lines else [])
