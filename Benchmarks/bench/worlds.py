"""Resident memory of many worlds: as they are made, after a sign-in in each, and after a request in each."""

import json

from . import machine
from .servers import read_reply


def measure(server, count):
    """Returns the bytes of each world after the first: new, after a sign-in, and after a request with its token."""
    connection = server.connect()

    def ask(method, path, body=None, fields=()):
        connection.sendall(server.request(method, path, body, list(fields)))
        reply = read_reply(connection)
        if reply.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {reply.status} {reply.body[:200]!r}")
        return json.loads(reply.body)

    # Memory for the first use of everything does not count for a world.
    sign_in = ("POST", "/api/v1/auth/apple", {"idToken": "mock_apple_token"})
    token = ask(*sign_in)["accessToken"]
    ask("GET", "/api/v1/conversations", fields=[("Authorization", f"Bearer {token}")])
    ask("POST", "/__admin/worlds", {"name": "first"})
    sizes = [machine.resident_bytes(server.pid)]
    for number in range(count):
        ask("POST", "/__admin/worlds", {"name": f"bench-{number}"})
    sizes.append(machine.resident_bytes(server.pid))
    tokens = [ask(sign_in[0], f"/@bench-{number}{sign_in[1]}", sign_in[2])["accessToken"] for number in range(count)]
    sizes.append(machine.resident_bytes(server.pid))
    for number, token in enumerate(tokens):
        ask("GET", f"/@bench-{number}/api/v1/conversations", fields=[("Authorization", f"Bearer {token}")])
    sizes.append(machine.resident_bytes(server.pid))
    connection.close()
    return [(size - sizes[0]) / count for size in sizes[1:]]
