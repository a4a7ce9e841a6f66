"""Clients of Python behind a proxy: proxied.py NAME URL… prints [[status, text]…] as JSON.

They find the proxy and the roots by the variables of their environment alone.
"""

import asyncio
import json
import sys
import urllib.request

import aiohttp
import httpx
import requests


def by_requests(urls):
    with requests.Session() as session:
        return [(found.status_code, found.text) for found in map(session.get, urls)]


def by_httpx(urls):
    with httpx.Client() as client:
        return [(found.status_code, found.text) for found in map(client.get, urls)]


def by_urllib(urls):
    found = []
    for url in urls:
        with urllib.request.urlopen(url) as answer:
            found.append((answer.status, answer.read().decode()))
    return found


def by_aiohttp(urls):
    async def run():
        found = []
        async with aiohttp.ClientSession(trust_env=True) as session:
            for url in urls:
                async with session.get(url) as answer:
                    found.append((answer.status, await answer.text()))
        return found

    return asyncio.run(run())


CLIENTS = {"requests": by_requests, "httpx": by_httpx, "urllib": by_urllib, "aiohttp": by_aiohttp}

if __name__ == "__main__":
    print(json.dumps(CLIENTS[sys.argv[1]](sys.argv[2:])))
