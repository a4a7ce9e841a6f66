"""A client that only looks at bytes, for those that are not here."""

import socket
import ssl

from serving import port_of


class Wire:
    """A TCP connection to an origin."""

    def __init__(self, origin):
        self.host = origin.split("//")[1]
        self.socket = socket.create_connection(("127.0.0.1", port_of(origin)), timeout=30)

    def send(self, path, method="GET", fields=(), body=b""):
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}", *fields]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        return self

    def rest(self):
        """All bytes until the server closes the connection."""
        found = b""
        while part := self.socket.recv(65_536):
            found += part
        return found

    def answer(self):
        """The head and the content of one answer with a Content-Length."""
        found = b""
        while b"\r\n\r\n" not in found:
            part = self.socket.recv(65_536)
            if not part:
                raise EOFError(found)
            found += part
        head, _, content = found.partition(b"\r\n\r\n")
        length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
        while len(content) < length:
            content += self.socket.recv(65_536)
        return head, content

    def is_silent(self, seconds=0.3):
        """Tells whether nothing comes, and the connection stays open."""
        self.socket.settimeout(seconds)
        try:
            return self.socket.recv(1) is None
        except TimeoutError:
            return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def handshake_error(origin):
    """What a TLS handshake with an origin ends in."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection(("127.0.0.1", port_of(origin)), timeout=30) as plain:
            with context.wrap_socket(plain, server_hostname="localhost"):
                return None
    except OSError as error:
        return str(error)
