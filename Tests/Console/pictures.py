"""Makes the pictures of docs/images: pictures.py [FOLDER], with UNDERSTUDY_BINARY and CHROMIUM in the environment."""

import http.client
import os
import sys
import urllib.parse

from playwright.sync_api import expect, sync_playwright

from harness import Server

FOLDER = sys.argv[1] if len(sys.argv) > 1 else "docs/images"
PICTURES = (
    ("console-traffic", "#/traffic", "light", 800), ("console-exchange", "#/traffic?exchange=req_3", "dark", 800),
    ("console-faults", "#/faults", "light", 860), ("console-clock", "#/clock", "light", 800),
)
# What a round of the apps asks for: the API, its user and the path.
ROUND = (
    ("omnichat", "test@icloud.com", "/api/conversations"), ("omnichat", "test@icloud.com", "/api/models"),
    ("omnichat", "test@icloud.com", "/api/v1/conversations/conv_welcome_00000001/messages?limit=20"),
    ("trendy", "welcome@trendy.example", "/api/v1/events?limit=50"), ("trendy", "welcome@trendy.example", "/api/v1/event-types"),
    ("trafikskola", "anna@example.com", "/api/mobile/notifications"), ("sawaed", "layla@sawaed.test", "/api/mobile/v1/profile/me"),
    ("sawaed", "layla@sawaed.test", "/api/mobile/v1/locations/regions"), ("omnichat", "test@icloud.com", "/api/v1/conversation"),
)


def stage(server):
    """Does what the pictures show."""
    tokens, connections = {}, {}

    def play():
        for api, user, path in ROUND:
            connection = connections.setdefault(api, http.client.HTTPConnection(urllib.parse.urlsplit(server.apis[api]).netloc))
            connection.request("GET", path, headers={"Authorization": "Bearer " + tokens[api], "Accept-Language": "en"})
            connection.getresponse().read()

    def sign_in():
        for api, user, _ in ROUND:
            tokens[api] = server.control("POST", "/tokens", {"api": api, "user": user, "kind": "access"})["token"]

    sign_in()
    play()
    server.control("POST", "/clock/advance", {"by": "PT15M1S"})
    play()
    sign_in()
    server.control("PUT", "/scenarios/omnichat/file-gone")
    for name, api, path, effect in (
        ("Models are down", "omnichat", "/api/models", {"status": 503, "retryAfter": 5}),
        ("Slow profile", "sawaed", "/api/mobile/v1/profile/*", {"delay": {"ms": 300}}),
    ):
        server.control("POST", "/faults", {"name": name, "match": {"api": api, "path": path}, "effect": effect})
    play()
    play()
    server.control("POST", "/gates", {"name": "race", "match": {"api": "omnichat", "path": "/api/conversations"}})
    for count in range(3):
        server.later("GET", "/omnichat/api/conversations?page=%s" % count)
    server.call("POST", "/sawaed/api/mobile/v1/auth/request-otp", {"email": "layla@sawaed.test"})


def main():
    os.makedirs(FOLDER, exist_ok=True)
    server = Server()
    try:
        stage(server)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
            for name, address, scheme, height in PICTURES:
                page = browser.new_page(viewport={"width": 1360, "height": height}, color_scheme=scheme)
                page.goto(server.hub + "/" + address)
                expect(page.get_by_role("link", name="3 held")).to_be_visible()
                expect(page.get_by_role("main")).not_to_have_attribute("aria-busy", "true")
                # The journal is judged a second after it was read.
                page.wait_for_timeout(3000)
                page.screenshot(path="%s/%s.png" % (FOLDER, name))
                page.close()
            browser.close()
    finally:
        server.stop()


main()
