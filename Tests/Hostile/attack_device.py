"""What a stranger on the network may try against device mode (transport contract, section 8)."""

import json

import attack_lan
from attack_tls import context, plain, read
from server import Server
from session import MIB, require

TOKEN = "hostile-admin-token"


def ask(server, request, secure=False):
    connection = plain(server.port)
    try:
        if secure:
            connection = context(server).wrap_socket(connection, server_hostname="localhost")
        connection.sendall(request)
        answer = read(connection)
    finally:
        connection.close()
    return int(answer.split(b" ", 2)[1]), answer


def call(method, path, body=b"", host="localhost", *fields):
    lines = ["%s %s HTTP/1.1" % (method, path), "Host: " + host, "Connection: close"]
    if body:
        lines += ["Content-Type: application/json", "Content-Length: %d" % len(body)]
    return ("\r\n".join(lines + list(fields)) + "\r\n\r\n").encode() + body


def guesses(session, random):
    with Server(session.binary, "--lan", "127.0.0.1", "--ca", "ca", "--pair", admin_token=TOKEN) as server:
        code = server.pairing_code()

        def guess():
            for _ in range(10):
                body = json.dumps({"code": "%032x" % random.getrandbits(128)}).encode()
                require(ask(server, call("POST", "/__device/pair", body), True)[0] == 403, "a guess is taken")
            right = json.dumps({"code": code}).encode()
            require(ask(server, call("POST", "/__device/pair", right), True)[0] == 403, "ten guesses end no pairing")

        session.holds("device: codes are guessed", server, guess, peak=100 * MIB)


def strangers(session, random):
    with Server(session.binary, "--lan", "127.0.0.1", "--ca", "ca", "--pair", admin_token=TOKEN) as server:
        code = server.pairing_code()
        tokens = []

        def pry():
            for path in ("/__device", "/__device/check", "/__device/qr.png", "/__admin/ca.mobileconfig", "/"):
                status, answer = ask(server, call("GET", path))
                require(status == 200, "%s is %d" % (path, status))
                require(TOKEN.encode() not in answer and code.encode() not in answer, "%s holds a secret" % path)
            for host in ("evil.example", "localhost.evil.example", "phone.local.evil.example", "x" * 300):
                require(ask(server, call("GET", "/__device", host=host))[0] == 421, "a foreign host is answered")
            body = json.dumps({"code": code}).encode()
            require(ask(server, call("POST", "/__device/pair", body))[0] == 426, "a token is given in the clear")
            crossed = call("POST", "/__device/pair", body, "localhost", "Origin: https://evil.example")
            require(ask(server, crossed, True)[0] == 403, "another site pairs")
            # The attack may be measured again, and the code pairs once.
            if not tokens:
                status, answer = ask(server, call("POST", "/__device/pair", body), True)
                require(status == 200, "the code is refused with %d" % status)
                tokens.append(json.loads(answer.split(b"\r\n\r\n", 1)[1])["token"])
            token = tokens[0]
            paired = "Authorization: Bearer " + token
            for method, path in (("GET", "/__admin/clock"), ("GET", "/__admin/health"), ("GET", "/__admin/requests")):
                require(ask(server, call(method, path, b"", "localhost", paired))[0] == 200, "%s is refused" % path)
            for method, path, text in (
                ("GET", "/__admin/worlds", b""), ("DELETE", "/__admin/worlds/main", b""), ("GET", "/__admin/state", b""),
                ("PUT", "/__admin/mode", b"{}"), ("POST", "/__admin/connection-faults", b"{}"),
                ("GET", "/@other/__admin/clock", b""), ("GET", "/__admin/%63lock/../worlds", b""),
                ("GET", "/__admin/stubs", b""), ("GET", "/__admin/tls", b""),
            ):
                status, _ = ask(server, call(method, path, text, "localhost", paired))
                require(status in (400, 403, 404), "%s %s is %d" % (method, path, status))
            for wrong in ("", token[:-1], token + "0", token.upper() + " ", TOKEN[:-1]):
                status, _ = ask(server, call("GET", "/__admin/clock", b"", "localhost", "Authorization: Bearer " + wrong))
                require(status == 401, "the token %r is %d" % (wrong, status))
            status, _ = ask(server, b"POST /__device/pair HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            b"Content-Type: application/json\r\nContent-Length: 3000000\r\n\r\n", True)
            require(status == 413, "a code of 3 MB is %d" % status)

        session.holds("device: a stranger and a paired device go too far", server, pry, peak=100 * MIB)


def run(session, random, deadline, clock):
    for attack in (guesses, strangers):
        attack(session, random)
    attack_lan.run(session, random, deadline, clock)
