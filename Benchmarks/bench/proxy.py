"""The forward proxy: requests in both forms, tunnels and the start (proxy contract, section 10)."""

import os
import socket
import statistics
import subprocess
import sys
import time

from . import load, machine, tls
from .own import alternating
from .servers import Understudy, port_of, read_reply

HOST = "api.example.com"
SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "wrk-absolute.lua")
FLAGS = ("--proxy", "--map", f"{HOST}=omnichat", "--unmapped", "refuse")
#: The clients that ask in turn, so that the server has more than one request at a time.
CLIENTS = 16

#: A peer of tunnels: it holds them, or sends without an end. Its first argument is the mode.
PEER = """
import socket, sys, threading
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(4096)
print(listener.getsockname()[1], flush=True)
block = bytes(1 << 20)
kept = []
def send(connection):
    try:
        while True:
            connection.sendall(block)
    except OSError:
        pass
while True:
    connection, _ = listener.accept()
    kept.append(connection)
    if sys.argv[1] == "send":
        threading.Thread(target=send, args=(connection,), daemon=True).start()
"""
#: The beginning of a ClientHello, which is all that a tunnel looks at.
HELLO = b"\x16\x03\x01\x00\x40\x01" + bytes(63)


class Peer:
    def __init__(self, mode):
        self.mode = mode

    def __enter__(self):
        with machine.on_core(machine.CLIENT_CORE):
            self.process = subprocess.Popen([sys.executable, "-c", PEER, self.mode], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Proxied(Understudy):
    """A server with a forward proxy; the measured request goes by way of it, in absolute form."""

    def __init__(self, program, *flags):
        super().__init__(program, name="understudy by the proxy", command=("serve", *FLAGS, *flags))

    @property
    def proxy(self):
        return port_of(self.ready["proxy"]["url"])

    @property
    def url(self):
        return f"http://127.0.0.1:{self.proxy}/api/v1/conversations"

    def connect_to(self, target, more=b""):
        """A connection by way of the proxy, with an open tunnel."""
        connection = socket.create_connection(("127.0.0.1", self.proxy), timeout=10)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode() + more)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            piece = connection.recv(1)
            if not piece:
                break
            head += piece
        if not head.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(f"CONNECT {target} is answered {head[:100]!r}")
        return connection

    def secure(self):
        return tls.CONTEXT.wrap_socket(self.connect_to(f"{HOST}:443"), server_hostname=HOST)


def cpu_of(server, action):
    """The server's CPU seconds while something is done."""
    before = machine.cpu_seconds(server.pid)
    with machine.on_core(machine.CLIENT_CORE):
        action()
    return machine.cpu_seconds(server.pid) - before


def asked(connect, request, count):
    """Requests by kept-alive connections in turn; the connections are there before."""
    connections = [connect() for _ in range(CLIENTS)]
    for connection in connections:
        connection.sendall(request)
    for connection in connections:
        read_reply(connection)

    def ask():
        for _ in range(count // CLIENTS):
            for connection in connections:
                connection.sendall(request)
            for connection in connections:
                if read_reply(connection).status != 200:
                    raise RuntimeError("the measured request was refused")

    def close():
        for connection in connections:
            connection.close()

    return ask, close


def throughput(program, folder, seconds):
    """MiB a second through one tunnel, and the share of the time that the server's core was busy."""
    with Peer("send") as peer, Proxied(program, "--ca", folder, "--tunnel", f"127.0.0.1:{peer.port}") as server:
        buffer = bytearray(1 << 20)
        got = 0
        with machine.on_core(machine.CLIENT_CORE), server.connect_to(f"127.0.0.1:{peer.port}", HELLO) as connection:
            connection.recv_into(buffer)
            began, cpu = time.perf_counter(), machine.cpu_seconds(server.pid)
            while time.perf_counter() - began < seconds:
                got += connection.recv_into(buffer)
            took, cpu = time.perf_counter() - began, machine.cpu_seconds(server.pid) - cpu
    return got / 1048576 / took, got / 1048576 / cpu, cpu / took


def idle_tunnels(program, folder, count):
    """Resident bytes of the process for each tunnel."""
    flags = ("--ca", folder, "--limit", f"tunnels={count + 50}")
    with Peer("hold") as peer, Proxied(program, *flags, "--tunnel", f"127.0.0.1:{peer.port}") as server:
        target = f"127.0.0.1:{peer.port}"
        held = [server.connect_to(target, HELLO) for _ in range(10)]
        time.sleep(0.2)
        before = machine.resident_bytes(server.pid)
        held += [server.connect_to(target, HELLO) for _ in range(count)]
        time.sleep(0.2)
        grown = machine.resident_bytes(server.pid) - before
        for connection in held:
            connection.close()
    return grown / count


def measure(program, folder, rounds, seconds, starts, count, idle):
    figures = {}
    folder = tls.fresh(folder)
    with Proxied(program, "--ca", folder) as server, tls.Secure(program, "--ca", folder) as secure:
        Understudy.prepare(server)
        secure.prepare()
        os.environ["TARGET"] = f"http://{HOST}/api/v1/conversations"
        plain = PlainPort(server)
        found = {name: [] for name in ("port", "absolute", "tls", "connect", "tls shake", "connect shake")}
        request = secure.request()
        inside = request.replace(f"127.0.0.1:{secure.port}".encode(), HOST.encode()).replace(secure.token.encode(), server.token.encode())
        for _ in range(rounds):
            found["port"].append(load.run(plain, 32, seconds).cpu_micros)
            found["absolute"].append(load.run(server, 32, seconds, SCRIPT).cpu_micros)
            for name, one, connect, sent in (("tls", secure, secure.connect, request), ("connect", server, server.secure, inside)):
                ask, close = asked(connect, sent, count)
                found[name].append(cpu_of(one, ask) * 1e6 / (count // CLIENTS * CLIENTS))
                close()
            for name, one, connect in (("tls shake", secure, secure.connect), ("connect shake", server, server.secure)):
                def shake(connect=connect):
                    for _ in range(count // 20):
                        connect().close()

                found[name].append(cpu_of(one, shake) * 1e6 / (count // 20))
        for name, values in found.items():
            figures[name] = statistics.median(values)
    figures["tunnel"], figures["tunnel core"], figures["tunnel busy"] = throughput(program, folder, max(seconds, 2))
    figures["idle"] = idle_tunnels(program, folder, idle)
    figures["start"], figures["start proxy"] = alternating(
        [lambda: Understudy(program), lambda: Proxied(program, "--ca", folder)], starts)
    return figures


class PlainPort:
    """The port of the API in the same process, for a load."""

    def __init__(self, server):
        self.name, self.fields, self.pid = server.name, server.fields, server.pid
        self.url = f"http://127.0.0.1:{server.port}/api/v1/conversations"
