"""Understudy for Python tests: worlds, clock, edge cases and the journal of an emulator.

Install the wheel, or copy this file; it needs Python 3.9. `understudy_pytest` has fixtures.

    import understudy

    with understudy.start("--api", "omnichat") as server, server.world() as w:
        w.scenario("omnichat/file-gone")
        run_my_client(base_url=w.url("omnichat"), token=w.token("omnichat", "test@icloud.com"))
        w.verify({"match": {"method": "GET", "path": "/api/v1/conversations"}, "count": {"exactly": 1}})

`start` runs the program (the one that `program` finds) and stops it, `attach` uses a running server.
"""

from __future__ import annotations

import errno
import http.client
import json
import os
import platform
import shutil
import subprocess
import sysconfig
import time
import uuid
from typing import Any, Optional
from urllib.parse import quote, urlencode, urlsplit

__all__ = ["Server", "World", "Clock", "Gate", "Problem", "Unreachable", "attach", "program", "start"]

#: How long a control call may take, in seconds; calls that wait get their own time in addition.
TIMEOUT = 30.0


class Problem(Exception):
    """A control call failed. It has `status` and `document`, the problem document (RFC 9457)."""

    def __init__(self, method: str, path: str, status: int, document: Any) -> None:
        self.status = status
        self.document = document
        detail = document.get("detail") or document.get("title") if isinstance(document, dict) else document
        super().__init__(f"{method} {path}: {status}: {detail}")


class Unreachable(Exception):
    """No server responds at the address."""


def attach(url: Optional[str] = None, token: Optional[str] = None) -> "Server":
    """Uses a running server: `url` is its hub (default: UNDERSTUDY_URL), `token` its admin token."""
    address = url or os.environ.get("UNDERSTUDY_URL")
    if not address:
        raise Unreachable("pass the URL of a hub, or set UNDERSTUDY_URL (`understudy exec -- CMD` sets it)")
    server = Server(address, token or os.environ.get("UNDERSTUDY_ADMIN_TOKEN"))
    server.call("GET", "/health")
    return server


def program() -> str:
    """The path of the program: UNDERSTUDY_BINARY, else the one that was installed with this module, else that of PATH."""
    if os.environ.get("UNDERSTUDY_BINARY"):
        return os.environ["UNDERSTUDY_BINARY"]
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")
    for folder in [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user"), target]:
        if found := shutil.which("understudy", path=folder):
            return found
    if found := shutil.which("understudy"):
        return found
    raise Unreachable("`understudy` was not found in PATH; set UNDERSTUDY_BINARY to its path")


def start(*flags: str, binary: Optional[str] = None) -> "Server":
    """Starts a server on free ports with these flags of `understudy serve`; leaving the `with` block stops it.

    It also stops when this process ends, even by a crash: the server exits when the pipe from this process closes.
    """
    path = binary or program()
    script = 'echo "URL $UNDERSTUDY_URL $UNDERSTUDY_ADMIN_TOKEN"; exec cat >/dev/null'
    try:
        process = subprocess.Popen(
            [path, "exec", *flags, "--", "sh", "-c", script],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
    except OSError as error:
        # Without the loader that a program names, the system calls the program missing.
        foreign = error.errno == errno.ENOEXEC or (error.errno == errno.ENOENT and os.path.isfile(path))
        here = f"it is built for another platform than this one ({platform.system()}, {platform.machine()})"
        raise Unreachable(f"{path} can't be started: {here if foreign else error.strerror}") from error
    assert process.stdout and process.stderr
    for line in process.stdout:
        if line.startswith("URL "):
            _, url, *token = line.split()
            return Server(url, token[0] if token else None, process)
    message = process.stderr.read().strip()
    process.wait()
    raise Unreachable(f"understudy exited with {process.returncode}: {message}")


class Server:
    """A running emulator. `hub` is its address."""

    def __init__(self, hub: str, token: Optional[str] = None, process: Optional["subprocess.Popen[str]"] = None) -> None:
        self.hub = hub.rstrip("/")
        self._token = token
        self._process = process

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stops a server that `start` started; does nothing to one that was attached."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin and process.stdout and process.stderr
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        process.stderr.close()

    def world(self, name: Optional[str] = None, **options: Any) -> "World":
        """Creates an isolated world; leaving the `with` block deletes it.

        `options` are the other members of `POST /__admin/worlds`; use `from_` for `from`, which Python reserves.
        """
        body = {key.rstrip("_"): value for key, value in options.items()}
        made = self.call("POST", "/worlds", {"name": name or f"test-{uuid.uuid4().hex[:12]}", **body})
        return World(self, made["name"], made["urls"], made.get("proxy"))

    def call(self, method: str, path: str, body: Any = None, world: Optional[str] = None, timeout: float = TIMEOUT) -> Any:
        """Makes a control call: `path` follows `/__admin`. Returns its JSON, text, or None if there is no content."""
        address = urlsplit(self.hub)
        make = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        connection = make(address.hostname or "", address.port, timeout=timeout)
        headers = {"Accept": "application/json"}
        if world:
            headers["X-Understudy-World"] = world
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, f"{address.path}/__admin{path}", content, headers)
            reply = connection.getresponse()
            data = reply.read()
        except (ConnectionError, OSError) as error:
            raise Unreachable(f"{self.hub}: {error}") from error
        finally:
            connection.close()
        kind = reply.headers.get_content_type()
        value: Any = json.loads(data) if data and kind.endswith("json") else data.decode() if data else None
        if reply.status >= 400:
            raise Problem(method, f"/__admin{path}", reply.status, value)
        return value


class World:
    """An isolated copy of all backends, with its own clock, data, faults and journal."""

    def __init__(self, server: Server, name: str, urls: "dict[str, str]", proxy_url: Optional[str] = None) -> None:
        self.server, self.name, self._urls = server, name, urls
        # The address of the forward proxy with the credentials that name this world; None without it.
        self.proxy_url = proxy_url
        self.clock = Clock(self)

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_: object) -> None:
        self.delete()

    def delete(self) -> None:
        """Deletes the world; does nothing if it no longer exists."""
        try:
            self.server.call("DELETE", f"/worlds/{quote(self.name, safe='')}")
        except Problem as problem:
            if problem.status != 404:
                raise

    def url(self, api: str) -> str:
        """The base URL of an API in this world."""
        if api not in self._urls:
            raise KeyError(f"no API {api!r}; the server has {', '.join(self._urls)}")
        return self._urls[api]

    def call(self, method: str, path: str, body: Any = None, timeout: float = TIMEOUT) -> Any:
        """Makes any control call in this world: `call("PUT", "/latency", {"profile": "3g"})`."""
        return self.server.call(method, path, body, self.name, timeout)

    def reset(self, keep_clock: bool = False) -> None:
        """Resets the world to its seed."""
        self.call("POST", "/reset?keep=clock" if keep_clock else "/reset")

    def scenario(self, name: str, on: bool = True) -> None:
        """Switches an edge case such as `omnichat/file-gone` on or off."""
        self.call("PUT" if on else "DELETE", "/scenarios/" + quote(name))

    def fault(self, fault: "dict[str, Any]") -> str:
        """Creates a fault and returns its id."""
        return str(self.call("POST", "/faults", fault)["id"])

    def gate(self, name: str, match: "Optional[dict[str, Any]]" = None, phase: str = "before") -> "Gate":
        """Creates a gate that holds matching requests until they are released."""
        self.call("POST", "/gates", {"name": name, "match": match or {}, "phase": phase})
        return Gate(self, name)

    def token(self, api: str, user: str, kind: str = "access", state: str = "valid") -> str:
        """Issues a token for a user: kind `access` or `refresh`, state such as `valid`, `expired` or `revoked`."""
        return str(self.call("POST", "/tokens", {"api": api, "user": user, "kind": kind, "state": state})["token"])

    def outbox(self, to: Optional[str] = None) -> "list[dict[str, Any]]":
        """The codes and links that were sent, newest first."""
        return list(self.call("GET", "/outbox" + (f"?{urlencode({'to': to})}" if to else ""))["items"])

    def requests(self, **filters: Any) -> "list[dict[str, Any]]":
        """The exchanges of the world, newest first. Filters are those of `GET /requests`: `method`, `path`, `status`, `user`, …"""
        found: "list[dict[str, Any]]" = []
        while True:
            page = self.call("GET", "/requests?" + urlencode({"limit": 1000, "offset": len(found), **filters}))["items"]
            found += page
            if len(page) < 1000 or "limit" in filters:
                return found

    def verify(self, expectation: "dict[str, Any]") -> None:
        """Raises AssertionError, with the reason and the nearest misses, unless the journal meets the expectation.

        It is also raised if dropped journal entries could change the verdict, unless `"allowDropped": True`.
        """
        verdict = self.call("POST", "/verify", expectation, timeout=TIMEOUT + 600)
        if verdict["verdict"] == "pass":
            return
        lines = [f"{verdict.get('reason') or 'the expectation is not met'} (found {verdict['count']})"]
        for miss in verdict["nearMisses"]:
            lines.append(f"  {miss['id']}: " + "; ".join(miss["differences"]))
        raise AssertionError("\n".join(lines))


class Clock:
    """The clock of a world. Instants are strings such as `2025-01-01T12:00:00Z`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def now(self) -> str:
        return str(self._world.call("GET", "/clock")["now"])

    def advance(self, by: str) -> None:
        """Moves it forward by an ISO 8601 duration such as `PT15M`; delayed responses that are due are sent."""
        self._world.call("POST", "/clock/advance", {"by": by})

    def freeze(self, instant: Optional[str] = None) -> None:
        """Freezes it at its current time or at that instant."""
        self._world.call("PUT", "/clock", {"mode": "frozen", **({"now": instant} if instant else {})})

    def set(self, instant: str) -> None:
        """Sets it to that instant; a frozen clock stays frozen, a running one keeps running."""
        frozen = self._world.call("GET", "/clock")["mode"] == "frozen"
        self._world.call("PUT", "/clock", {"mode": "frozen" if frozen else "offset", "now": instant})

    def run(self) -> None:
        """Lets it run from its current time."""
        self._world.call("PUT", "/clock", {"mode": "offset", "now": self.now()})


class Gate:
    """A gate of a world."""

    def __init__(self, world: World, name: str) -> None:
        self._world, self._path = world, "/gates/" + quote(name, safe="")
        self.name = name

    def held(self) -> "list[str]":
        """The journal keys of the held requests, oldest first."""
        return list(self._world.call("GET", self._path)["held"])

    def wait(self, n: int = 1, seconds: float = 5.0) -> "list[str]":
        """Waits until it holds n requests; raises TimeoutError that says how many it held and which requests came instead."""
        end = time.monotonic() + seconds
        while len(held := self.held()) < n and time.monotonic() < end:
            time.sleep(0.02)
        if len(held) >= n:
            return held
        others = ", ".join(f"{e['method']} {e['path']}" for e in self._world.requests()[:5]) or "nothing"
        raise TimeoutError(f"gate {self.name} held {len(held)} of {n} requests after {seconds} s; the latest requests: {others}")

    def release(self, count: Optional[int] = None) -> None:
        """Releases the oldest `count` requests, or all."""
        self._world.call("POST", self._path + "/release", {} if count is None else {"count": count})
