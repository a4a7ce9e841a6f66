"""TLS: starts, handshakes, kept-alive requests and idle connections (transport contract, section 11)."""

import contextlib
import gc
import os
import re
import shutil
import socket
import ssl
import statistics
import subprocess
import time

from . import load, machine, memory
from .own import alternating
from .servers import Nginx, Understudy, read_reply


class Secure(Understudy):
    """A server that speaks TLS; the measured request goes over it."""

    def __init__(self, program, *flags, name="understudy over TLS"):
        super().__init__(program, name=name, command=("serve", "--tls", "on", *flags))

    @property
    def url(self):
        return super().url.replace("http:", "https:")

    def connect(self):
        return wrapped(super().connect())


class SecureNginx(Nginx):
    """nginx with the same certificate."""

    def __init__(self, work, model, fields, pair):
        super().__init__(work, model, fields)
        self.pair = pair

    @property
    def url(self):
        return super().url.replace("http:", "https:")

    def connect(self):
        return wrapped(super().connect())

    def _configuration(self):
        certificate, key = self.pair
        return super()._configuration().replace(
            " backlog=4096;",
            f" ssl backlog=4096; ssl_certificate {certificate}; ssl_certificate_key {key}; "
            "ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache off; ssl_session_tickets on; ssl_buffer_size 16k; "
            "ssl_ciphers ECDHE+AES128+AESGCM; ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;",
        )


def context():
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE
    return made


CONTEXT = context()
VERSIONS = ("1.2", "1.3")
#: The time between two requests beside handshakes: few enough that they take nothing from the client's core.
PAUSE = 0.005


def wrapped(connection):
    return CONTEXT.wrap_socket(connection, server_hostname="localhost")


def make_pair(folder):
    """A certificate with a P-256 key, for both servers."""
    os.makedirs(folder, exist_ok=True)
    certificate, key = os.path.join(folder, "pair.pem"), os.path.join(folder, "pair.key")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )
    return certificate, key


def fresh(folder):
    """A folder that is not there yet."""
    shutil.rmtree(folder, ignore_errors=True)
    return folder


#: What `openssl s_time` sends; without a token Understudy refuses it, which costs a handshake's figure nothing.
REQUEST = b"GET /api/v1/conversations HTTP/1.0\r\n\r\n"


def per_plain(server, count):
    """The server's CPU microseconds for a connection without TLS that has one request."""
    for number in range(count + 20):
        if number == 20:
            before = machine.cpu_seconds(server.pid)
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        connection.sendall(REQUEST)
        while connection.recv(65536):
            pass
        connection.close()
    return (machine.cpu_seconds(server.pid) - before) * 1e6 / count


def per_secure(server, seconds, kind, version):
    """The same under TLS, with a full handshake or a resumed one. The client is OpenSSL's, which leaves no pauses."""
    before = machine.cpu_seconds(server.pid)
    with machine.on_core(machine.CLIENT_CORE):
        said = subprocess.run(
            ["openssl", "s_time", "-connect", f"127.0.0.1:{server.port}", "-time", str(seconds), "-www", REQUEST.split()[1].decode(),
             "-new" if kind == "full" else "-reuse", "-tls" + version.replace(".", "_")],
            capture_output=True, text=True, timeout=seconds + 20,
        ).stdout
    cpu = machine.cpu_seconds(server.pid) - before
    count = connections(said)
    resumed = "".join(re.findall(r"^[r*]{3,}$", said, re.M)).count("r")
    if resumed != (count if kind == "resumed" else 0):
        raise RuntimeError(f"{server.name}: {resumed} of {count} handshakes of TLS {version} were resumed")
    # A resumed one has a full one before it.
    return cpu * 1e6 / count


def connections(said):
    """The number that `openssl s_time` reports; its seconds are whole ones, and its own."""
    found = re.search(r"^(\d+) connections in \d+ real seconds", said, re.M)
    if not found or not int(found.group(1)):
        raise RuntimeError(f"openssl s_time said nothing usable: {said[-300:]}")
    return int(found.group(1))


def handshakes(server, seconds):
    """Full handshakes a second by OpenSSL's client, the share of the time that the server's core was busy with them, and the
    p99 of another connection meanwhile in microseconds.

    Both clients share a core. The one that shakes hands gives way, so that the other waits for the server and not for it.
    """
    own = server.connect()
    # The first ones are slower, whatever the server does.
    for _ in range(50):
        own.sendall(server.request())
        read_reply(own)
    waits = []
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {machine.CLIENT_CORE})
    collects = gc.isenabled()
    gc.disable()
    try:
        cpu, began = machine.cpu_seconds(server.pid), time.perf_counter()
        client = subprocess.Popen(
            ["openssl", "s_time", "-connect", f"127.0.0.1:{server.port}", "-new", "-time", str(seconds), "-tls1_3"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=lambda: os.nice(19),
        )
        while client.poll() is None:
            if time.perf_counter() - began > seconds + 20:
                client.kill()
            asked = time.perf_counter()
            own.sendall(server.request())
            read_reply(own)
            waits.append(time.perf_counter() - asked)
            time.sleep(PAUSE)
        took, cpu = time.perf_counter() - began, machine.cpu_seconds(server.pid) - cpu
    finally:
        os.sched_setaffinity(0, before)
        if collects:
            gc.enable()
    said = client.communicate()[0]
    own.close()
    return connections(said) / took, cpu / took, statistics.quantiles(waits, n=100)[98] * 1e6


def health(program, server, times):
    """Median milliseconds of `understudy health`."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        subprocess.run([program, "health", f"http://127.0.0.1:{server.port}"], check=True, capture_output=True)
        took.append(time.perf_counter() - began)
    return statistics.median(took) * 1e3


def measure(program, folder, model, rounds, seconds, starts, count, idle):
    figures = {}
    present = os.path.join(folder, "present")
    made = os.path.join(folder, "made")
    with Secure(program, "--ca", present):
        pass
    figures["start"], figures["start present"], figures["start made"] = alternating(
        [lambda: Understudy(program), lambda: Secure(program, "--ca", present), lambda: Secure(program, "--ca", fresh(made))],
        starts,
    )

    pair = make_pair(os.path.join(folder, "pair"))
    flags = ("--cert", pair[0], "--key", pair[1])
    with Secure(program, *flags) as ours, Understudy(program) as plain, contextlib.ExitStack() as stack:
        ours.prepare()
        plain.prepare()
        nginx = stack.enter_context(SecureNginx(os.path.join(folder, "nginx"), model, ours.fields, pair))
        bare = stack.enter_context(Nginx(os.path.join(folder, "bare"), model, ours.fields))
        cpu = {"plain": [], "ours": [], "nginx": []}
        for _ in range(rounds):
            for name, server in (("plain", plain), ("ours", ours), ("nginx", nginx)):
                cpu[name].append(load.run(server, 32, seconds).cpu_micros)
        for name, values in cpu.items():
            figures[f"cpu {name}"] = statistics.median(values)
        for name, server, without in (("ours", ours, plain), ("nginx", nginx, bare)):
            # A handshake alone: without the connection and the request that every one has.
            one = per_plain(without, count)
            for version in VERSIONS:
                for kind in ("full", "resumed"):
                    figures[f"{kind} {version} {name}"] = per_secure(server, max(seconds, 1), kind, version) - one
            figures[f"rate {name}"], figures[f"busy {name}"], figures[f"p99 {name}"] = handshakes(server, max(seconds, 3))
        figures["health"] = health(program, plain, starts)

    with Secure(program, *flags) as held:
        held.prepare()
        figures["held"], figures["idle"] = memory.per_idle_connection(held, idle)
    return figures
