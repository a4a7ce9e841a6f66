"""The forward proxy: ways around its refusals, clients that are slow, half-open or lie, and floods (proxy contract)."""

import base64
import contextlib
import json
import socket
import ssl
import struct
import threading
import time
import weakref

import attack_upstream
from attack_tls import hello, plain
from server import Server, Upstream
from serving import port_of
from session import MIB, require

MAPPED = "api.example.com"
LINGER = struct.pack("ii", 1, 0)


class Proxied(Server):
    """A server whose proxy answers for `api.example.com`."""

    def __init__(self, binary, *flags, unmapped="refuse", **options):
        super().__init__(
            binary, "--proxy", "--ca", "ca", "--map", MAPPED + "=omnichat", "*.shop.example=trendy", "--unmapped", unmapped,
            *flags, **options,
        )

    @property
    def proxy(self):
        return port_of(self.ready["proxy"]["url"])


class Reply:
    def __init__(self, head, content):
        self.head, self.content = head, content
        self.status = int(head[9:12]) if head[:9] in (b"HTTP/1.1 ", b"HTTP/1.0 ") else 0
        self.fields = {}
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            self.fields[name.strip().lower()] = value.strip()

    @property
    def slug(self):
        try:
            return json.loads(self.content)["type"].rpartition("/")[2]
        except (ValueError, KeyError, TypeError):
            return ""

    def __str__(self):
        return "%d %s" % (self.status, self.slug)


#: What was read of a connection beyond the last response.
rests = weakref.WeakKeyDictionary()


def reply(connection, timeout=20, is_connect=False):
    """The next response of a connection; status 0 where it ends before one is whole."""
    connection.settimeout(timeout)
    got = rests.pop(connection, b"")
    with contextlib.suppress(ConnectionError, socket.timeout):
        while b"\r\n\r\n" not in got:
            # Behind a CONNECT nothing is taken that is meant for TLS.
            piece = connection.recv(1 if is_connect else 65536)
            if not piece:
                return Reply(b"", got)
            got += piece
        head, _, got = got.partition(b"\r\n\r\n")
        found = Reply(head, b"")
        length = 0 if is_connect and found.status == 200 else int(found.fields.get(b"content-length", b"0"))
        while len(got) < length:
            piece = connection.recv(65536)
            if not piece:
                break
            got += piece
        found.content = got[:length]
        if got[length:]:
            rests[connection] = got[length:]
        return found
    return Reply(b"", got)


def ask(port, text, timeout=20):
    """One request on a connection of its own; line ends of the text become CRLF."""
    data = text if isinstance(text, bytes) else text.replace("\n", "\r\n").encode()
    with plain(port, timeout) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(data)
        return reply(connection, timeout, data.startswith(b"CONNECT"))


def connect(port, target, more=b"", timeout=20):
    """An open tunnel, or None with the refusal."""
    connection = plain(port, timeout)
    connection.sendall(("CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (target, target)).encode() + more)
    found = reply(connection, timeout, True)
    if found.status == 200:
        return connection, found
    connection.close()
    return None, found


class Listener:
    """A server of nobody's that counts who comes, and does with each connection what it is told."""

    def __init__(self, host="127.0.0.1", port=0, serve=None, backlog=1024):
        self.listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.listener.bind((host, port))
        except OSError:
            self.listener.close()
            raise
        self.listener.listen(backlog)
        self.port = self.listener.getsockname()[1]
        self.serve = serve
        self.count = 0
        self.kept = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.count += 1
            self.kept.append(connection)
            if self.serve:
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError):
            self.serve(connection)

    def __enter__(self):
        return self

    def close(self):
        # A thread that waits in accept would keep it open.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def __exit__(self, *_):
        self.close()
        for connection in self.kept:
            connection.close()


def wait_for(condition, what, seconds=15):
    end = time.monotonic() + seconds
    while not condition():
        require(time.monotonic() < end, "not within %d s: %s" % (seconds, what))
        time.sleep(0.05)


def mapped_is_served(server):
    found = ask(server.proxy, "GET http://%s/api/v1/conversations HTTP/1.1\nHost: %s\n\n" % (MAPPED, MAPPED))
    require(found.status == 401, "a mapped host is answered %s" % found)


# Spellings of addresses that have to be refused as numbers (400) or by their address (403).
NUMBERS = [
    "2130706433", "0x7f000001", "0X7F000001", "017700000001", "127.1", "127.0.1", "0x7f.1", "0x7f.0.0.1", "0177.0.0.1",
    "127.0.0.01", "127.0.0.0x1", "127.0.0.1.", "127.0.0.1..", "127.0.0.256", "127.0.0.1.1", "00127.0.0.1", "0", "0x0", "0x",
    "4294967297", "3232235521", "169.254.43518", "0251.0376.0251.0376", "0xa9fea9fe", "a.example.1", "a.0x1", "127.0.0.1%00",
    "%31%32%37.0.0.1", "127%2e0.0.1", "127.0.0.1%2f.example", "\u0661\u0662\u0667.0.0.1", "\uff11\uff12\uff17.0.0.1", "127\u30020\u30020\u30021",
    "[::1%25lo]", "[::1%lo]", "[fe80::1%25eth0]", "[::1]x", "[::1", "::1", "[1.2.3.4::]", "[::1.2.3]", "[::01.2.3.4]", "[:::1]", "[1::2::3]",
    "[::12345]", "[v1.a]", "[]", "[::+1]", "[::-1]", "[::127.0.0.1.]", "[::1 ]", "a..example", "-a.example", ".a.example", "a b.example",
    "b\u00fccher.example", "*.example.com", "a\\.example", "a,b.example", "a;b.example", "'a.example'", "(a.example)",
]
ADDRESSES = [
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1",
    "169.254.0.1", "169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "192.88.99.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::0:1]", "[::0.0.0.1]",
    "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[::FFFF:7F00:1]", "[0:0:0:0:0:ffff:7f00:0001]", "[::ffff:0:127.0.0.1]", "[::ffff:0.0.0.0]",
    "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::7f00:1]", "[64:FF9B::C0A8:1]",
    "[2002:7f00:1::]", "[2002:a00:1::1]", "[2002:a9fe:a9fe::]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[fe80::5efe:127.0.0.1]",
    "[2001:db8::5efe:10.0.0.1]", "[2001:db8::200:5efe:7f00:1]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[fc00::1]", "[fdff::1]",
    "[fd00:ec2::254]", "[fd20:ce::254]", "[fd00:42::42]", "[fd00:c1::a9fe:a9fe]", "[ff02::1]", "[ff0e::1]", "[100::1]",
    "[::ffff:169.254.169.254]", "[::ffff:10.1.2.3]", "[::ffff:192.168.1.1]", "[::ffff:100.64.0.1]", "[::169.254.169.254]",
    "localhost", "LOCALHOST", "localhost.", "a.localhost", "A.b.LocalHost.",
]


def addresses(session, random):
    with contextlib.ExitStack() as stack:
        doors, note = [], ""
        for host in ("127.0.0.1", "::1", "0.0.0.0"):
            for port in (80, 443):
                # Only some users may listen there; a machine may have no IPv6.
                with contextlib.suppress(OSError):
                    doors.append(stack.enter_context(Listener(host, port)))
        note = "" if doors else "nobody could listen on 80 and 443"
        server = stack.enter_context(Proxied(session.binary, unmapped="tunnel"))
        names = [socket.gethostname()]
        forms = [
            ("CONNECT %s:443 HTTP/1.1\nHost: a.example\n\n", 443), ("CONNECT %s:80 HTTP/1.0\n\n", 80),
            ("GET http://%s/ HTTP/1.1\nHost: a.example\n\n", 80), ("GET http://%s:443/ HTTP/1.1\nHost: a.example\n\n", 443),
            ("GET http://%s:/ HTTP/1.0\n\n", 80),
        ]
        with session.case("proxy: no spelling of an address leads to this machine or its networks") as row:
            row["note"] = note
            for hosts, status, slugs in ((NUMBERS, 400, None), (ADDRESSES, 403, ("forbidden-address",)), (names, 403, ("forbidden-address",))):
                for host in hosts:
                    for form, _ in forms:
                        found = ask(server.proxy, form % host)
                        require(found.status == status and (not slugs or found.slug in slugs), "%s: %s" % ((form % host).strip(), found))
                        require(int(found.fields.get(b"content-length", b"0")) == len(found.content) > 0, "%s: no whole answer" % host)
            require(all(door.count == 0 for door in doors), "somebody was connected to")
        with session.case("proxy: only ports 80 and 443, in one spelling"):
            for port, status in (
                ("0", 400), ("65536", 400), ("65979", 400), ("+443", 400), ("-1", 400), (" 443", 400), ("443 ", 400), ("0x1bb", 400), ("4\u0664", 400),
                ("443:443", 400), ("443/", 400), ("", 400), ("1", 403), ("22", 403), ("79", 403), ("81", 403), ("442", 403), ("444", 403), ("8080", 403),
                ("65535", 403), ("00022", 403), (str(server.port), 403), ("443@22", 400), ("443#", 400), ("443?", 400), ("99999999999999999999443", 400),
            ):
                found = ask(server.proxy, "CONNECT a.example:%s HTTP/1.1\nHost: a.example\n\n" % port)
                require(found.status == status, "port %r is answered %s" % (port, found))
                require(status == 400 or found.slug == "forbidden-port", "port %r is answered %s" % (port, found))
        with session.case("proxy: no target with user, fragment, other scheme or without a host"):
            for target in (
                "http://u@a.example/", "http://u:p@a.example/", "http://@a.example/", "http://a.example@127.0.0.1/", "http://a.example%40b/",
                "http:///etc/passwd", "http://", "http:a.example", "http:/a.example", "ftp://a.example/", "file:///etc/passwd",
                "https//a.example", "ws://a.example/", "gopher://127.0.0.1/", "http://a.example#/", "http://a.example\\@127.0.0.1/",
                "http://[::1", "//a.example/", "a.example", "a.example:443", "http://:80/", "http://?a", "unix:///run/x.sock",
            ):
                found = ask(server.proxy, "GET %s HTTP/1.1\nHost: a.example\n\n" % target)
                # What begins with a slash is a path of this port.
                expected = (404,) if target.startswith("/") else (400, 501)
                require(found.status in expected, "%s is answered %s" % (target, found))
            require(all(door.count == 0 for door in doors), "somebody was connected to")


def named_addresses(session, random):
    """What `--tunnel` allows, and nothing beside it."""
    with Listener() as door, Upstream() as upstream:
        port = port_of(upstream.url)
        flags = ["--tunnel", "127.0.0.1:%d" % door.port, "named.example:%d" % door.port, "*.star.example:%d" % door.port,
                 "127.0.0.1:%d" % port, "169.254.169.254:%d" % door.port, "vm:%d" % door.port]
        with Proxied(session.binary, *flags) as server:
            with session.case("proxy: a named address of this machine opens no other one and no other port"):
                for target, slug in (
                    ("127.0.0.2:%d" % door.port, "unmapped-host"), ("localhost:%d" % door.port, "unmapped-host"),
                    ("[::1]:%d" % door.port, "unmapped-host"), ("[::ffff:127.0.0.1]:%d" % door.port, "unmapped-host"),
                    ("127.0.0.1:%d" % (door.port - 1), "forbidden-port"), ("127.0.0.1:443", "forbidden-port"),
                    ("169.254.169.254:%d" % door.port, "forbidden-address"), ("vm:%d" % door.port, None),
                    ("star.example:%d" % door.port, "unmapped-host"),
                ):
                    connection, found = connect(server.proxy, target)
                    if connection:
                        connection.close()
                    require(found.status in (403, 502), "%s is answered %s" % (target, found))
                    require(slug is None or found.slug == slug, "%s is answered %s" % (target, found))
                require(door.count == 0, "somebody was connected to")
            with session.case("proxy: a redirect is passed on, and nobody follows it"):
                upstream.answers[b"/go"] = (302, b"Location: http://127.0.0.1:%d/\r\n" % door.port, b"")
                found = ask(server.proxy, "GET %s/go HTTP/1.1\nHost: a\n\n" % upstream.url)
                require(found.status == 302 and found.fields[b"location"].endswith(b":%d/" % door.port), "answered %s" % found)
                require(len(upstream.take()) == 1 and door.count == 0, "somebody followed it")


def own_ports(session, random):
    with Proxied(session.binary, unmapped="tunnel", admin_token="adm1n-t0ken-of-the-hub") as server:
        ports = [server.port] + [port_of(url) for url in server.apis.values()]
        with session.case("proxy: its own port is never reached by way of itself"):
            for host in ("localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "[0:0::1]"):
                for form in ("CONNECT %s:%d HTTP/1.1\nHost: a\n\n", "GET http://%s:%d/ HTTP/1.1\nHost: a\n\n", "GET https://%s:%d/__proxy.pac HTTP/1.1\nHost: a\n\n"):
                    found = ask(server.proxy, form % (host, server.proxy))
                    require(str(found) == "403 proxy-loop", "%s is answered %s" % (form % (host, server.proxy), found))
            for host in ("[::ffff:127.0.0.1]", "[::127.0.0.1]", "0.0.0.0", "[::]", "[64:ff9b::7f00:1]", socket.gethostname()):
                for port in [server.proxy] + ports:
                    found = ask(server.proxy, "CONNECT %s:%d HTTP/1.1\nHost: a\n\n" % (host, port))
                    require(found.status == 403, "%s:%d is answered %s" % (host, port, found))
        with session.case("proxy: the hub by way of the proxy asks for all that it asks for itself"):
            own = "localhost:%d" % server.port
            bearer = "Authorization: Bearer adm1n-t0ken-of-the-hub\n"
            token = "Proxy-" + bearer
            basic = "Proxy-Authorization: Basic %s\n" % base64.b64encode(b"main:adm1n-t0ken-of-the-hub").decode()
            for fields, status in (
                ("", 401), (token, 401), (basic, 401), (bearer, 200), (bearer + "Origin: http://evil.example\n", 403),
                (bearer + "Origin: null\n", 403), (bearer + "Sec-Fetch-Site: cross-site\n", 403),
            ):
                for through in (False, True):
                    if through:
                        connection, found = connect(server.proxy, own)
                        require(connection, "CONNECT %s is answered %s" % (own, found))
                        with connection:
                            connection.sendall(("GET /__admin/faults HTTP/1.1\nHost: %s\n%s\n" % (own, fields)).replace("\n", "\r\n").encode())
                            found = reply(connection)
                    else:
                        found = ask(server.proxy, "GET http://%s/__admin/faults HTTP/1.1\nHost: evil.example\n%s\n" % (own, fields))
                    direct = ask(server.port, "GET /__admin/faults HTTP/1.1\nHost: %s\n%s\n" % (own, fields))
                    require(found.status == direct.status == status, "%r is answered %s, and %s directly" % (fields, found, direct))
            # Rebinding: a name that leads here is no name of ours.
            for host in ("evil.example", socket.gethostname(), "localhost.evil.example"):
                found = ask(server.proxy, "GET http://%s:%d/__admin/faults HTTP/1.1\nHost: %s\n%s\n" % (host, server.port, own, bearer))
                require(found.status == 403, "%s is answered %s" % (host, found))
        with session.case("proxy: no control call under a mapped host, in any spelling"):
            bearer = "Authorization: Bearer adm1n-t0ken-of-the-hub\n"
            for path in ("/__admin/faults", "/%5F_admin/faults", "/%5f%5fadmin/faults", "/@main/__admin/faults", "/%40main/__admin/faults",
                         "/./__admin/faults", "/a/../__admin/faults", "//__admin/faults", "/__admin", "/__admin/", "/__ADMIN/faults", "/__admin;a/faults"):
                for asked in ("GET http://%s%s HTTP/1.1\nHost: localhost\n%s\n" % (MAPPED, path, bearer),
                              "GET http://%s%s HTTP/1.1\nHost: %s\n%s\n" % (MAPPED, path, MAPPED, bearer)):
                    found = ask(server.proxy, asked)
                    require(found.status in (400, 401, 404, 421) and b"items" not in found.content, "%s is answered %s" % (path, found))
        with session.case("proxy: origin form is answered by two pages, whatever its Host"):
            for host in (MAPPED, "a.example", "localhost", "127.0.0.1", own, "evil.example", "[::1]", "x.shop.example"):
                for path in ("/", "/api/v1/conversations", "/__admin/faults", "/@main/", "/__proxy.pac/x", "/__proxy.PAC"):
                    found = ask(server.proxy, "GET %s HTTP/1.1\nHost: %s\n%s\n" % (path, host, bearer))
                    require(found.status == 404, "%s under %s is answered %s" % (path, host, found))
            for host, status in (("127.0.0.1", 200), ("localhost", 200), ("[::1]:9", 200), ("evil.example", 421), (MAPPED, 421),
                                 ('127.0.0.1";alert(1)//', 400), ("127.0.0.1.evil.example", 421), ("127.1", 421), ("a@localhost", 400)):
                found = ask(server.proxy, "GET /__proxy.pac HTTP/1.1\nHost: %s\n\n" % host)
                require(found.status in (status, 400 if status == 421 else status), "the script under %s is answered %s" % (host, found))
                require(b"alert" not in found.content or status != 200, "the script has the Host's text")


def confusion(session, random):
    """Other hosts inside a tunnel, and messages that two readers would cut differently."""
    with Upstream() as upstream, Proxied(session.binary, "--tunnel", "127.0.0.1:%d" % port_of(upstream.url)) as server:
        origin = upstream.url.partition("//")[2]
        with session.case("proxy: inside a tunnel no other host is answered"):
            trust = ssl.create_default_context(cafile=server.folder + "/ca/root.pem")
            for inner, status in (
                ("GET /api/v1/conversations HTTP/1.1\nHost: %s\n\n" % MAPPED, 401), ("GET /api/v1/conversations HTTP/1.1\nHost: %s:443\n\n" % MAPPED, 401),
                ("GET /api/v1/conversations HTTP/1.1\nHost: API.Example.COM.\n\n", 401), ("GET / HTTP/1.1\nHost: %s:80\n\n" % MAPPED, 421),
                ("GET / HTTP/1.1\nHost: %s:4433\n\n" % MAPPED, 421), ("GET / HTTP/1.1\nHost: x.shop.example\n\n", 421),
                ("GET / HTTP/1.1\nHost: localhost\n\n", 421), ("GET / HTTP/1.1\nHost: 127.0.0.1:%d\n\n" % server.port, 421),
                ("GET / HTTP/1.1\nHost: evil.example\n\n", 421), ("GET / HTTP/1.1\n\n", 400), ("GET / HTTP/1.1\nHost: %s\nHost: %s\n\n" % (MAPPED, MAPPED), 400),
                ("GET / HTTP/1.1\nHost: %s, evil.example\n\n" % MAPPED, 400), ("GET / HTTP/1.1\nHost: u@%s\n\n" % MAPPED, 400),
                ("GET https://x.shop.example/ HTTP/1.1\nHost: %s\n\n" % MAPPED, 421), ("GET http://localhost:%d/__admin/health HTTP/1.1\nHost: a\n\n" % server.port, 421),
                ("CONNECT x.shop.example:443 HTTP/1.1\nHost: %s\n\n" % MAPPED, 501), ("CONNECT %s HTTP/1.1\nHost: %s\n\n" % (origin, MAPPED), 501),
                ("GET /__admin/health HTTP/1.1\nHost: %s\n\n" % MAPPED, 421), ("GET /@main/__admin/health HTTP/1.1\nHost: %s\n\n" % MAPPED, 421),
                ("GET /__proxy.pac HTTP/1.1\nHost: %s\n\n" % MAPPED, 404),
            ):
                for is_secure in (True, False):
                    connection, found = connect(server.proxy, MAPPED + ":443")
                    with connection:
                        wire = trust.wrap_socket(connection, server_hostname=MAPPED) if is_secure else connection
                        with wire:
                            wire.sendall(inner.replace("\n", "\r\n").encode())
                            found = reply(wire)
                    require(found.status == status, "%r inside (TLS: %s) is answered %s" % (inner, is_secure, found))
        with session.case("proxy: CONNECT has no content"):
            for fields, status in (
                ("Content-Length: 5\n", 400), ("Transfer-Encoding: chunked\n", 400), ("Content-Length: 5\nTransfer-Encoding: chunked\n", 400),
                ("Transfer-Encoding: gzip, chunked\n", None), ("Content-Length: 5, 5\n", 400), ("Content-Length: -1\n", 400), ("Content-Length: x\n", 400),
                ("Transfer-Encoding: identity\n", None), ("Expect: 100-continue\nContent-Length: 5\n", 400),
            ):
                for target in (MAPPED + ":443", origin, "other.example:443"):
                    found = ask(server.proxy, "CONNECT %s HTTP/1.1\nHost: a\n%s\n0\n\n" % (target, fields))
                    require(found.status in ((status,) if status else (400, 501)), "%r to %s is answered %s" % (fields, target, found))
            require(not upstream.take(), "something reached the backend")
        smuggling(session, server, upstream, origin)


def smuggling(session, server, upstream, origin):
    second = "GET /second HTTP/1.1\nHost: %s\n\n" % origin
    with session.case("proxy: what two readers would cut differently is refused, and nothing of it is forwarded"):
        for fields, body in (
            ("Content-Length: 6\nTransfer-Encoding: chunked\n", "0\n\nG"), ("Transfer-Encoding: chunked\nContent-Length: 6\n", "0\n\nG"),
            ("Content-Length: 5\nContent-Length: 6\n", "aaaaaa"), ("Content-Length: 5, 6\n", "aaaaaa"), ("Content-Length: +5\n", "aaaaa"),
            ("Content-Length: 0x5\n", "aaaaa"), ("Content-Length : 5\n", "aaaaa"), (" Content-Length: 5\n", "aaaaa"), ("X: a\n Content-Length: 5\n", "aaaaa"),
            ("Transfer-Encoding: xchunked\n", "0\n\n"), ("Transfer-Encoding: chunked, identity\n", "0\n\n"), ("Transfer-Encoding:\x0bchunked\n", "0\n\n"),
            ("Transfer-Encoding: chunked\n", "0x1\na\n0\n\n"), ("Transfer-Encoding: chunked\n", "1\nab\n0\n\n"), ("Transfer-Encoding: chunked\n", "-1\na\n0\n\n"),
            ("Transfer-Encoding: chunked\n", "fffffffffffffffff\na\n0\n\n"), ("X\x00: a\n", ""), ("X: a\x00b\n", ""), ("Host: b\n", ""),
        ):
            upstream.take()
            found = ask(server.proxy, "POST %s/first HTTP/1.1\nHost: a\n%s\n%s%s" % (upstream.url, fields, body, second))
            got = upstream.take()
            require(found.status in (400, 501), "%r is answered %s" % (fields, found))
            require(not any(b"second" in head for head, _ in got), "%r: the second request reached the backend" % fields)
    with session.case("proxy: one request goes out as one, with the host of its target"):
        inside = second.replace("\n", "\r\n").encode()
        for fields, content in (
            (b"Host: evil.example\r\n", b""), (b"Host: evil.example\r\nContent-Length: %d\r\n" % len(inside), inside),
            (b"Host: a\r\nTransfer-Encoding: chunked\r\n", b"%x\r\n%s\r\n0\r\n\r\n" % (len(inside), inside)),
            (b"Host: a\r\nTransfer-Encoding: CHUNKED\r\n", b"%x;a=b\r\n%s\r\n0\r\nX-Trailer: 1\r\n\r\n" % (len(inside), inside)),
            (b"Host: a\r\nConnection: Host, X-Hop, Content-Length\r\nX-Hop: 1\r\nContent-Length: %d\r\n" % len(inside), inside),
            (b"Host: a\r\nX-Forwarded-Host: b\r\nProxy-Connection: keep-alive\r\npROXY-aUTHORIZATION: Basic bWFpbjp4\r\nKeep-Alive: 5\r\nTE: trailers\r\n", b""),
        ):
            upstream.take()
            found = ask(server.proxy, b"POST %s/one HTTP/1.1\r\n%s\r\n%s" % (upstream.url.encode(), fields, content))
            got = upstream.take()
            require(found.status == 200 and len(got) == 1, "%r is answered %s, %d requests came" % (fields, found, len(got)))
            head, body = got[0]
            require(head.startswith(b"POST /one HTTP/1.1\r\n"), "the line is %r" % head[:80])
            lines = [line.lower() for line in head.split(b"\r\n")]
            require([line for line in lines if line.startswith(b"host:")] == [b"host: " + origin.encode()], "the head is %r" % head)
            require(body == (inside if content else b""), "the body is %r" % body)
            odd = [line for line in lines if line.startswith((b"proxy-", b"x-hop", b"via", b"forwarded", b"keep-alive", b"x-understudy"))]
            require(not odd, "the backend sees %r" % odd)
            require(not (b"content-length:" in head.lower() and b"transfer-encoding:" in head.lower()), "the head is %r" % head)
    with session.case("proxy: what two hosts are sent on one connection stays apart"):
        with plain(server.proxy) as connection:
            for _ in range(20):
                many = ("GET %s/there HTTP/1.1\nHost: a\n\n" % upstream.url) + "GET http://%s/api/v1/conversations HTTP/1.1\nHost: a\n\n" % MAPPED
                many += "GET http://other.example/ HTTP/1.1\nHost: a\n\n"
                connection.sendall(many.replace("\n", "\r\n").encode())
                found = [reply(connection).status for _ in range(3)]
                require(found == [200, 401, 403], "the answers are %s" % found)


def passwords(session, random):
    with Upstream() as upstream, Proxied(session.binary, "--proxy-token", "pr0xy-t0ken", "--tunnel", "127.0.0.1:%d" % port_of(upstream.url)) as server:
        def basic(text):
            return "Basic " + base64.b64encode(text.encode() if isinstance(text, str) else text).decode()

        targets = [
            "GET http://%s/api/v1/conversations" % MAPPED, "CONNECT %s:443" % MAPPED, "CONNECT other.example:443",
            "GET http://localhost:%d/__admin/health" % server.port, "CONNECT localhost:%d" % server.port, "GET %s/x" % upstream.url,
            "CONNECT localhost:%d" % server.proxy,
        ]
        wrong = [
            None, "", "Basic", "Basic ", "Basic !", basic(""), basic("main"), basic(":"), basic("main:"), basic("main:pr0xy-t0ke"), basic("main:pr0xy-t0kenx"),
            basic("main:pr0xy-t0ken\0"), basic("main:pr0xy-t0ken\n"), basic("main: pr0xy-t0ken"), basic("main:PR0XY-T0KEN"), basic("pr0xy-t0ken"), basic("pr0xy-t0ken:"),
            basic("main:pr0xy-t0ken:"), basic(b"main:\xff"), "Bearer pr0xy-t0ken", "Digest username=main", basic("main:pr0xy-t0ken")[:-1] + "*", "Basic main:pr0xy-t0ken",
            basic("main:" + "x" * 4000), "Negotiate " + basic("main:pr0xy-t0ken")[6:], basic("main:pr0xy-t0ken") + ", " + basic("main:no"),
        ]
        with session.case("proxy: wrong credentials are 407, and the connection stays open"):
            with plain(server.proxy) as connection:
                for sent in wrong:
                    for target in targets:
                        field = "" if sent is None else "Proxy-Authorization: %s\n" % sent
                        connection.sendall(("%s HTTP/1.1\nHost: a\nAuthorization: %s\n%s\n" % (target, basic("main:pr0xy-t0ken"), field)).replace("\n", "\r\n").encode())
                        found = reply(connection)
                        require(str(found) == "407 proxy-credentials", "%r for %s is answered %s" % (sent, target, found))
                        require(found.fields.get(b"proxy-authenticate", b"").startswith(b"Basic"), "no challenge")
                        require(b"pr0xy" not in found.content + found.head, "the refusal shows the password")
            require(not upstream.take(), "the backend was reached")
        with session.case("proxy: a right and a wrong password together are wrong"):
            for first, other in (("main:pr0xy-t0ken", "main:no"), ("main:no", "main:pr0xy-t0ken")):
                found = ask(server.proxy, "%s HTTP/1.1\nHost: a\nProxy-Authorization: %s\nproxy-authorization: %s\n\n" % (targets[0], basic(first), basic(other)))
                require(found.status in (400, 407), "answered %s" % found)
        with session.case("proxy: names of worlds that are none are 404, two are 400"):
            for name in ("nope", "MAIN", "main ", "../main", "w" * 5000, "\u00e4", "main\0", "@main"):
                found = ask(server.proxy, "%s HTTP/1.1\nHost: a\nProxy-Authorization: %s\n\n" % (targets[0], basic(name + ":pr0xy-t0ken")))
                require(found.status == 404, "%r is answered %s" % (name, found))
            server.call("POST", "/__admin/worlds", {"name": "w1"}, expect=201)
            found = ask(server.proxy, "%s HTTP/1.1\nHost: a\nProxy-Authorization: %s\nX-Understudy-World: main\n\n" % (targets[0], basic("w1:pr0xy-t0ken")))
            require(found.status == 400, "two worlds are answered %s" % found)
        with session.case("proxy: no log, journal, list or answer shows the password"):
            ask(server.proxy, "%s HTTP/1.1\nHost: a\nProxy-Authorization: %s\n\n" % (targets[0], basic("w1:pr0xy-t0ken")))
            ask(server.proxy, "%s HTTP/1.1\nHost: a\nProxy-Authorization: %s\n\n" % (targets[5], basic("w1:pr0xy-t0ken")))
            secrets = [b"pr0xy-t0ken", base64.b64encode(b"w1:pr0xy-t0ken")]
            shown = b"".join(server.call("GET", path).body for path in (
                "/@w1/__admin/requests", "/@w1/__admin/requests.har", "/__admin/hosts", "/__admin/proxy", "/@w1/__admin/state", "/__admin/tls"))
            shown += b"".join(head for head, _ in upstream.take())
            for secret in secrets:
                require(secret not in shown, "%r is shown" % secret)


def own_credentials(session, random):
    with Upstream() as upstream, Proxied(session.binary, "--tunnel", "127.0.0.1:%d" % port_of(upstream.url), admin_token=attack_upstream.ADMIN) as server:
        proxy = "http://127.0.0.1:%d" % server.proxy
        known = attack_upstream.secrets(server)
        with session.case("proxy: no credential of ours is forwarded to an unmapped host") as row:
            chosen = known if session.is_long else random.sample(known, min(3, len(known)))
            count, reached = attack_upstream.leaks(session, random, server, upstream, known, "proxy", chosen, base=proxy, origin=upstream.url)
            row["note"] = "%d requests" % count
            require(not reached, "%d of %d: %s" % (len(reached), count, "; ".join(reached[:6])))


def phases(session, random):
    """Clients and hosts that leave, one way or the other, at each step of a tunnel."""
    def echo(connection):
        while piece := connection.recv(65536):
            connection.sendall(piece)

    first = hello(b"a.example")
    with Listener(serve=echo) as far, Proxied(
        session.binary, "--tunnel", "127.0.0.1:%d" % far.port, "--limit", "tunnels=20", "tls-handshake-seconds=2", "tunnel-idle-seconds=3"
    ) as server:
        target = "127.0.0.1:%d" % far.port
        asked = ("CONNECT %s HTTP/1.1\r\nHost: a\r\n\r\n" % target).encode()

        def all_free():
            """Opens as many tunnels as may be, so that none of those before is left."""
            def is_free():
                opened = []
                try:
                    for _ in range(20):
                        connection, _ = connect(server.proxy, target)
                        if not connection:
                            return False
                        opened.append(connection)
                    return True
                finally:
                    for connection in opened:
                        connection.close()

            wait_for(is_free, "20 free tunnels")

        steps = [asked[:9], asked[:-2], asked, asked + first[:1], asked + first[:5], asked + first[:6], asked + first, asked + first + b"x" * 100_000]

        def leave():
            for way in ("fin", "reset", "half"):
                for step in steps:
                    for is_awaited in (False, True):
                        connection = plain(server.proxy)
                        with connection, contextlib.suppress(OSError):
                            connection.sendall(step)
                            if is_awaited and len(step) >= len(asked):
                                reply(connection, is_connect=True)
                            if way == "reset":
                                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
                            elif way == "half":
                                connection.shutdown(socket.SHUT_WR)
                                connection.settimeout(0.2)
                                connection.recv(65536)
            mapped_is_served(server)

        session.holds("proxy: clients leave at each step of a tunnel", server, leave, peak=40 * MIB)
        with session.case("proxy: their places are free again"):
            all_free()
        with session.case("proxy: a client's end is passed on, and what the host still sends arrives"):
            connection, _ = connect(server.proxy, target, first)
            with connection:
                connection.sendall(b"y" * 300_000)
                connection.shutdown(socket.SHUT_WR)
                connection.settimeout(20)
                got = b""
                while piece := connection.recv(65536):
                    got += piece
                require(got == first + b"y" * 300_000, "%d bytes came back" % len(got))
        with session.case("proxy: silence, clear text and a host that speaks first end a tunnel"):
            connection, _ = connect(server.proxy, target)
            with connection:
                began = time.monotonic()
                connection.settimeout(10)
                require(connection.recv(1) == b"" and 1.5 < time.monotonic() - began < 6, "silence ended after %.1f s" % (time.monotonic() - began))
            connection, _ = connect(server.proxy, target, first)
            with connection:
                connection.settimeout(12)
                got = b""
                while len(got) < len(first):
                    got += connection.recv(65536)
                began = time.monotonic()
                require(connection.recv(1) == b"" and 2.5 < time.monotonic() - began < 8, "an idle tunnel ended after %.1f s" % (time.monotonic() - began))
            for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\x00", b"\x16\x02\x00\x00\x10\x01", b"\x16\x03\x05", b"\x16\x03\x01\x00\x10\x02",
                            b"\x80\x2e\x01\x03\x01", b"\x05\x01\x00", b"SSH-2.0-x\r\n", b"\x15\x03\x01\x00\x02\x01\x00", random.randbytes(20).replace(b"\x16", b"\x17")):
                before = far.count
                connection, _ = connect(server.proxy, target, garbage)
                with connection:
                    found = reply(connection)
                    require(str(found) == "403 clear-text", "%r is answered %s" % (garbage, found))
                    require(found.fields.get(b"connection") == b"close" and connection.recv(1) == b"", "the connection stays open")
        all_free()


def slow(session, random):
    def silent(connection):
        time.sleep(600)

    with Listener(serve=silent) as far, Proxied(
        session.binary, "--tunnel", "127.0.0.1:%d" % far.port, "--limit", "tunnels=200", "connections=1200", "tls-handshake-seconds=4"
    ) as server:
        def leave(tunnels):
            """By a reset: an end alone would be passed on, and the silent host keeps its direction open."""
            for connection in tunnels:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
                connection.close()

        target = "127.0.0.1:%d" % far.port
        first = hello(b"a.example")

        def drip():
            """CONNECT, one byte at a time, of many clients at once."""
            text = ("CONNECT %s:443 HTTP/1.1\r\nHost: %s:443\r\n\r\n" % (MAPPED, MAPPED)).encode()
            clients = [plain(server.proxy) for _ in range(100)]
            try:
                for place in range(len(text)):
                    for client in clients:
                        client.sendall(text[place:place + 1])
                for client in clients:
                    require(reply(client, is_connect=True).status == 200, "a slow CONNECT is not answered")
            finally:
                for client in clients:
                    client.close()

        session.holds("proxy: 100 CONNECTs, one byte at a time", server, drip, peak=40 * MIB)

        def full():
            tunnels = []
            try:
                for number in range(200):
                    connection, found = connect(server.proxy, target, first if number % 2 else b"")
                    require(connection, "tunnel %d is answered %s" % (number, found))
                    tunnels.append(connection)
                for _ in range(20):
                    connection, found = connect(server.proxy, target)
                    require(str(found) == "503 too-many-tunnels" and b"retry-after" in found.fields, "one more is answered %s" % found)
                mapped_is_served(server)
                connection, found = connect(server.proxy, MAPPED + ":443")
                require(connection, "a mapped host is answered %s at the limit" % found)
                connection.close()
            finally:
                leave(tunnels)
            time.sleep(0.3)

        session.holds("proxy: as many tunnels as may be, half of them silent", server, full, peak=60 * MIB)

        def unread():
            """Nobody reads: what is on its way is bounded."""
            tunnels = []
            try:
                for _ in range(40):
                    connection, found = connect(server.proxy, target, first)
                    require(connection, "answered %s" % found)
                    connection.setblocking(False)
                    with contextlib.suppress(BlockingIOError):
                        for _ in range(200):
                            connection.send(b"z" * 65536)
                    tunnels.append(connection)
                mapped_is_served(server)
            finally:
                leave(tunnels)

        session.holds("proxy: 40 tunnels whose host reads nothing", server, unread, peak=40 * MIB)

    def flood(connection):
        while True:
            connection.sendall(b"w" * 65536)

    with Listener(serve=flood) as far, Proxied(session.binary, "--tunnel", "127.0.0.1:%d" % far.port) as server:
        def ignore():
            tunnels = [connect(server.proxy, "127.0.0.1:%d" % far.port, hello(b"a"))[0] for _ in range(40)]
            time.sleep(0.5)
            mapped_is_served(server)
            for connection in tunnels:
                connection.close()

        session.holds("proxy: 40 tunnels whose client reads nothing", server, ignore, peak=40 * MIB)


def unreachable(session, random):
    """Hosts that let one wait: connecting, and looking a name up."""
    # Its queue is full, so that the system does not answer further ones.
    with socket.socket() as deaf, contextlib.ExitStack() as stack:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        target = "127.0.0.1:%d" % deaf.getsockname()[1]
        for _ in range(4):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(deaf.getsockname())
        server = stack.enter_context(Proxied(session.binary, "--tunnel", target, "--limit", "tunnels=5"))
        asked = ("CONNECT %s HTTP/1.1\r\nHost: a\r\n\r\n" % target).encode()
        with session.case("proxy: clients that leave while a host is connected to give their places back"):
            for way in ("fin", "reset"):
                for _ in range(20):
                    connection = plain(server.proxy)
                    connection.sendall(asked)
                    time.sleep(0.02)
                    if way == "reset":
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
                    connection.close()
                time.sleep(0.2)
                with plain(server.proxy) as connection:
                    connection.sendall(asked)
                    connection.settimeout(1)
                    with contextlib.suppress(socket.timeout):
                        got = connection.recv(4096)
                        require(not got.startswith(b"HTTP/1.1 503"), "%s: answered %r" % (way, got[:60]))
    with Listener(backlog=0) as far:
        far.close()
        with Proxied(session.binary, "--tunnel", "127.0.0.1:%d" % far.port, unmapped="tunnel") as server:
            def names():
                clients = []
                for number in range(300):
                    connection = plain(server.proxy)
                    connection.sendall(b"CONNECT n%d-%d.invalid:443 HTTP/1.1\r\nHost: a\r\n\r\n" % (number, random.randrange(1 << 30)))
                    clients.append(connection)
                mapped_is_served(server)
                for connection in clients:
                    connection.close()

            session.holds("proxy: 300 names that nobody knows, at once", server, names, peak=80 * MIB)
            with session.case("proxy: a name that nobody knows is 502 upstream-unreachable, and places are free again"):
                found = ask(server.proxy, "CONNECT nobody.invalid:443 HTTP/1.1\nHost: a\n\n")
                require(str(found) == "502 upstream-unreachable", "answered %s" % found)
            with session.case("proxy: a host that nobody listens at is 502 upstream-unreachable, in both forms"):
                for asked in ("CONNECT 127.0.0.1:%d HTTP/1.1\nHost: a\n\n", "GET http://127.0.0.1:%d/ HTTP/1.1\nHost: a\n\n"):
                    found = ask(server.proxy, asked % far.port)
                    require(str(found) == "502 upstream-unreachable", "answered %s" % found)


def floods(session, random):
    with Proxied(session.binary) as server:
        count = 10_000 if session.is_long else 3_000
        targets = ["h%d.example" % number for number in range(count)] + ["%d.shop.example" % number for number in range(count // 3)]
        random.shuffle(targets)

        def hosts():
            with plain(server.proxy) as connection:
                for place in range(0, len(targets), 50):
                    batch = targets[place:place + 50]
                    connection.sendall(b"".join(b"GET http://%s/ HTTP/1.1\r\nHost: a\r\n\r\n" % name.encode() for name in batch))
                    for name in batch:
                        found = reply(connection)
                        require(found.status == (403 if name.startswith("h") else 401) or "shop" in name, "%s is answered %s" % (name, found))

        session.holds("proxy: %d hosts" % len(targets), server, hosts, peak=60 * MIB)
        with session.case("proxy: 1,000 of them are kept, mapped ones went first"):
            items = server.call("GET", "/__admin/hosts?limit=1000").json()["items"]
            require(len(items) == 1_000, "%d items" % len(items))
            require(not any("api" in item for item in items[1:]), "mapped hosts were kept")
            require(server.call("GET", "/__admin/hosts?limit=1000&other=true").json()["items"] == [item for item in items if "api" not in item], "other=true differs")
            require(server.call("DELETE", "/__admin/hosts").status == 204 and not server.call("GET", "/__admin/hosts").json()["items"], "clearing leaves some")

        def again():
            """Each host of a full list in turn, which is the dearest order."""
            names = ["a%d.example" % number for number in range(1_000)]
            with plain(server.proxy) as connection:
                for _ in range(3):
                    for place in range(0, 1_000, 50):
                        connection.sendall(b"".join(b"CONNECT %s:443 HTTP/1.1\r\nHost: a\r\n\r\n" % name.encode() for name in names[place:place + 50]))
                        for _ in range(50):
                            require(reply(connection).status == 403, "another answer")

        session.holds("proxy: 1,000 hosts in turn, three times", server, again, peak=40 * MIB)

        def noise():
            for number in range(400):
                kind = number % 8
                data = [
                    random.randbytes(random.randrange(1, 2000)), hello(b"a.example"), b"\x05\x01\x00", b"\x04\x01\x01\xbb\x7f\0\0\x01x\0",
                    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"CONNECT " + random.randbytes(40) + b" HTTP/1.1\r\n\r\n",
                    b"GET http://" + b"a" * 70_000 + b"/ HTTP/1.1\r\n\r\n", b"CONNECT\ta:443\tHTTP/1.1\r\n\r\n",
                ][kind]
                found = ask(server.proxy, data, timeout=2 if kind in (0, 2, 3) else 20) if kind not in (0, 2, 3) else None
                if found is None:
                    with plain(server.proxy) as connection, contextlib.suppress(OSError):
                        connection.sendall(data)
                        connection.shutdown(socket.SHUT_WR)
                        connection.settimeout(5)
                        while connection.recv(65536):
                            pass
                else:
                    require(found.status in (0, 400, 403, 414, 431, 501, 505), "%r is answered %s" % (data[:40], found))
            mapped_is_served(server)

        session.holds("proxy: noise, and other protocols", server, noise, peak=60 * MIB)


def run(session, random, deadline, clock):
    addresses(session, random)
    named_addresses(session, random)
    own_ports(session, random)
    confusion(session, random)
    passwords(session, random)
    own_credentials(session, random)
    phases(session, random)
    slow(session, random)
    unreachable(session, random)
    floods(session, random)
