"""Device mode as a phone on the network has it: another machine, real sockets (transport contract, section 8)."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import ssl
import struct
import subprocess
import tempfile
import termios
import threading
import time
import zlib

import qr
from attack_tls import hello
from network import home_network
from server import CLOCK
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


class Desk:
    """`understudy serve` on a machine of the network, and calls from wherever one likes."""

    def __init__(self, session, network, *flags, token=TOKEN, quiet=False):
        self.network = network
        self.folder = tempfile.mkdtemp(prefix="understudy-hostile-")
        words = [session.binary, "serve", "--port", "0", "--ca", "ca", "--clock", "frozen:" + CLOCK, *flags]
        words += (["--admin-token", token] if token else []) + (["--quiet"] if quiet else [])
        self.errors = open(os.path.join(self.folder, "stderr"), "ab")
        self.process = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=self.errors,
                                        preexec_fn=network.desk.enter)
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            raise AssertionError("the server did not start: " + self.said())
        self.ready = json.loads(line)
        self.ready_text = line.decode()
        self.port = int(self.ready["hub"].rsplit(":", 1)[1])
        self.ports = {name: int(url.rsplit(":", 1)[1]) for name, url in self.ready["apis"].items()}

    def said(self):
        with open(os.path.join(self.folder, "stderr"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def trust(self, pem=None):
        made = ssl.create_default_context()
        if pem:
            made.load_verify_locations(cadata=pem.decode())
        else:
            made.load_verify_locations(os.path.join(self.folder, "ca", "root.pem"))
        return made

    def connect(self, machine=None, host=None, port=None, source=None):
        machine = machine or self.network.phone
        host = host or ("127.0.0.1" if machine is self.network.desk else self.network.DESK)
        return machine.connect(host, port or self.port, source)

    def ask(self, method, path, body=None, machine=None, host=None, port=None, token=None, trust=None, name=None,
            fields=(), source=None, authority=None):
        """One request on a connection of its own; over TLS with what is trusted."""
        connection = self.connect(machine, host, port, source)
        shown = host or (self.network.DESK if (machine or self.network.phone) is self.network.phone else "127.0.0.1")
        if trust:
            connection = trust.wrap_socket(connection, server_hostname=name or shown)
        with connection:
            send(connection, method, path, authority or "%s:%d" % (name or shown, port or self.port), body, token, fields)
            return receive(connection)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        subprocess.run(["rm", "-rf", self.folder], check=True)


def send(connection, method, path, authority, body=None, token=None, fields=()):
    lines = ["%s %s HTTP/1.1" % (method, path), "Host: " + authority]
    content = b"" if body is None else json.dumps(body).encode()
    if body is not None:
        lines += ["Content-Type: application/json", "Content-Length: %d" % len(content)]
    if token:
        lines.append("Authorization: Bearer " + token)
    connection.sendall("\r\n".join([*lines, *fields, "", ""]).encode() + content)


@contextlib.contextmanager
def desk(session, network, *flags, **options):
    made = Desk(session, network, *flags, **options)
    try:
        yield made
    finally:
        made.stop()


def is_served(connection, server):
    """Tells whether a connection is answered; false if it was closed instead."""
    try:
        send(connection, "GET", "/__device/check", "%s:%d" % (server.network.DESK, server.port))
        answer = receive(connection)
    except ConnectionError:
        return False
    return answer is not None and answer.status == 200


def connections(session, network):
    for flags, most in (((), 256), (("--limit", "lan-connections=3"), 3)):
        with session.case("lan: a peer has %d connections, and the next is closed" % most), \
                desk(session, network, "--lan", *flags) as server:
            held = [server.connect() for _ in range(most)]
            try:
                require(all(is_served(one, server) for one in held), "one of %d is closed" % most)
                with server.connect() as one_more:
                    require(not is_served(one_more, server), "one more than %d is served" % most)
                # On the port of an API it is the same peer.
                with server.connect(port=server.ports["trendy"]) as one_more:
                    require(not is_served(one_more, server), "another port gives one more")
                for source in (network.SECOND,):
                    with server.connect(source=source) as other:
                        require(is_served(other, server), "another peer is closed")
                with server.connect(host=network.DESK6) as other:
                    require(is_served(other, server), "the same machine by IPv6 is another peer, and closed")
                own = [server.connect(network.desk, host) for host in ("127.0.0.1", network.DESK) for _ in range(most + 1)]
                require(all(is_served(one, server) for one in own), "this machine has the limit too")
                for one in own:
                    one.close()
                held.pop().close()

                def room():
                    with server.connect() as again:
                        return is_served(again, server)

                eventually("room for another", room)
            finally:
                for one in held:
                    one.close()


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


def handshakes(session, network):
    for flags, most in (((), 64), (("--limit", "lan-handshakes=2"), 2)):
        with session.case("lan: a peer begins %d handshakes a second, and the next is closed" % most), \
                desk(session, network, "--lan", *flags) as server:
            require(begin(server, most) == 0, "one of %d is closed" % most)
            found = []
            # A machine may pause between two of them for longer than the second.
            for _ in range(20):
                time.sleep(1.1)
                found.append(begin(server, most + 1))
                require(found[-1] <= 1, "%d of %d are closed" % (found[-1], most + 1))
                if found[-1] == 1:
                    break
            require(found[-1] == 1, "one more is never closed: %s" % found)
            with server.connect() as plain:
                require(is_served(plain, server), "a connection without TLS is closed, too")
            with network.phone.connect(network.DESK, server.port, network.SECOND) as other:
                other.sendall(hello(b"localhost"))
                require(other.recv(1), "another peer's handshake is closed")
            require(begin(server, most + 40, network.desk, "127.0.0.1") == 0, "this machine has the limit, too")
            time.sleep(1.1)
            require(begin(server, 1) == 0, "the limit holds for longer than its second")


def tokens(session, network):
    with session.case("lan: every control call of another machine needs the token"), \
            desk(session, network, "--lan") as server:
        for path in ("health", "apis", "clock", "worlds", "requests", "requests.har", "state", "tls", "tls/failures",
                     "metrics", "openapi.json", "connection-faults", "mode"):
            for method in ("GET", "POST", "DELETE"):
                answer = server.ask(method, "/__admin/" + path, body={} if method == "POST" else None)
                require(answer.status == 401, "%s %s is %d" % (method, path, answer.status))
                for wrong in (TOKEN[:-1], TOKEN + "x", "x"):
                    answer = server.ask(method, "/__admin/" + path, token=wrong, body={} if method == "POST" else None)
                    require(answer.status == 401, "%s %s is %d with %r" % (method, path, answer.status, wrong))
        require(server.ask("GET", "/__admin/health", token=TOKEN).status == 200, "the token is refused")
        for path in ("ca.pem", "ca.crt", "ca.mobileconfig"):
            require(server.ask("GET", "/__admin/" + path).status == 200, "%s needs the token" % path)
    with session.case("lan: a token is made where none is given, and none can be empty"):
        with desk(session, network, "--lan", token=None) as server:
            made = re.search(r"admin token   (\S+)", server.said() or eventually("text", server.said))
            made = made or eventually("the token", lambda: re.search(r"admin token   (\S+)", server.said()))
            require(len(made.group(1)) >= 22, "the token is %r" % made.group(1))
            require(server.ask("GET", "/__admin/health").status == 401, "no token is forced")
            require(server.ask("GET", "/__admin/health", token=made.group(1)).status == 200, "the token made is refused")
        for words in (["--admin-token", ""], ["--admin-token", " "]):
            run = network.desk.run([session.binary, "serve", "--port", "0", "--lan", *words], timeout=PATIENCE)
            require(run.returncode == 2 and b"admin-token" in run.stderr, "%s is %d" % (words, run.returncode))
    with session.case("lan: nothing that is shown or served without it holds the token"), \
            desk(session, network, "--lan", "--qr", "--pair", "--device-link", "myapp://x?base={base}") as server:
        eventually("what is printed", lambda: "#pair=" in server.said())
        code = pairing_code(server)
        shown = {"ready line": server.ready_text.encode()}
        for path in ("/__device", "/__device/check", "/__device/qr.png", "/__admin/ca.mobileconfig", "/__admin/ca.pem",
                     "/__admin/ca.crt", "/"):
            shown[path] = server.ask("GET", path).body
        for what, content in shown.items():
            require(TOKEN.encode() not in content and code.encode() not in content, "%s holds a secret" % what)
        require(TOKEN not in qr.scanned(qr.from_png(shown["/__device/qr.png"], 8)), "the picture holds the token")
        for lines in codes(server.said()):
            require(TOKEN not in qr.scanned(qr.from_terminal(lines)), "a code in the terminal holds the token")


def hosts(session, network):
    name = network.desk.run(["hostname"]).stdout.decode().strip().split(".")[0].lower()
    with session.case("lan: HOST.local is a Host of control calls with --lan alone"):
        with desk(session, network, "--lan") as server:
            for given in (name + ".local", name.upper() + ".LOCAL.", "%s.local:%d" % (name, server.port)):
                answer = server.ask("GET", "/__admin/health", token=TOKEN, authority=given)
                require(answer.status == 200, "%s is %d" % (given, answer.status))
                require(server.ask("GET", "/__device", authority=given).status == 200, "the page is not there as " + given)
            for given in ("x%s.local" % name, name, "other.local", "a.%s.local" % name):
                answer = server.ask("GET", "/__admin/health", token=TOKEN, authority=given)
                require(answer.status == 421 and "--allow-host" in answer.json["detail"], "%s is %d" % (given, answer.status))
            trusted = server.ask("GET", "/__device/check", trust=server.trust(), name=name + ".local")
            require(trusted.status == 200 and trusted.json["scheme"] == "https", "HOST.local has no certificate")
        with desk(session, network, "--host", network.DESK) as server:
            answer = server.ask("GET", "/__admin/health", token=TOKEN, authority=name + ".local")
            require(answer.status == 421, "without --lan it is %d" % answer.status)


def upstreams(session, network):
    def order(mode):
        return {"api": "trendy", "mode": mode, "upstream": "http://127.0.0.1:9"}

    with session.case("lan: modes with an upstream are refused unless --lan-upstream says so"):
        for flags in ((), ("--lan-upstream",)):
            with desk(session, network, "--lan", *flags) as server:
                orders = [order(mode) for mode in ("record", "spy", "diff")]
                orders[0]["recording"] = "made.har"
                orders.append(dict(order("replay"), recording=os.path.join(server.folder, "own.har"), miss="forward"))
                with open(orders[3]["recording"], "w") as file:
                    file.write('{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[]}}')
                for body in orders:
                    answer = server.ask("PUT", "/__admin/mode", body, token=TOKEN)
                    if flags:
                        require(answer.status != 403, "%s is refused all the same" % body["mode"])
                    else:
                        require(answer.status == 403 and answer.problem == "upstream-not-shared",
                                "%s is %d %s" % (body["mode"], answer.status, answer.body[:200]))
    with session.case("lan: the command record is refused unless --lan-upstream says so"):
        words = [session.binary, "record", "--api", "trendy", "--upstream", "http://127.0.0.1:9", "--out", "a.har",
                 "--port", "0", "--lan", "--ca", "ca"]
        with tempfile.TemporaryDirectory() as folder:
            run = network.desk.run(words, cwd=folder, timeout=PATIENCE)
            require(run.returncode == 2 and b"--lan-upstream" in run.stderr, "record is %d" % run.returncode)
            process = subprocess.Popen([*words, "--lan-upstream"], cwd=folder, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, preexec_fn=network.desk.enter)
            try:
                require(b'"lan"' in process.stdout.readline(), "record does not start with --lan-upstream")
            finally:
                process.kill()
                process.wait()
                process.stdout.close()


def preferences(session, network):
    field = ["Prefer: code=503"]
    target = "/api/v1/health"
    for flags, expected in (((), False), (("--allow-prefer",), True)):
        with session.case("lan: Prefer of another machine is %s" % ("taken with --allow-prefer" if expected else "off")), \
                desk(session, network, "--lan", *flags) as server:
            port = server.ports["trendy"]
            usual = server.ask("GET", target, port=port).status
            require(usual != 503, "an answer is 503 as it is")
            for machine, host, acts in (
                (network.phone, network.DESK, expected), (network.phone, network.DESK6, expected),
                (network.desk, "127.0.0.1", True), (network.desk, "::1", True),
            ):
                shown = "[%s]" % host if ":" in host else host
                for path, fields in ((target, field), (target + "?__code=503", [])):
                    answer = server.ask("GET", path, machine=machine, host=host, port=port, fields=fields,
                                        authority="%s:%d" % (shown, port))
                    require((answer.status == 503) == acts, "%s from %s is %d" % (path, host, answer.status))


def leaving(session, network):
    with session.case("lan: after --lan-for only this machine is answered, which is printed"), \
            desk(session, network, "--lan", "--lan-for", "PT3S", "--pair") as server:
        code = {"code": pairing_code(server)}
        token = server.ask("POST", "/__device/pair", code, machine=network.desk, trust=server.trust()).json["token"]
        with server.connect() as idle, server.connect(network.desk) as own:
            require(is_served(idle, server), "a phone is not served before")
            require(is_served(own, server), "this machine is not served before")
            eventually("the end", lambda: "--lan-for is over; only this machine is answered now" in server.said())
            require(not is_served(idle, server), "a connection of a phone goes on")
            require(is_served(own, server), "a connection of this machine ends")
        for port in [server.port, *server.ports.values()]:
            for host in (network.DESK, network.DESK6):
                for machine in (network.phone, network.desk):
                    try:
                        server.connect(machine, host, port).close()
                        raise AssertionError("%s:%d is still open" % (host, port))
                    except ConnectionRefusedError:
                        pass
            for host in ("127.0.0.1", "::1"):
                server.connect(network.desk, host, port).close()
        answer = server.ask("GET", "/__admin/health", machine=network.desk, token=TOKEN)
        require(answer.status == 200, "health is %d on loopback" % answer.status)
        # A paired device may still come through a cable: its token dies with the process.
        answer = server.ask("GET", "/__admin/clock", machine=network.desk, token=token)
        require(answer.status == 200, "the token of a paired device is %d" % answer.status)
    with session.case("lan: it lasts for twelve hours by default, and a duration is one of ISO 8601"):
        said = subprocess.run([session.binary, "serve", "--help"], capture_output=True, text=True).stdout
        require(re.search(r"--lan-for.*PT12H", said.replace("\n", " ")), "the default is another")
        for text in ("12", "0", "PT0S", "-PT1S", "tomorrow", ""):
            run = network.desk.run([session.binary, "serve", "--port", "0", "--lan", "--lan-for", text], timeout=PATIENCE)
            require(run.returncode == 2 and b"lan-for" in run.stderr, "%r is %d" % (text, run.returncode))


def places(session, network):
    for given in (network.DESK, "wlan0"):
        with session.case("lan: --lan %s listens there and on loopback" % ("ADDRESS" if given[0].isdigit() else "INTERFACE")), \
                desk(session, network, "--lan", given) as server:
            require(server.ready["lan"]["address"] == network.DESK and server.ready["lan"]["interface"] == "wlan0",
                    "the ready line says %s" % server.ready["lan"])
            with server.connect() as phone:
                require(is_served(phone, server), "a phone is not served")
            server.connect(network.desk, "127.0.0.1").close()
            try:
                server.connect(network.desk, network.OTHER).close()
                raise AssertionError("another address is listened on")
            except ConnectionRefusedError:
                pass
    with session.case("lan: what this machine lacks is 2, with what it has"):
        for given in ("203.0.113.9", "eth7", "fe80::1"):
            run = network.desk.run([session.binary, "serve", "--port", "0", "--lan", given], timeout=PATIENCE)
            require(run.returncode == 2, "%s is %d" % (given, run.returncode))
            require(network.DESK.encode() in run.stderr and b"wlan0" in run.stderr, "it says %r" % run.stderr)
        run = network.desk.run([session.binary, "serve", "--port", "0", "--lan", "--host", "0.0.0.0"], timeout=PATIENCE)
        require(run.returncode == 2 and b"--host" in run.stderr, "with --host it is %d" % run.returncode)
    with session.case("lan: the route through a container's network gives way, and the others are listed"):
        network.desk.ip("route", "replace", "default", "via", "172.17.0.2")
        try:
            with desk(session, network, "--lan") as server:
                lan = server.ready["lan"]
                require(lan["address"] == network.DESK, "the address is %s" % lan["address"])
                others = {(item["address"], item["interface"]) for item in lan["others"]}
                require({(network.DESK6, "wlan0"), (network.OTHER, "wlan1")} <= others, "the others are %s" % others)
                require(not {"docker0", "lo"} & {interface for _, interface in others}, "the others are %s" % others)
        finally:
            network.desk.ip("route", "replace", "default", "via", network.PHONE)


def moving(session, network):
    moved = "192.168.77.99"
    with session.case("lan: an address that changes is printed, and everything follows it"), \
            desk(session, network, "--lan", "--pair") as server:
        require(server.ready["lan"]["device"] == "http://%s:%d/__device" % (network.DESK, server.port), "the page is elsewhere")
        network.desk.ip("address", "del", network.DESK + "/24", "dev", "wlan0")
        network.desk.ip("address", "add", moved + "/24", "dev", "wlan0")
        network.desk.ip("route", "replace", "default", "via", network.PHONE)
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
            require(begin(server, 100, network.desk, moved) == 0, "the new address is a stranger's")
        finally:
            network.desk.ip("address", "del", moved + "/24", "dev", "wlan0")
            network.desk.ip("address", "add", network.DESK + "/24", "dev", "wlan0")
            network.desk.ip("route", "replace", "default", "via", network.PHONE)


def pairing_code(server):
    return re.search(r"#pair=([0-9a-f]{32})", eventually("the code", lambda: "#pair=" in server.said() and server.said())).group(1)


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


class OnTerminal:
    """`understudy serve` whose standard error is a terminal."""

    def __init__(self, session, network, *flags, columns=80):
        self.folder = tempfile.TemporaryDirectory()
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        words = [session.binary, "serve", "--port", "0", "--ca", "ca", "--admin-token", TOKEN, *flags]
        self.process = subprocess.Popen(words, cwd=self.folder.name, stdin=slave, stdout=subprocess.PIPE, stderr=slave,
                                        preexec_fn=network.desk.enter)
        os.close(slave)
        self.master, self.data = master, b""
        self.ready = json.loads(self.process.stdout.readline())

    def until(self, text):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if text in self.data.decode(errors="replace"):
                return self.data.decode(errors="replace")
            if select.select([self.master], [], [], 1)[0]:
                self.data += os.read(self.master, 65536)
        raise AssertionError("%r does not come: %r" % (text, self.data[-500:]))

    def rest(self):
        """Everything that was printed, until the program has ended."""
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(OSError):
            while piece := os.read(self.master, 65536):
                self.data += piece
        self.process.wait()
        return self.data.decode(errors="replace")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        os.close(self.master)
        self.folder.cleanup()


@contextlib.contextmanager
def terminal(session, network, *flags, **options):
    made = OnTerminal(session, network, *flags, **options)
    try:
        yield made
    finally:
        made.close()


def drawings(session, network):
    with session.case("lan: on a terminal a scanner reads the device page, and the code for pairing"), \
            terminal(session, network, "--lan", "--pair") as server:
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
            terminal(session, network, "--lan", "--qr", "invert") as server:
        server.until("adb reverse")
        lines = codes(server.rest())[0]
        width = len(lines[0])
        rows = qr.from_terminal(lines, light_ink=False)[:width]
        qr.require_quiet(rows)
        require(qr.scanned(rows) == server.ready["lan"]["device"], "it is not read on a light terminal")
    with session.case("lan: without a terminal there is a code with --qr alone, and never one for pairing"):
        for flags, count in ((("--lan", "--pair"), 0), (("--lan", "--pair", "--qr"), 1)):
            with desk(session, network, *flags) as server:
                pairing_code(server)
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
            desk(session, network, "--lan", "--qr", "--pair", "checkout") as server:
        said = eventually("what is printed", lambda: "#pair=" in server.said() and server.said())
        # 1. The code on the screen.
        address = qr.scanned(qr.from_terminal(codes(said)[0])[:len(codes(said)[0][0])])
        match = re.fullmatch(r"http://([0-9.]+):(\d+)/__device", address)
        require(match and match.group(1) == network.DESK, "the code is %r" % address)
        port = int(match.group(2))
        # 2. The page, without any trust, and the root with the fingerprint that both screens show.
        page = server.ask("GET", "/__device", port=port)
        require(page.status == 200 and page.fields["cache-control"] == "no-store", "the page is %d" % page.status)
        for path, kind in (("/__admin/ca.mobileconfig", "application/x-apple-aspen-config"),
                           ("/__admin/ca.crt", "application/x-x509-ca-cert")):
            require(path.encode() in page.body, "the page does not offer " + path)
            require(server.ask("GET", path).fields["content-type"].startswith(kind), "%s is no %s" % (path, kind))
        der = server.ask("GET", "/__admin/ca.crt").body
        import hashlib
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


def run(session, random, deadline, clock):
    with session.case("lan: another machine can be played") as row:
        row["note"] = "a network namespace beside this one"
        with home_network():
            pass
    if row["verdict"] != "ok":
        return
    with home_network() as network:
        network.SECOND, network.OTHER = "192.168.77.51", "192.168.78.23"
        network.phone.ip("address", "add", network.SECOND + "/24", "dev", "wlan0")
        network.desk.wire("wlan1", network.phone, "wlan1")
        network.desk.ip("address", "add", network.OTHER + "/24", "dev", "wlan1")
        # An alias of the loopback interface, as some have for their containers, leads nowhere.
        network.desk.ip("address", "add", "10.254.254.254/32", "dev", "lo")
        network.desk.wire("docker0", network.phone, "container")
        network.desk.ip("address", "add", "172.17.0.1/16", "dev", "docker0")
        for attack in (connections, handshakes, tokens, hosts, upstreams, preferences, leaving, places, moving, drawings,
                       journey):
            attack(session, network)
