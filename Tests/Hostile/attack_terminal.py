"""A server that is not ours, or content that isn't, writes to the terminal of whoever asks (command contract).

Each text that a command shows may hold escapes. None may reach the terminal as it came, neither in the output nor in an
error, and every command ends with an error in one form where the answer is no answer of Understudy.
"""

import http.server
import json
import os
import re
import subprocess
import tempfile
import threading

from server import Server
from session import require

ESCAPES = ["\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;http://evil.test\x1b\\", "\x9b31m", "\r", "\x08\x08", "\x7f", "\u202e",
           "\x1bP+q\x1b\\", "\x00"]
# Whatever a terminal acts on, and the marks that turn a line round; line ends and tabs are ours.
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
COMMANDS = [["log"], ["log", "-n", "3"], ["clock"], ["reset"], ["world", "list"], ["snapshot", "list"], ["scenario", "list"],
            ["fault", "list"], ["gate", "list"], ["latency"], ["settings"], ["outbox"], ["conduct"], ["health"],
            ["requests", "show", "req_1"], ["verify", "--path", "/a"]]


class Broken(http.server.BaseHTTPRequestHandler):
    answer = (200, "application/json", b"{}")

    def reply(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, media, content = self.server.answer
        self.send_response(status)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = reply

    def log_message(self, *arguments):
        pass


def shown(session, hub, arguments, folder):
    done = subprocess.run([os.path.abspath(session.binary)] + arguments + (["--url", hub] if hub else []), cwd=folder,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    output = done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")
    found = RAW.search(output)
    where = output[max(0, found.start() - 40):found.start() + 20] if found else ""
    require(not found, "%s shows %r" % (" ".join(arguments), where))
    require(done.returncode in (0, 1, 2, 3), "%s ends with %d: %r" % (arguments, done.returncode, output[-200:]))
    return done, output


def impostor(session, random, folder):
    """Anything may answer on a port that somebody names."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Broken)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hub = "http://127.0.0.1:%d" % server.server_port

    def text():
        return "a%sb" % random.choice(ESCAPES)

    members = ["at", "now", "world", "name", "id", "path", "method", "api", "error", "message", "code", "state", "verdict",
               "version", "title", "text", "user", "mode", "reason"]
    try:
        for kind in ("nothing", "a list", "HTML", "members with escapes", "items with escapes", "an error with escapes"):
            with session.case("terminal: commands beside what answers with " + kind):
                for arguments in COMMANDS:
                    row = {name: text() for name in random.sample(members, 12)}
                    server.answer = {
                        "nothing": (200, "application/json", b""),
                        "a list": (200, "application/json", b"[1,2]"),
                        "HTML": (200, "text/html", ("<h1>%s</h1>" % text()).encode()),
                        "members with escapes": (200, "application/json", json.dumps(row).encode()),
                        "items with escapes": (200, "application/json", json.dumps({"items": [row, row]}).encode()),
                        "an error with escapes": (random.choice([400, 404, 500]), "application/json", json.dumps(
                            {"error": {"code": text(), "message": text(), "details": [text()]}}).encode()),
                    }[kind]
                    done, output = shown(session, hub, arguments, folder)
                    require("Fatal" not in output and "fatal" not in output, output[-200:])
                    if kind in ("nothing", "a list", "HTML"):
                        require(done.returncode != 0, "%s takes %s for an answer" % (" ".join(arguments), kind))
    finally:
        server.shutdown()
        server.server_close()


def content(session, random, folder):
    """An honest server, whose clients send escapes."""
    with Server(session.binary) as server:
        with session.case("terminal: escapes in what clients have sent"):
            for escape in ESCAPES:
                name = "".join("%%%02X" % byte for byte in escape.encode())
                for target in ("/a" + name, "/a?q=" + name):
                    server.call("POST", target, {"title": escape, "a" + escape: 1},
                                {"User-Agent": "a" + escape.encode().hex(), "X-Note": escape.encode("utf-8").hex()},
                                base=server.apis["omnichat"])
            for arguments in (["log", "-n", "40"], ["requests", "show", "req_1"], ["requests", "show", "req_2", "--curl"],
                              ["verify", "--path", "/a\x1b[2J"], ["conduct"], ["log", "zz\x1b[2J"], ["world", "make", "\x1b[2J"]):
                shown(session, server.hub, arguments, folder)
        with session.case("terminal: escapes in arguments, without a server"):
            for escape in ESCAPES:
                if "\0" in escape:
                    continue
                for arguments in (["new", "x" + escape], ["validate", "x" + escape], ["serve", "--config", escape],
                                  [escape], ["replay", escape], ["diff", escape], ["help", escape], ["--x" + escape]):
                    shown(session, None, arguments, folder)


def run(session, random, deadline, clock):
    with tempfile.TemporaryDirectory(prefix="understudy-hostile-terminal-") as folder:
        impostor(session, random, folder)
        content(session, random, folder)
