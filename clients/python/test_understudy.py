"""Tests of the helper against a real server (clients contract, section 7). UNDERSTUDY_BINARY names the program."""

import threading
import urllib.error
import urllib.request

import pytest

import understudy


@pytest.fixture(scope="session")
def server():
    with understudy.start("--clock", "2025-01-01T12:00:00Z") as running:
        yield running


@pytest.fixture
def world(server):
    with server.world() as made:
        yield made


def get(world, token, path="/api/v1/conversations"):
    request = urllib.request.Request(world.url("omnichat") + path, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=20) as reply:
            return reply.status
    except urllib.error.HTTPError as error:
        return error.code


def test_a_token_ends_with_the_clock(world):
    token = world.token("omnichat", "test@icloud.com")
    assert get(world, token) == 200
    world.clock.advance("PT16M")
    assert get(world, token) == 401
    world.verify({"match": {"path": "/api/v1/conversations"}, "count": {"exactly": 2}})


def test_verify_tells_reason_and_near_misses(world):
    get(world, world.token("omnichat", "test@icloud.com"))
    with pytest.raises(AssertionError, match="method: expected POST, found GET"):
        world.verify({"match": {"method": "POST", "path": "/api/v1/conversations"}})


def test_clock(world):
    world.clock.freeze("2025-02-01T00:00:00Z")
    assert world.clock.now() == "2025-02-01T00:00:00.000Z"
    world.clock.set("2025-03-01T00:00:00Z")
    assert world.clock.now() == "2025-03-01T00:00:00.000Z"
    world.clock.run()
    assert world.clock.now() >= "2025-03-01T00:00:00.000Z"


def test_faults_scenarios_and_reset(world):
    token = world.token("omnichat", "test@icloud.com")
    assert world.fault({"match": {"path": "/api/*"}, "effect": {"status": 503}}).startswith("flt_")
    world.fault({"match": {"path": "/api/**"}, "effect": {"status": 503}})
    assert get(world, token) == 503
    world.scenario("omnichat/file-gone")
    world.scenario("omnichat/file-gone", on=False)
    world.reset()
    assert get(world, world.token("omnichat", "test@icloud.com")) == 200
    assert [entry["status"] for entry in world.requests(api="omnichat")] == [200]


def test_a_gate_holds_and_lets_go(world):
    token = world.token("omnichat", "test@icloud.com")
    gate = world.gate("g", {"path": "/api/v1/conversations"})
    with pytest.raises(TimeoutError, match="held 0 of 1"):
        gate.wait(1, 0.2)
    statuses = []
    threads = [threading.Thread(target=lambda: statuses.append(get(world, token))) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert len(gate.wait(2, 10)) == 2
    gate.release(1)
    assert len(gate.held()) == 1
    gate.release()
    for thread in threads:
        thread.join()
    assert statuses == [200, 200]


def test_outbox_and_any_call(world):
    assert world.outbox() == []
    assert world.call("GET", "/latency") is not None


def test_refusals(server, world):
    with pytest.raises(understudy.Problem) as caught:
        world.fault({"effect": {"statos": 503}})
    assert caught.value.status == 422
    with pytest.raises(KeyError, match="omnichat"):
        world.url("omnichatt")
    with pytest.raises(understudy.Unreachable):
        understudy.attach("http://127.0.0.1:1")
    assert understudy.attach(server.hub).call("GET", "/health")["status"] == "ok"


def test_a_world_is_deleted_at_the_end(server):
    with server.world("mine") as made:
        names = [item["name"] for item in server.call("GET", "/worlds")["items"]]
        assert made.name in names
    assert "mine" not in [item["name"] for item in server.call("GET", "/worlds")["items"]]


def test_a_wrong_flag_is_told():
    with pytest.raises(understudy.Unreachable, match="--portt"):
        understudy.start("--portt", "1")
