"""A phone on its way into device mode: the code on the screen, the page, pairing, an address that changes (transport contract,
section 8)."""

import contextlib
import fcntl
import hashlib
import os
import pty
import re
import select
import signal
import ssl
import struct
import tempfile
import termios
import time

import qr
from desktop import PATIENCE, TOKEN, Desk, begin, codes, eventually
from serving import Serving
from session import require


def moving(session, network):
    moved = "192.168.77.99"
    with session.case("lan: an address that changes is printed, and everything follows it"), \
            Desk(session, network, "--lan", "--pair") as server:
        require(server.ready["lan"]["device"] == "http://%s:%d/__device" % (network.DESKTOP, server.port), "the page is elsewhere")
        network.desktop.ip("address", "del", network.DESKTOP + "/24", "dev", "wlan0")
        network.desktop.ip("address", "add", moved + "/24", "dev", "wlan0")
        network.desktop.ip("route", "replace", "default", "via", network.PHONE)
        try:
            device = "http://%s:%d/__device" % (moved, server.port)
            eventually("the new address", lambda: device in server.said())
            require("(wlan0)" in server.said().split(moved)[-2] + server.said().split(moved)[-1], "no interface is named")
            page = server.ask("GET", "/__device", host=moved)
            require(page.status == 200 and ("http://%s:%d" % (moved, server.ports["trendy"])).encode() in page.body,
                    "the page has the former addresses")
            picture = server.ask("GET", "/__device/qr.png", host=moved).body
            require(qr.scanned(qr.from_png(picture, 8)) == device, "the picture is the former")
            check = server.ask("GET", "/__device/check", host=moved, trust=server.trust())
            require(check.json["scheme"] == "https", "the certificate does not cover the new address")
            # It is this machine still, which has no limit of its own.
            require(begin(server, 100, network.desktop, moved) == 0, "the new address is a stranger's")
        finally:
            network.desktop.ip("address", "del", moved + "/24", "dev", "wlan0")
            network.desktop.ip("address", "add", network.DESKTOP + "/24", "dev", "wlan0")
            network.desktop.ip("route", "replace", "default", "via", network.PHONE)


class OnTerminal(Serving):
    """`understudy serve` whose standard error is a terminal."""

    def __init__(self, session, network, *flags, columns=80):
        self.network = network
        self.folder = tempfile.TemporaryDirectory()
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        words = [session.binary, "serve", "--port", "0", "--ca", "ca", "--admin-token", TOKEN, *flags]
        self.master, self.data = master, b""
        self.launch(*words, cwd=self.folder.name, stdin=slave, stderr=slave, preexec_fn=network.desktop.enter)
        os.close(slave)

    def until(self, text):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if text in self.data.decode(errors="replace"):
                return self.data.decode(errors="replace")
            if select.select([self.master], [], [], 1)[0]:
                self.data += os.read(self.master, 65536)
        raise AssertionError("%r does not come: %r" % (text, self.data[-500:]))

    def rest(self):
        """Everything that was printed, until the program has ended; what it answers comes behind what it prints first."""
        with self.network.desktop.connect("127.0.0.1", self.port) as connection:
            connection.sendall(b"GET /__device/check HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            require(connection.recv(1), "it does not answer")
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(OSError):
            while piece := os.read(self.master, 65536):
                self.data += piece
        self.process.wait()
        return self.data.decode(errors="replace")

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)
        os.close(self.master)
        self.folder.cleanup()


def drawings(session, network):
    with session.case("lan: on a terminal a scanner reads the device page, and the code for pairing"), \
            OnTerminal(session, network, "--lan", "--pair") as server:
        # The line behind the last code comes only with the next output: everything is read to the end.
        server.until("#pair=")
        said = server.rest()
        device = server.ready["lan"]["device"]
        pairing = re.search(r"https://\S+#pair=[0-9a-f]{32}", said).group(0)
        found = codes(said)
        require(len(found) == 2, "%d codes are shown" % len(found))
        for lines, expected in zip(found, (device, pairing)):
            rows = qr.from_terminal(lines)
            width = len(lines[0])
            require({len(line) for line in lines} == {width} and width <= 80, "the lines are %s wide" % {len(line) for line in lines})
            require(len(lines) == (width + 1) // 2 and (width - 8 - 17) % 4 == 0, "%d lines for %d columns" % (len(lines), width))
            qr.require_quiet(rows[:width])
            text = qr.scanned(rows[:width])
            require(text == expected, "it reads %r and not %r" % (text, expected))
    with session.case("lan: --qr invert is for light terminals"), \
            OnTerminal(session, network, "--lan", "--qr", "invert") as server:
        server.until("adb reverse")
        lines = codes(server.rest())[0]
        width = len(lines[0])
        rows = qr.from_terminal(lines, light_ink=False)[:width]
        qr.require_quiet(rows)
        require(qr.scanned(rows) == server.ready["lan"]["device"], "it is not read on a light terminal")
    with session.case("lan: without a terminal there is a code with --qr alone, and never one for pairing"):
        for flags, count in ((("--lan", "--pair"), 0), (("--lan", "--pair", "--qr"), 1)):
            with Desk(session, network, *flags) as server:
                server.pairing_code()
                eventually("the server", lambda: server.ask("GET", "/__device/check").status == 200)
                server.process.send_signal(signal.SIGTERM)
                server.process.wait(PATIENCE)
                found = codes(server.said())
                require(len(found) == count, "%s: %d codes" % (flags, len(found)))
                for lines in found:
                    rows = qr.from_terminal(lines)[:len(lines[0])]
                    require(qr.scanned(rows) == server.ready["lan"]["device"], "it is not the device page's")


def journey(session, network):
    with session.case("lan: a phone's whole way, from the code on the screen to a call in its own world"), \
            Desk(session, network, "--lan", "--qr", "--pair", "checkout") as server:
        said = eventually("what is printed", lambda: "#pair=" in server.said() and server.said())
        # 1. The code on the screen.
        address = qr.scanned(qr.from_terminal(codes(said)[0])[:len(codes(said)[0][0])])
        match = re.fullmatch(r"http://([0-9.]+):(\d+)/__device", address)
        require(match and match.group(1) == network.DESKTOP, "the code is %r" % address)
        port = int(match.group(2))
        # 2. The page, without any trust, and the root with the fingerprint that both screens show.
        page = server.ask("GET", "/__device", port=port)
        require(page.status == 200 and page.fields["cache-control"] == "no-store", "the page is %d" % page.status)
        for path, kind in (("/__admin/ca.mobileconfig", "application/x-apple-aspen-config"),
                           ("/__admin/ca.crt", "application/x-x509-ca-cert")):
            require(path.encode() in page.body, "the page does not offer " + path)
            require(server.ask("GET", path).fields["content-type"].startswith(kind), "%s is no %s" % (path, kind))
        der = server.ask("GET", "/__admin/ca.crt").body
        digits = hashlib.sha256(der).hexdigest().upper()
        shown = ":".join(digits[place:place + 2] for place in range(0, 64, 2))
        require(shown in page.body.decode() and shown in said, "the fingerprints differ")
        pem = server.ask("GET", "/__admin/ca.pem").body
        require(ssl.PEM_cert_to_DER_cert(pem.decode()) == der, "the files hold different roots")
        # 3. Before the root is trusted a verifying client fails; afterwards the checks are right.
        try:
            server.ask("GET", "/__device/check", trust=ssl.create_default_context())
            raise AssertionError("the phone trusts an unknown root")
        except ssl.SSLCertVerificationError:
            pass
        trust = server.trust(pem)
        check = server.ask("GET", "/__device/check", trust=trust)
        require(check.json["scheme"] == "https" and check.json["protocol"] == "http/1.1", "the check says %s" % check.json)
        require(set(check.json) == {"scheme", "protocol", "now"}, "the members are %s" % set(check.json))
        # 4. Pairing: never in the clear, once, and for one world.
        code = {"code": re.search(r"#pair=([0-9a-f]{32})", said).group(1)}
        plain = server.ask("POST", "/__device/pair", code)
        require(plain.status == 426 and plain.problem == "tls-required", "in the clear it is %d" % plain.status)
        paired = server.ask("POST", "/__device/pair", code, trust=trust)
        require(paired.status == 200 and set(paired.json) == {"token", "world"}, "pairing is %d" % paired.status)
        require(paired.json["world"] == "checkout", "the world is %r" % paired.json["world"])
        again = server.ask("POST", "/__device/pair", code, trust=trust)
        require(again.status == 403 and again.problem == "pairing-refused", "a second time it is %d" % again.status)
        token = paired.json["token"]
        # 5. The phone changes its own conditions, and its app sees them in that world alone.
        fault = {"match": {"api": "trendy"}, "effect": {"status": 503}}
        made = server.ask("POST", "/__admin/faults", fault, token=token, trust=trust)
        require(made.status == 201, "a fault is %d %s" % (made.status, made.body[:200]))
        api = server.ports["trendy"]
        world = ["X-Understudy-World: checkout"]
        require(server.ask("GET", "/api/v1/health", port=api, fields=world, trust=trust).status == 503, "the fault does not act")
        require(server.ask("GET", "/api/v1/health", port=api).status != 503, "it acts in the world main")
        require(server.ask("DELETE", "/__admin/faults", token=token, trust=trust).status in (200, 204), "faults are not cleared")
        require(server.ask("GET", "/api/v1/health", port=api, fields=world, trust=trust).status != 503, "the fault stays")
        entries = server.ask("GET", "/__admin/requests", token=token, trust=trust).json["items"]
        require(entries and all(item["world"] == "checkout" for item in entries if "world" in item), "the journal is another's")
        for method, path in (("GET", "/@main/__admin/clock"), ("GET", "/__admin/worlds"), ("PUT", "/__admin/mode"),
                             ("GET", "/__admin/tls")):
            refused = server.ask(method, path, {} if method == "PUT" else None, token=token, trust=trust)
            require(refused.status == 403 and refused.problem == "not-paired-for", "%s is %d" % (path, refused.status))


def run(session, network):
    for attack in (drawings, journey, moving):
        attack(session, network)
