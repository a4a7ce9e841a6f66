"""The pytest plugin of Understudy: one server for all tests, and a world of its own for each.

The wheel registers it. Where this file and `understudy.py` were copied, `conftest.py` names it instead:

    pytest_plugins = ["understudy_pytest"]

A test that asks for `world` gets an isolated copy of all backends, which is deleted when the test ends. The mark sets it up
by the members of `POST /__admin/worlds`:

    @pytest.mark.understudy(scenarios=["omnichat/file-gone"], clock={"mode": "frozen", "now": "2025-01-01T12:00:00Z"})
    def test_a_file_that_is_gone(world):
        run_my_client(base_url=world.url("omnichat"), token=world.token("omnichat", "test@icloud.com"))

The server starts with the first test that needs it. Inside `understudy exec -- pytest` the tests use the server of `exec`.
"""

from __future__ import annotations

import re
import shlex
import uuid
import os
from typing import Any, Iterator

import pytest

import understudy

_WORLD = pytest.StashKey["understudy.World"]()
#: How many requests a failed test shows.
_SHOWN = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("understudy", "a server that stands in for backends")
    group.addoption(
        "--understudy-api", action="append", metavar="NAME",
        help="the API that the tests need, several with commas (default: all; key understudy_api)",
    )
    group.addoption(
        "--understudy-args", metavar="FLAGS",
        help="further flags of `understudy serve`, such as \"--seed 7\" (key understudy_args)",
    )
    group.addoption("--understudy-url", metavar="URL", help="the hub of a running server (default: UNDERSTUDY_URL)")
    group.addoption("--understudy-binary", metavar="PATH", help="the program understudy (default: UNDERSTUDY_BINARY)")
    parser.addini("understudy_api", "the APIs that the tests need", type="args", default=[])
    parser.addini("understudy_args", "further flags of `understudy serve`", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "understudy(**options): sets up the world of a test: from_, seed, clock, scenarios, as POST /__admin/worlds takes them",
    )


@pytest.fixture(scope="session")
def understudy_server(pytestconfig: pytest.Config) -> "Iterator[understudy.Server]":
    """The server of all tests: a running one, or one on free ports that ends with the tests."""
    try:
        server = _server(pytestconfig)
    except (understudy.Unreachable, understudy.Problem) as error:
        pytest.fail(str(error), pytrace=False)
    with server:
        yield server


@pytest.fixture
def world(request: pytest.FixtureRequest, understudy_server: understudy.Server) -> "Iterator[understudy.World]":
    """A world for this test alone."""
    options: "dict[str, Any]" = {"name": _name(request.node.name)}
    for mark in reversed(list(request.node.iter_markers("understudy"))):
        if mark.args:
            pytest.fail("the mark understudy takes its options by name: understudy(scenarios=[…])", pytrace=False)
        options.update(mark.kwargs)
    try:
        made = understudy_server.world(**options)
    except understudy.Problem as problem:
        pytest.fail(f"the world of the test can't be made: {problem}", pytrace=False)
    with made:
        request.node.stash[_WORLD] = made
        yield made


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> "Iterator[None]":
    """Shows the requests of its world with a test that failed."""
    outcome = yield
    report = outcome.get_result()
    made = item.stash.get(_WORLD, None)
    if made is not None and report.when == "call" and report.failed:
        report.sections.append((f"Understudy, world {made.name}", _requests(made)))


def _server(config: pytest.Config) -> understudy.Server:
    given = config.getoption("understudy_api")
    apis = [name for text in given for name in text.split(",")] if given else list(config.getini("understudy_api"))
    url = config.getoption("understudy_url")
    if url or os.environ.get("UNDERSTUDY_URL"):
        if url and config.getoption("understudy_binary"):
            raise understudy.Unreachable("--understudy-url uses a running server, and --understudy-binary starts one: give one of them")
        server = understudy.attach(url)
        served = [api["name"] for api in server.call("GET", "/apis")["items"]]
        for name in apis:
            if name not in served:
                raise understudy.Unreachable(f"{server.hub} does not serve {name!r}; it serves {', '.join(served)}")
        return server
    text = config.getoption("understudy_args")
    flags = shlex.split(text) if text is not None else list(config.getini("understudy_args"))
    if apis:
        flags = ["--api", ",".join(apis), *flags]
    return understudy.start(*flags, binary=config.getoption("understudy_binary"))


def _name(test: str) -> str:
    """A name for the world of a test, which is unique on a server that others use too."""
    words = re.sub(r"[^a-z0-9]+", "-", test.lower()).strip("-")[:48].strip("-")
    return f"{words or 'test'}-{uuid.uuid4().hex[:8]}"


def _requests(world: understudy.World) -> str:
    """The newest requests of a world, a line each, and what those that nothing answered may have meant."""
    try:
        entries = world.requests(limit=_SHOWN)
        unmatched = {entry["id"]: entry["nearest"] for entry in world.call("GET", "/unmatched")["items"]}
    except (understudy.Unreachable, understudy.Problem) as error:
        return f"the requests can't be read: {error}"
    lines = []
    for entry in reversed(entries):
        line = f"{entry['status']} {entry['api']} {entry['method']} {entry['path']}"
        if entry["id"] in unmatched:
            line += "  unmatched"
            if unmatched[entry["id"]]:
                nearest = unmatched[entry["id"]][0]
                line += f": did you mean {nearest['method']} {nearest['path']}?"
        lines.append(line)
    return "\n".join(lines) or "no request came"
