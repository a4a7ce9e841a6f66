#!/usr/bin/env python3
"""Plays the same afternoon with a client: an expired token, a server that asks for a pause, and what the app does else.

    understudy exec --conduct warning -- python3 Examples/conduct/afternoon.py sinful
    understudy exec --conduct warning -- python3 Examples/conduct/afternoon.py mended
"""
import json
import os
import sys
import urllib.request

import clients

HUB = os.environ["UNDERSTUDY_URL"]


def control(method, path, body=None):
    """Makes a control call: the test stages what a real afternoon brings by chance."""
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"{HUB}/__admin{path}", content, {"Content-Type": "application/json"}, method=method
    )
    urllib.request.urlopen(request).read()


def pass_time(seconds):
    control("POST", "/clock/advance", {"seconds": seconds})


def main(kind):
    client = {"sinful": clients.Sinful, "mended": clients.Mended}[kind](os.environ["UNDERSTUDY_OMNICHAT_URL"], pass_time)
    client.sign_in()
    client.conversations()
    # An access token of this API lives for 15 minutes.
    pass_time(1_000)
    client.conversations()
    pass_time(60)
    busy = {"match": {"path": "/api/v1/conversations"}, "when": {"times": 1}, "effect": {"status": 503, "retryAfter": 30}}
    control("POST", "/faults", busy)
    client.conversations()
    pass_time(60)
    client.models()
    client.start("Holidays")
    client.share()


if __name__ == "__main__":
    main(sys.argv[1])
