"""Clients of TLS that are broken, slow or greedy (transport contract, sections 3, 4 and 7)."""

import contextlib
import os
import re
import socket
import ssl
import struct
import subprocess
import time

from server import Server
from serving import port_of
from session import MIB, require


def plain(port, timeout=30):
    connection = socket.create_connection(("127.0.0.1", port), timeout=timeout)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def extension(kind, content):
    return struct.pack(">HH", kind, len(content)) + content


def hello(name=None, versions=(0x0304, 0x0303), suites=(0x1301, 0x1302, 0x1303, 0xC02B), more=b"", random=bytes(32)):
    """The record of a first message; its key share is no point that anybody has, so that nothing follows."""
    extensions = b""
    if name is not None:
        entry = b"\0" + struct.pack(">H", len(name)) + name
        extensions += extension(0, struct.pack(">H", len(entry)) + entry)
    groups = struct.pack(">HHH", 4, 29, 23)
    extensions += extension(10, groups)
    signatures = struct.pack(">HHHH", 6, 0x0403, 0x0804, 0x0401)
    extensions += extension(13, signatures)
    listed = b"".join(struct.pack(">H", version) for version in versions)
    extensions += extension(43, bytes([len(listed)]) + listed)
    share = struct.pack(">HH", 29, 32) + b"\x09" + bytes(31)
    extensions += extension(51, struct.pack(">H", len(share)) + share)
    extensions += extension(45, b"\1\1") + more
    chosen = b"".join(struct.pack(">H", suite) for suite in suites)
    body = b"\3\3" + random + b"\0" + struct.pack(">H", len(chosen)) + chosen + b"\1\0"
    body += struct.pack(">H", len(extensions)) + extensions
    message = b"\1" + struct.pack(">I", len(body))[1:] + body
    return records(message)


def records(message, size=16384):
    pieces = [message[place:place + size] for place in range(0, len(message), size)]
    return b"".join(b"\x16\3\1" + struct.pack(">H", len(piece)) + piece for piece in pieces)


def read(connection, count=65536, timeout=30):
    """What comes until the end; empty for a reset."""
    connection.settimeout(timeout)
    got = b""
    try:
        while len(got) < count:
            piece = connection.recv(count - len(got))
            if not piece:
                break
            got += piece
    except (ConnectionError, socket.timeout):
        pass
    return got


def context(server, **settings):
    made = ssl.create_default_context(cafile=os.path.join(server.folder, "ca", "root.pem"))
    for name, value in settings.items():
        setattr(made, name, value)
    return made


def ask(server, name="localhost", trust=None, session=None):
    """One verified request; returns the status, the session, and whether one was resumed."""
    connection = plain(server.port)
    with (trust or context(server)).wrap_socket(connection, server_hostname=name, session=session) as secure:
        secure.sendall(b"GET /__admin/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = read(secure)
        # A closed connection has forgotten them.
        return int(answer.split(b" ", 2)[1]), secure.session, secure.session_reused


def is_served(server):
    status, _, _ = ask(server)
    require(status == 200, "a verified request is answered %d" % status)


def mixed(session, random):
    with Server(session.binary, "--tls", "on", "--ca", "ca") as server:
        port = server.port
        count = 1500 if session.is_long else 300

        def scan():
            for _ in range(count):
                kind = random.randrange(6)
                with plain(port) as connection, contextlib.suppress(ConnectionError, socket.timeout):
                    if kind == 0:
                        connection.sendall(random.randbytes(random.randrange(1, 600)))
                    elif kind == 1:
                        connection.sendall(hello(b"localhost")[:random.randrange(1, 250)])
                    elif kind == 2:
                        connection.sendall(b"GET /__admin/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        require(read(connection, 12) == b"HTTP/1.1 200", "plain HTTP is not answered")
                    elif kind == 3:
                        # One byte at a time, from one protocol or the other.
                        text = random.choice([hello(b"a.test"), b"GET / HTTP/1.1\r\n", random.randbytes(40)])
                        for byte in text[:60]:
                            connection.sendall(bytes([byte]))
                    elif kind == 4:
                        damaged = bytearray(hello(b"localhost"))
                        for _ in range(random.randrange(1, 8)):
                            damaged[random.randrange(len(damaged))] = random.randrange(256)
                        connection.sendall(damaged)
                    else:
                        is_served(server)
            is_served(server)

        session.holds("tls: %d clients of TLS, HTTP and noise, mixed" % count, server, scan, peak=100 * MIB)


def half(session, random):
    with Server(session.binary, "--tls", "on", "--ca", "ca", "--limit", "connections=600", "tls-handshake-seconds=2") as server:
        port = port_of(server.apis["trendy"])
        pieces = [hello(b"localhost")[:place] for place in (1, 5, 50, 200)] + [hello(b"localhost")]

        def attack():
            open_ones = []
            try:
                for number in range(700):
                    try:
                        connection = plain(port, timeout=5)
                        connection.sendall(pieces[number % len(pieces)])
                        open_ones.append(connection)
                    except OSError:
                        break
                # The hub has room of its own for control calls.
                require(server.call("GET", "/__admin/health").status == 200, "a control call is not answered")
                time.sleep(3)
                is_served(server)
            finally:
                for connection in open_ones:
                    connection.close()

        session.holds("tls: half handshakes until the limit", server, attack, peak=100 * MIB)
        with session.case("tls: each of them is reported, the last 256 in full"):
            state = server.call("GET", "/__admin/tls").json()
            failures = server.call("GET", "/__admin/tls/failures").json()["items"]
            require(state["handshakes"]["failed"] >= 500, "%d have failed" % state["handshakes"]["failed"])
            require(len(failures) == 256, "%d are kept" % len(failures))
            odd = {item["reason"] for item in failures} - {"timeout", "client-closed", "client-alert", "not-tls"}
            require(not odd, "the reasons are %s" % odd)


def messages(session, random):
    with Server(session.binary, "--tls", "on", "--ca", "ca") as server:
        port = server.port

        def long_hello():
            for size in (16 * 1024, 60 * 1024, 64 * 1024, 1 << 20):
                with plain(port) as connection, contextlib.suppress(OSError):
                    content = extension(21, bytes(min(size, 65000)))
                    first = hello(b"localhost", more=content)
                    if size > 65000:
                        # A message that says to be longer than any may be.
                        first = records(b"\1" + struct.pack(">I", size)[1:] + bytes(size))
                    connection.sendall(first)
                    read(connection, 4096, timeout=15)
            is_served(server)

        session.holds("tls: first messages of up to 1 MiB", server, long_hello, peak=60 * MIB)

        names = [
            b"a" * 63 + b".test", (b"a" * 60 + b".") * 4 + b"localhost", b"x" * 255, b"a\0b.localhost", b"LOCALHOST",
            b"localhost.", b"xn--bcher-kva.test", "b\u00fccher.test".encode(), b"127.0.0.1", b"[::1]", b"*.localhost",
            b"..localhost", b"-a.localhost", b" ", b"example.com", b"a" * 200 + b".local",
        ]

        def odd_names():
            for name in names:
                with plain(port) as connection:
                    connection.sendall(hello(name))
                    got = read(connection, 7, timeout=15)
                    require(not got or got[0] in (0x15, 0x16), "%r is answered %r" % (name, got[:20]))
            is_served(server)

        session.holds("tls: odd server names", server, odd_names, peak=60 * MIB)
        with session.case("tls: upper case and a trailing dot are the same name"):
            trust = context(server, check_hostname=False)
            for name in ("CheckOut.LocalHost", "checkout.localhost."):
                status, _, _ = ask(server, name, trust)
                require(status == 200, "%s is answered %d" % (name, status))
        with session.case("tls: names that the authority may not sign get the default certificate"):
            trust = context(server, check_hostname=False)
            connection = plain(port)
            with trust.wrap_socket(connection, server_hostname="example.com") as secure:
                found = [value for _, value in secure.getpeercert()["subjectAltName"]]
            require("localhost" in found and "example.com" not in found, "the names are %s" % found)


def new_names(session, random):
    with Server(session.binary, "--tls", "on", "--ca", "ca") as server:
        count = 10000 if session.is_long else 1500
        port = server.port

        def attack():
            # More than any client asks for in a minute, as fast as this one can.
            for number in range(count):
                with plain(port) as connection, contextlib.suppress(OSError):
                    connection.sendall(hello(b"n%d-%d.test" % (number, random.randrange(1 << 30))))
                    connection.recv(1)
            is_served(server)

        session.holds("tls: %d new names" % count, server, attack, peak=80 * MIB, tries=2)


def refusals(session, random):
    with Server(session.binary, "--tls", "on", "--ca", "ca") as server:
        port = server.port

        def alert(first):
            with plain(port) as connection:
                connection.sendall(first)
                got = read(connection, 7, timeout=15)
            return got

        with session.case("tls: SSL 3.0, TLS 1.0 and 1.1 are refused"):
            for version in (0x0300, 0x0301, 0x0302):
                got = alert(hello(b"localhost", versions=(version,)))
                require(got[:1] == b"\x15" and got[-1] in (70, 40, 86), "0x%x is answered %r" % (version, got))
        with session.case("tls: a fallback to TLS 1.2 of a client that speaks 1.3 is refused"):
            body = hello(b"localhost", versions=(0x0303,), suites=(0xC02B, 0x5600))
            got = alert(body)
            require(got[:1] == b"\x15" and got[-1] == 86, "answered %r" % got)
        with session.case("tls: an answer in TLS 1.2 tells a client of 1.3 that somebody has lowered the version"):
            with plain(port) as connection:
                connection.sendall(hello(b"localhost", versions=(0x0303,), suites=(0xC02B,)))
                got = read(connection, 43, timeout=15)
            require(got[:1] == b"\x16" and got[5:6] == b"\2" and got[35:43] == b"DOWNGRD\1", "answered %r" % got)
        with session.case("tls: suites without forward secrecy or authentication are refused"):
            for suites in ((0x002F,), (0x009C,), (0x0005,), (0xC013,), (0x1304,)):
                got = alert(hello(b"localhost", versions=(0x0303,), suites=suites))
                require(got[:1] == b"\x15", "%s is answered %r" % (suites, got[:20]))
        with session.case("tls: early data is not taken"):
            trust = context(server, minimum_version=ssl.TLSVersion.TLSv1_3)
            _, ticket, _ = ask(server, trust=trust)
            require(ticket is not None and ticket.has_ticket, "no ticket came")
            # An offer of early data with a ticket of nobody's; what follows is skipped or refused, never answered.
            binder = b"\0\x21\x20" + bytes(32)
            identity = b"\0\x0a" + bytes(6) + struct.pack(">I", 0) + b""
            shared = extension(42, b"") + extension(41, struct.pack(">H", len(identity)) + identity + binder)
            got = alert(hello(b"localhost", more=shared) + b"\x17\3\3\0\x20" + b"GET / HTTP/1.1\r\nHost: a\r\n\r\n".ljust(32))
            require(b"HTTP/1.1" not in got, "early data was answered")
            # OpenSSL's client sends none where the ticket allows none.
            saved, early = (os.path.join(server.folder, name) for name in ("session.pem", "early"))
            with open(early, "w") as file:
                file.write("GET /__admin/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            # A client that reads an answer has read the tickets before it; one that only waits does not always look at them.
            said = s_client(
                port, "-tls1_3", "-sess_out", saved,
                line="GET /__admin/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r",
            )
            require("Post-Handshake New Session Ticket arrived" in said, "no ticket in %r" % said[-400:])
            kept = subprocess.run(["openssl", "sess_id", "-in", saved, "-noout", "-text"], capture_output=True, text=True).stdout
            require(re.search(r"Max Early Data: 0\b", kept), "the ticket says %r" % kept[-400:])
            again = s_client(port, "-tls1_3", "-sess_in", saved, "-early_data", early)
            require("Reused, TLSv1.3" in again and "Early data was accepted" not in again, "it says %r" % again[-400:])
        with session.case("tls: renegotiation is refused, and a client's certificate is not asked for"):
            trust = context(server, maximum_version=ssl.TLSVersion.TLSv1_2)
            connection = plain(port)
            with trust.wrap_socket(connection, server_hostname="localhost") as secure:
                require(secure.version() == "TLSv1.2", "the version is %s" % secure.version())
                require(secure.cipher()[0].startswith("ECDHE-ECDSA"), "the cipher is %s" % (secure.cipher(),))
                require(secure.compression() is None, "there is compression")
            said = s_client(port, "-tls1_2", line="R")
            require("no renegotiation" in said, "renegotiation says %r" % said[-300:])
        with session.case("tls: a client's certificate is not asked for, and taken as it is where a name asks for it"):
            folder = server.folder
            for name, subject in (("one", "/CN=<script>alert(1)<\\/script>"), ("two", "/CN=" + "x" * 60 + "/O=\u0661\u202e")):
                subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                                "-utf8", "-days", "1", "-subj", subject, "-keyout", folder + "/%s.key" % name,
                                "-out", folder + "/%s.pem" % name], check=True, capture_output=True)
            with open(folder + "/one.pem") as file:
                one = file.read()
            # A chain of 40 KiB, of a certificate that has nothing to do with its parents.
            with open(folder + "/long.pem", "w") as file:
                file.write(one * (40 * 1024 // len(ssl.PEM_cert_to_DER_cert(one))))
            for name, key in (("one", "one"), ("two", "two"), ("long", "one")):
                trust = context(server)
                trust.load_cert_chain(folder + "/%s.pem" % name, folder + "/%s.key" % key)
                require(ask(server, "localhost", trust)[0] == 200, "a client with a certificate is refused")
                require(ask(server, "client-certificate.bad.localhost", trust)[0] == 200, "the certificate %s is refused" % name)
            require(server.call("GET", "/__admin/tls/failures").status == 200, "the failures are not told")
        with session.case("tls: a session is resumed, and one of another server is not"):
            trust = context(server)
            _, first, _ = ask(server, trust=trust)
            _, second, is_resumed = ask(server, trust=trust, session=first)
            require(is_resumed, "the session is not resumed")
            with Server(session.binary, "--tls", "on", "--ca", os.path.join(server.folder, "ca")) as other:
                connection = plain(other.port)
                with trust.wrap_socket(connection, server_hostname="localhost", session=second) as secure:
                    require(not secure.session_reused, "another process takes the ticket")
        with session.case("tls: nothing that is told holds a private key"):
            folder = os.path.join(server.folder, "ca")
            secrets = []
            for name in ("issuer.key", "leaf.key"):
                with open(os.path.join(folder, name)) as file:
                    secrets += [line for line in file.read().split("\n") if len(line) > 40]
            told = server.said().encode()
            for path in ("tls", "tls/failures", "requests", "requests.har", "state", "metrics", "ca.pem", "ca.crt",
                         "ca.mobileconfig", "openapi.json", "connection-faults"):
                told += server.call("GET", "/__admin/" + path).body
            require(not any(secret.encode() in told for secret in secrets), "a key is told")
            require(b"PRIVATE KEY" not in told, "a key is told")
        is_served(server)


def s_client(port, *words, until="Verify return code", line="Q"):
    """What OpenSSL's own client says; it gets that line once it has said something: `R` asks for another handshake."""
    client = subprocess.Popen(
        ["openssl", "s_client", "-connect", "127.0.0.1:%d" % port, "-servername", "localhost", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    said = b""
    while until.encode() not in said:
        piece = client.stdout.read1(65536)
        if not piece:
            break
        said += piece
    client.stdin.write(line.encode() + b"\n")
    client.stdin.flush()
    # A client that is not refused ends with the server's patience for idle connections.
    rest = client.stdout.read()
    client.stdin.close()
    client.wait()
    return (said + rest).decode(errors="replace")


def faults(session, random):
    with Server(session.binary, "--tls", "on", "--ca", "ca", "--limit", "tls-handshake-seconds=2") as server:
        with session.case("tls: a thousand connection faults, and no more"):
            for number in range(1000):
                fault = {"match": {"sni": "x%d.test" % number}, "effect": {"handshake": "reset"}}
                server.call("POST", "/__admin/connection-faults", fault, expect=201)
            server.call("POST", "/__admin/connection-faults", {"effect": {"handshake": "reset"}}, expect=409)
        port = port_of(server.apis["trendy"])

        def stalled():
            server.call("DELETE", "/__admin/connection-faults")
            server.call("POST", "/__admin/connection-faults", {"effect": {"handshake": "stall"}})
            waiting = []
            try:
                for _ in range(500):
                    connection = plain(port)
                    connection.sendall(hello(b"localhost"))
                    waiting.append(connection)
                is_served(server)
                ends = [read(connection, 10, timeout=20) for connection in waiting]
                require(not any(ends), "a stalled handshake is answered")
            finally:
                for connection in waiting:
                    connection.close()
                server.call("DELETE", "/__admin/connection-faults")

        session.holds("tls: 500 stalled handshakes", server, stalled, peak=60 * MIB)


def run(session, random, deadline, clock):
    for attack in (mixed, half, messages, new_names, refusals, faults):
        attack(session, random)
