"""Machines on one wire: network namespaces of this process's own, joined by pairs of virtual interfaces.

A thread enters a namespace to make a socket, and the socket stays there; so one process plays all machines. Nothing of the
machine's own network is seen or changed.
"""

import contextlib
import ctypes
import os
import shutil
import socket
import subprocess
import threading

CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


class NotAllowed(AssertionError):
    """This machine makes no namespaces for us."""


def checked(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, "%s: %s" % (what, os.strerror(number)))


class Machine:
    """A network stack of its own, which sees only what is connected to it."""

    def __init__(self):
        if not shutil.which("ip"):
            raise NotAllowed("another machine can't be played: there is no program ip (Debian: iproute2)")

        def make():
            checked(LIBC.unshare(CLONE_NEWNET), "unshare")
            return os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)

        try:
            self.number = in_thread(make)
            self.ip("link", "set", "lo", "up")
        except (OSError, AttributeError, subprocess.CalledProcessError) as error:
            raise NotAllowed("another machine can't be played: this one makes no network namespaces (%s); "
                             "run as root, in a container with the capabilities SYS_ADMIN and NET_ADMIN" % error) from None

    def enter(self):
        """Moves the calling thread, or a child before its program starts, into this machine's network."""
        checked(LIBC.setns(self.number, CLONE_NEWNET), "setns")

    def ip(self, *words):
        subprocess.run(["ip", *words], preexec_fn=self.enter, check=True, capture_output=True)

    def run(self, words, **options):
        return subprocess.run(words, preexec_fn=self.enter, capture_output=True, **options)

    def wire(self, name, other, other_name):
        """Connects an interface of this machine with one of another."""
        self.ip("link", "add", name, "type", "veth", "peer", "name", other_name,
                "netns", "/proc/%d/fd/%d" % (os.getpid(), other.number))
        for machine, interface in ((self, name), (other, other_name)):
            machine.ip("link", "set", interface, "up")

    def connect(self, host, port, source=None, timeout=30):
        """A TCP connection from this machine, from one of its addresses."""
        def make():
            self.enter()
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            made = socket.socket(family, socket.SOCK_STREAM)
            try:
                made.settimeout(timeout)
                made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if source:
                    made.bind((source, 0))
                made.connect((host, port))
            except BaseException:
                made.close()
                raise
            return made

        return in_thread(make)

    def close(self):
        os.close(self.number)


def in_thread(action):
    """Runs an action on a thread of its own, whose namespace goes with it."""
    results = []

    def body():
        try:
            results.append((action(), None))
        except BaseException as error:
            results.append((None, error))

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    value, error = results[0]
    if error:
        raise error
    return value


class HomeNetwork:
    """A desktop and a phone in one network, as at home: the desktop's default route leads into it."""

    DESKTOP, PHONE = "192.168.77.23", "192.168.77.50"
    DESKTOP6, PHONE6 = "fd77::23", "fd77::50"

    def __init__(self):
        self.desktop = Machine()
        try:
            self.phone = Machine()
        except BaseException:
            self.desktop.close()
            raise
        self.desktop.wire("wlan0", self.phone, "wlan0")
        self.desktop.ip("address", "add", self.DESKTOP + "/24", "dev", "wlan0")
        self.phone.ip("address", "add", self.PHONE + "/24", "dev", "wlan0")
        for machine, address in ((self.desktop, self.DESKTOP6), (self.phone, self.PHONE6)):
            # Without a search for duplicates the address can be used at once.
            machine.ip("address", "add", address + "/64", "dev", "wlan0", "nodad")
        self.desktop.ip("route", "add", "default", "via", self.PHONE)

    def close(self):
        self.desktop.close()
        self.phone.close()


@contextlib.contextmanager
def home_network():
    made = HomeNetwork()
    try:
        yield made
    finally:
        made.close()
