"""A chat client with five sins, and its mended twin. Both talk to the OmniChat API with the standard library alone."""
import http.client
import json
from urllib.parse import urlsplit


class Client:
    """What both have in common: one connection, one session, and requests as they are asked for."""

    def __init__(self, base, pause):
        self.connection = http.client.HTTPConnection(urlsplit(base).netloc)
        self.pause = pause
        self.access = self.refresh = None

    def send(self, method, path, body=None, headers=(), bearer=True):
        """Sends a request once, and returns status, header fields and JSON."""
        fields = {"User-Agent": "Chat/1.0", "Accept": "application/json", **dict(headers)}
        if bearer and self.access:
            fields["Authorization"] = f"Bearer {self.access}"
        content = None if body is None else json.dumps(body).encode()
        # The class would add a type of its own to content without one.
        self.connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in fields.items():
            self.connection.putheader(name, value)
        if content is not None:
            self.connection.putheader("Content-Length", str(len(content)))
        self.connection.endheaders(content)
        answer = self.connection.getresponse()
        text = answer.read()
        is_json = (answer.getheader("Content-Type") or "").startswith("application/json")
        return answer.status, answer.headers, json.loads(text) if is_json else None

    def post(self, path, body, bearer=True):
        return self.send("POST", path, body, {"Content-Type": "application/json"}, bearer)

    def sign_in(self):
        _, _, tokens = self.post("/api/v1/auth/apple", {"idToken": "mock_apple_token"}, bearer=False)
        self.access, self.refresh = tokens["accessToken"], tokens["refreshToken"]

    def renew(self):
        status, _, tokens = self.post("/api/v1/auth/refresh", {"refreshToken": self.refresh}, bearer=False)
        if status == 200:
            self.access = tokens["accessToken"]
        return status == 200


class Sinful(Client):
    """Works on a good day. The report of conduct finds five sins."""

    def conversations(self):
        status, _, items = self.send("GET", "/api/v1/conversations")
        if status == 401:
            # 1. Perhaps it helps to try again? The token is as dead as before.
            status, _, items = self.send("GET", "/api/v1/conversations")
        if status == 401 and self.renew():
            status, _, items = self.send("GET", "/api/v1/conversations")
        if status == 503:
            # 2. The server said when to come back. Nobody read it.
            status, _, items = self.send("GET", "/api/v1/conversations")
        return items

    def models(self):
        # 3. A path from an old version of the document. The list stays empty, and nobody wonders why.
        return self.send("GET", "/api/v1/model-list")[2]

    def start(self, title):
        # 4. JSON without a Content-Type. This backend is lenient, the next one is not.
        return self.send("POST", "/api/v1/conversations", {"title": title, "model": "gpt-4.1"})[2]

    def share(self):
        # 5. The token in the address: in every log between here and the server.
        return self.send("GET", f"/api/models?token={self.access}")[0]


class Mended(Client):
    """The same client after it has read the report."""

    def conversations(self):
        status, fields, items = self.send("GET", "/api/v1/conversations")
        if status == 401 and self.renew():
            status, fields, items = self.send("GET", "/api/v1/conversations")
        if status == 503:
            self.pause(int(fields["Retry-After"]))
            status, fields, items = self.send("GET", "/api/v1/conversations")
        return items

    def models(self):
        return self.send("GET", "/api/models")[2]

    def start(self, title):
        return self.post("/api/v1/conversations", {"title": title, "model": "gpt-4.1"})[2]

    def share(self):
        return self.send("GET", "/api/models")[0]
