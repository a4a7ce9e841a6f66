"""Device mode as strangers on the network have it: other machines, real sockets (transport contract, section 8)."""

import json
import os
import re
import subprocess
import tempfile
import time

import attack_phone
import qr
from attack_tls import hello
from desktop import PATIENCE, TOKEN, Desk, begin, codes, eventually, is_served
from network import home_network
from serving import Serving
from session import require


def connections(session, network):
    for flags, most in (((), 256), (("--limit", "lan-connections=3"), 3)):
        with session.case("lan: a peer has %d connections, and the next is closed" % most), \
                Desk(session, network, "--lan", *flags) as server:
            held = [server.connect() for _ in range(most)]
            try:
                require(all(is_served(one, server) for one in held), "one of %d is closed" % most)
                with server.connect() as one_more:
                    require(not is_served(one_more, server), "one more than %d is served" % most)
                # On the port of an API it is the same peer.
                with server.connect(port=server.ports["trendy"]) as one_more:
                    require(not is_served(one_more, server), "another port gives one more")
                with server.connect(source=network.SECOND) as other:
                    require(is_served(other, server), "another peer is closed")
                with server.connect(host=network.DESKTOP6) as other:
                    require(is_served(other, server), "the same machine by IPv6 is another peer, and closed")
                own = [server.connect(network.desktop, host) for host in ("127.0.0.1", network.DESKTOP) for _ in range(most + 1)]
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


def handshakes(session, network):
    for flags, most in (((), 64), (("--limit", "lan-handshakes=2"), 2)):
        with session.case("lan: a peer begins %d handshakes a second, and the next is closed" % most), \
                Desk(session, network, "--lan", *flags) as server:
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
            with network.phone.connect(network.DESKTOP, server.port, network.SECOND) as other:
                other.sendall(hello(b"localhost"))
                require(other.recv(1), "another peer's handshake is closed")
            require(begin(server, most + 40, network.desktop, "127.0.0.1") == 0, "this machine has the limit, too")
            time.sleep(1.1)
            require(begin(server, 1) == 0, "the limit holds for longer than its second")


def tokens(session, network):
    with session.case("lan: every control call of another machine needs the token"), \
            Desk(session, network, "--lan") as server:
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
        with Desk(session, network, "--lan", token=None) as server:
            made = re.search(r"admin token   (\S+)", server.said() or eventually("text", server.said))
            made = made or eventually("the token", lambda: re.search(r"admin token   (\S+)", server.said()))
            require(len(made.group(1)) >= 22, "the token is %r" % made.group(1))
            require(server.ask("GET", "/__admin/health").status == 401, "no token is forced")
            require(server.ask("GET", "/__admin/health", token=made.group(1)).status == 200, "the token made is refused")
        for words in (["--admin-token", ""], ["--admin-token", " "]):
            run = network.desktop.run([session.binary, "serve", "--port", "0", "--lan", *words], timeout=PATIENCE)
            require(run.returncode == 2 and b"admin-token" in run.stderr, "%s is %d" % (words, run.returncode))
    with session.case("lan: nothing that is shown or served without it holds the token"), \
            Desk(session, network, "--lan", "--qr", "--pair", "--device-link", "myapp://x?base={base}") as server:
        eventually("what is printed", lambda: "#pair=" in server.said())
        code = server.pairing_code()
        shown = {"ready line": json.dumps(server.ready).encode()}
        for path in ("/__device", "/__device/check", "/__device/qr.png", "/__admin/ca.mobileconfig", "/__admin/ca.pem",
                     "/__admin/ca.crt", "/"):
            shown[path] = server.ask("GET", path).body
        for what, content in shown.items():
            require(TOKEN.encode() not in content and code.encode() not in content, "%s holds a secret" % what)
        require(TOKEN not in qr.scanned(qr.from_png(shown["/__device/qr.png"], 8)), "the picture holds the token")
        for lines in codes(server.said()):
            require(TOKEN not in qr.scanned(qr.from_terminal(lines)), "a code in the terminal holds the token")


def hosts(session, network):
    name = network.desktop.run(["hostname"]).stdout.decode().strip().split(".")[0].lower()
    with session.case("lan: HOST.local is a Host of control calls with --lan alone"):
        with Desk(session, network, "--lan") as server:
            for given in (name + ".local", name.upper() + ".LOCAL.", "%s.local:%d" % (name, server.port)):
                answer = server.ask("GET", "/__admin/health", token=TOKEN, authority=given)
                require(answer.status == 200, "%s is %d" % (given, answer.status))
                require(server.ask("GET", "/__device", authority=given).status == 200, "the page is not there as " + given)
            for given in ("x%s.local" % name, name, "other.local", "a.%s.local" % name):
                answer = server.ask("GET", "/__admin/health", token=TOKEN, authority=given)
                require(answer.status == 421 and "--allow-host" in answer.json["detail"], "%s is %d" % (given, answer.status))
            trusted = server.ask("GET", "/__device/check", trust=server.trust(), name=name + ".local")
            require(trusted.status == 200 and trusted.json["scheme"] == "https", "HOST.local has no certificate")
        with Desk(session, network, "--host", network.DESKTOP) as server:
            answer = server.ask("GET", "/__admin/health", token=TOKEN, authority=name + ".local")
            require(answer.status == 421, "without --lan it is %d" % answer.status)


def upstreams(session, network):
    def order(mode):
        return {"api": "trendy", "mode": mode, "upstream": "http://127.0.0.1:9"}

    with session.case("lan: modes with an upstream are refused unless --lan-upstream says so"):
        for flags in ((), ("--lan-upstream",)):
            with Desk(session, network, "--lan", *flags) as server:
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
            run = network.desktop.run(words, cwd=folder, timeout=PATIENCE)
            require(run.returncode == 2 and b"--lan-upstream" in run.stderr, "record is %d" % run.returncode)
            with Serving(*words, "--lan-upstream", cwd=folder, preexec_fn=network.desktop.enter) as record:
                require("lan" in record.ready, "record does not start with --lan-upstream")


def preferences(session, network):
    field = ["Prefer: code=503"]
    target = "/api/v1/health"
    for flags, expected in (((), False), (("--allow-prefer",), True)):
        with session.case("lan: Prefer of another machine is %s" % ("taken with --allow-prefer" if expected else "off")), \
                Desk(session, network, "--lan", *flags) as server:
            port = server.ports["trendy"]
            usual = server.ask("GET", target, port=port).status
            require(usual != 503, "an answer is 503 as it is")
            for machine, host, acts in (
                (network.phone, network.DESKTOP, expected), (network.phone, network.DESKTOP6, expected),
                (network.desktop, "127.0.0.1", True), (network.desktop, "::1", True),
            ):
                shown = "[%s]" % host if ":" in host else host
                for path, fields in ((target, field), (target + "?__code=503", [])):
                    answer = server.ask("GET", path, machine=machine, host=host, port=port, fields=fields,
                                        authority="%s:%d" % (shown, port))
                    require((answer.status == 503) == acts, "%s from %s is %d" % (path, host, answer.status))


def leaving(session, network):
    with session.case("lan: after --lan-for only this machine is answered, which is printed"), \
            Desk(session, network, "--lan", "--lan-for", "PT10S", "--pair") as server:
        code = {"code": server.pairing_code()}
        token = server.ask("POST", "/__device/pair", code, machine=network.desktop, trust=server.trust()).json["token"]
        with server.connect() as idle, server.connect(network.desktop) as own:
            require(is_served(idle, server), "a phone is not served before")
            require(is_served(own, server), "this machine is not served before")
            eventually("the end", lambda: "--lan-for is over; only this machine has access now" in server.said())
            require(not is_served(idle, server), "a connection of a phone goes on")
            require(is_served(own, server), "a connection of this machine ends")
        for port in [server.port, *server.ports.values()]:
            for host in (network.DESKTOP, network.DESKTOP6):
                for machine in (network.phone, network.desktop):
                    try:
                        server.connect(machine, host, port).close()
                        raise AssertionError("%s:%d is still open" % (host, port))
                    except ConnectionRefusedError:
                        pass
            for host in ("127.0.0.1", "::1"):
                server.connect(network.desktop, host, port).close()
        answer = server.ask("GET", "/__admin/health", machine=network.desktop, token=TOKEN)
        require(answer.status == 200, "health is %d on loopback" % answer.status)
        # A paired device may still come through a cable: its token dies with the process.
        answer = server.ask("GET", "/__admin/clock", machine=network.desktop, token=token)
        require(answer.status == 200, "the token of a paired device is %d" % answer.status)
    with session.case("lan: it lasts for twelve hours by default, and a duration is one of ISO 8601"):
        said = subprocess.run([session.binary, "serve", "--help"], capture_output=True, text=True).stdout
        require(re.search(r"--lan-for.*PT12H", said.replace("\n", " ")), "the default is another")
        for text in ("12", "0", "PT0S", "-PT1S", "tomorrow", ""):
            run = network.desktop.run([session.binary, "serve", "--port", "0", "--lan", "--lan-for", text], timeout=PATIENCE)
            require(run.returncode == 2 and b"lan-for" in run.stderr, "%r is %d" % (text, run.returncode))


def places(session, network):
    for given in (network.DESKTOP, "wlan0"):
        with session.case("lan: --lan %s listens there and on loopback" % ("ADDRESS" if given[0].isdigit() else "INTERFACE")), \
                Desk(session, network, "--lan", given) as server:
            require(server.ready["lan"]["address"] == network.DESKTOP and server.ready["lan"]["interface"] == "wlan0",
                    "the ready line says %s" % server.ready["lan"])
            with server.connect() as phone:
                require(is_served(phone, server), "a phone is not served")
            server.connect(network.desktop, "127.0.0.1").close()
            try:
                server.connect(network.desktop, network.OTHER).close()
                raise AssertionError("another address is listened on")
            except ConnectionRefusedError:
                pass
    with session.case("lan: what this machine lacks is 2, with what it has"):
        for given in ("203.0.113.9", "eth7", "fe80::1"):
            run = network.desktop.run([session.binary, "serve", "--port", "0", "--lan", given], timeout=PATIENCE)
            require(run.returncode == 2, "%s is %d" % (given, run.returncode))
            require(network.DESKTOP.encode() in run.stderr and b"wlan0" in run.stderr, "it says %r" % run.stderr)
        run = network.desktop.run([session.binary, "serve", "--port", "0", "--lan", "--host", "0.0.0.0"], timeout=PATIENCE)
        require(run.returncode == 2 and b"--host" in run.stderr, "with --host it is %d" % run.returncode)
    with session.case("lan: the route through a container's network gives way, and the others are listed"):
        network.desktop.ip("route", "replace", "default", "via", "172.17.0.2")
        try:
            with Desk(session, network, "--lan") as server:
                lan = server.ready["lan"]
                require(lan["address"] == network.DESKTOP, "the address is %s" % lan["address"])
                others = {(item["address"], item["interface"]) for item in lan["others"]}
                require({(network.DESKTOP6, "wlan0"), (network.OTHER, "wlan1")} <= others, "the others are %s" % others)
                require(not {"docker0", "lo"} & {interface for _, interface in others}, "the others are %s" % others)
        finally:
            network.desktop.ip("route", "replace", "default", "via", network.PHONE)


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
        network.desktop.wire("wlan1", network.phone, "wlan1")
        network.desktop.ip("address", "add", network.OTHER + "/24", "dev", "wlan1")
        # An alias of the loopback interface, as some have for their containers, leads nowhere.
        network.desktop.ip("address", "add", "10.254.254.254/32", "dev", "lo")
        network.desktop.wire("docker0", network.phone, "container")
        network.desktop.ip("address", "add", "172.17.0.1/16", "dev", "docker0")
        for attack in (connections, handshakes, tokens, hosts, upstreams, preferences, leaving, places):
            attack(session, network)
        attack_phone.run(session, network)
