"""The table "The message in your crash log" of docs/guides/troubleshooting.md: each row's call makes its client say its message.

URLSession's rows are made by `CrashLogTests` of Tests/BlackBox; here the bytes that it meets are looked at. OkHttp and Dart don't
run here: their rows too are held to the bytes.
"""

import asyncio
import os
import re
import shlex

import aiohttp
import httpx
import requests
from session import ROOT, ClientTest
from supabase import create_client
from wire import Wire, handshake_error

PATH = "/api/v1/conversations"


def rows():
    """The rows of the table: (client, message, call)."""
    with open(os.path.join(ROOT, "docs", "guides", "troubleshooting.md")) as file:
        section = file.read().split("## The message in your crash log")[1].split("\n## ")[0]
    lines = [line for line in section.split("\n") if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\) \| ", line.strip("| "))] for line in lines]
    return [(client, message, call.strip("`").replace("\\|", "|")) for client, message, call, _ in cells]


class CrashLogTest(ClientTest):
    def setUp(self):
        super().setUp()
        self.chat = self.server.apis["omnichat"]
        self.url = self.chat + PATH

    # MARK: What the clients say

    def said_by(self, action):
        try:
            action()
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        self.fail("there was no error")

    def requests(self):
        return self.said_by(lambda: requests.get(self.url, timeout=20))

    def httpx(self):
        return self.said_by(lambda: httpx.get(self.url, timeout=20))

    def aiohttp(self):
        async def get():
            async with aiohttp.ClientSession() as session, session.get(self.url) as response:
                await response.read()

        return self.said_by(lambda: asyncio.run(get()))

    def undici(self):
        found = self.node(self.url)[0]
        return f"{found['code']} {found['message']}"

    def supabase(self):
        client = create_client(self.server.apis["trendy"], "anon")
        client.auth.sign_in_with_password({"email": "completed@trendy.example", "password": "trendy-pass-1"})
        return self.said_by(client.auth.refresh_session)

    def jvm(self):
        return self.java(self.url)

    def jvm_over_tls(self):
        return self.java(self.url.replace("http:", "https:"))

    # MARK: The bytes of clients that are not here

    def silence(self):
        with Wire(self.chat) as wire:
            return "nothing comes" if wire.send(PATH).is_silent() else "something came"

    def reset(self):
        with Wire(self.chat) as wire:
            return self.said_by(wire.send(PATH).rest)

    def received(self):
        with Wire(self.chat) as wire:
            return wire.send(PATH).rest()

    def nothing(self):
        return "an end without a byte" if self.received() == b"" else "something came"

    def no_http(self):
        found = self.received()
        return "no HTTP" if found and not found.startswith(b"HTTP/") else f"{found[:20]}"

    def cut_head(self):
        return repr(self.received())

    def dead_connection(self):
        with Wire(self.chat) as wire:
            head, _ = wire.send(PATH).answer()
            assert head.startswith(b"HTTP/1.1 401"), head
            again = wire.send(PATH).rest()
        with Wire(self.chat) as fresh:
            head, _ = fresh.send(PATH).answer()
        return f"{again!r}, then a new one: {head[:12]!r}"

    def alert(self):
        return handshake_error(self.chat)

    def range_refused(self):
        answer = requests.get(self.url, headers={"Range": "bytes=100-"}, timeout=20)
        return f"{answer.status_code} {answer.reason}, {answer.headers['Content-Range']}"

    def no_length(self):
        """Every client, since each has its own word for it."""
        found = [requests.get(self.url, timeout=20).headers.get("Content-Length"), httpx.get(self.url).headers.get("Content-Length")]
        self.assertEqual(found, [None, None])
        return "no Content-Length"

    #: What each row makes its client say: a part of the client's name, a part of the message, the client, and what it says.
    PROBES = [
        ("URLSession", "-999", silence, "nothing comes"),
        ("URLSession", "-1001", silence, "nothing comes"),
        ("URLSession", "-1005", reset, "ConnectionResetError"),
        ("URLSession", "-1011", nothing, "an end without a byte"),
        ("URLSession", "-1017", no_http, "no HTTP"),
        ("URLSession", "-1200", alert, "HANDSHAKE_FAILURE"),
        ("undici", "UND_ERR_SOCKET", undici, "UND_ERR_SOCKET other side closed"),
        ("undici", "ECONNRESET", undici, "ECONNRESET"),
        ("OkHttp", "unexpected end of stream", dead_connection, "b'', then a new one: b'HTTP/1.1 401'"),
        ("JVM", "SSLHandshakeException", jvm_over_tls, "SSLHandshakeException: Received fatal alert: handshake_failure"),
        ("JVM", "SocketTimeoutException", jvm, "HttpURLConnection: java.net.SocketTimeoutException: Read timed out"),
        ("Dart", "Connection closed before full header was received", cut_head, repr(b"HTTP/1.1 200 OK\r\nContent-")),
        ("requests", "RemoteDisconnected", requests, "ConnectionError: ('Connection aborted.', RemoteDisconnected("),
        ("requests", "IncompleteRead", requests, "ChunkedEncodingError: ('Connection broken: IncompleteRead("),
        ("httpx", "peer closed", httpx, "RemoteProtocolError: peer closed connection without sending complete message body"),
        ("aiohttp", "ServerDisconnectedError", aiohttp, "ServerDisconnectedError"),
        ("Supabase", "Already Used", supabase, "AuthApiError: Invalid Refresh Token: Already Used"),
        ("any", "416", range_refused, "416 Range Not Satisfiable, bytes */10"),
        ("any", "progress -1", no_length, "no Content-Length"),
    ]

    def stage(self, call):
        """Makes a row's call, as a reader does, against this server."""
        words = shlex.split(call.replace("http://127.0.0.1:4680", self.server.hub))
        words[0] = {"understudy": self.server.binary}.get(words[0], words[0])
        # A fault of the JVM meets both of its clients.
        words = [word.replace('"times":1', '"times":2') for word in words]
        words = ["2" if word == "1" and words[place - 1] == "--times" else word for place, word in enumerate(words)]
        status, text = self.server.run(*words)
        self.assertEqual(status, 0, text)
        self.assertNotIn("/problems/", text)


def case(client, part, message, call, probe, words):
    def test(self):
        self.stage(call)
        said = probe(self)
        self.assertIn(words, said, f"{client}: {message}")

    test.__doc__ = f"11 {client}: {part}"
    return test


def build():
    """One test for each row."""
    left = list(CrashLogTest.PROBES)
    for client, message, call in rows():
        probe = next((probe for probe in left if probe[0] in client and probe[1] in message), None)
        if not probe:
            raise AssertionError(f"no test makes the row {client}: {message}")
        left.remove(probe)
        name = re.sub(r"\W+", "_", f"test_11_{client}_{probe[1]}")
        setattr(CrashLogTest, name, case(client, probe[1], message, call, probe[2], probe[3]))
    if left:
        raise AssertionError(f"the table has no row for {left[0][:2]}")


build()
