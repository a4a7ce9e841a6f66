"""Tests of the pytest plugin against a real server (clients contract, section 7). UNDERSTUDY_BINARY names the program."""

import os
import pathlib
import stat
import subprocess
import sys

import pytest

import understudy

HERE = pathlib.Path(__file__).resolve().parent


@pytest.fixture
def project(tmp_path):
    """Runs pytest on a project that copied the helper; returns its exit code and output."""

    def run(test, *flags, ini="", **variables):
        (tmp_path / "conftest.py").write_text('pytest_plugins = ["understudy_pytest"]\n')
        (tmp_path / "pytest.ini").write_text(f"[pytest]\n{ini}\n")
        (tmp_path / "test_it.py").write_text(f"import os, urllib.error, urllib.request, pytest, understudy\n{test}")
        environment = {name: text for name, text in os.environ.items() if not name.startswith("UNDERSTUDY_")}
        environment.update(UNDERSTUDY_BINARY=os.environ["UNDERSTUDY_BINARY"], PYTHONPATH=str(HERE), **variables)
        words = [sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", "--strict-markers", *flags, str(tmp_path)]
        result = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
        return result.returncode, result.stdout + result.stderr

    return run


TWO_WORLDS = """
names = set()

@pytest.mark.parametrize("n", [1, 2, 3])
def test_each_has_a_world_of_its_own(world, understudy_server, n):
    assert world.name not in names and world.name.startswith("test-each-has-a-world")
    names.add(world.name)
    listed = [item["name"] for item in understudy_server.call("GET", "/worlds")["items"]]
    assert listed.count(world.name) == 1 and len(listed) == 2
    assert world.requests() == []
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(world.url("omnichat") + "/api/v1/conversations")
    assert len(world.requests()) == 1

def test_one_server_has_served_all(understudy_server):
    assert [item["name"] for item in understudy_server.call("GET", "/worlds")["items"]] == ["main"]
    assert [item["name"] for item in understudy_server.call("GET", "/apis")["items"]] == APIS
"""


@pytest.mark.parametrize(
    "flags, ini, apis",
    [
        (["--understudy-api", "omnichat"], "", ["omnichat"]),
        (["--understudy-api=omnichat,trendy"], "", ["omnichat", "trendy"]),
        (["--understudy-api", "omnichat", "--understudy-api", "trendy"], "", ["omnichat", "trendy"]),
        ([], "understudy_api = omnichat", ["omnichat"]),
        (["--understudy-api", "omnichat"], "understudy_api = trendy", ["omnichat"]),
        (["--understudy-args", "--api omnichat --seed 7"], "", ["omnichat"]),
    ],
)
def test_7_all_tests_share_a_server_and_each_has_a_world(project, flags, ini, apis):
    code, output = project(f"APIS = {apis}\n{TWO_WORLDS}", *flags, ini=ini)
    assert code == 0 and "4 passed" in output, output


def test_7_the_mark_sets_the_world_up(project):
    code, output = project(
        """
@pytest.mark.understudy(clock={"mode": "frozen", "now": "2025-03-01T00:00:00Z"})
class TestMarks:
    @pytest.mark.understudy(scenarios=["omnichat/file-gone"])
    def test_both(self, world):
        assert world.clock.now() == "2025-03-01T00:00:00.000Z"
        on = [item["name"] for item in world.call("GET", "/scenarios")["items"] if item["active"]]
        assert on == ["omnichat/file-gone"]

    def test_one(self, world):
        assert not [item for item in world.call("GET", "/scenarios")["items"] if item["active"]]

@pytest.mark.understudy(scenarios=["omnichat/nothing"])
def test_refused(world):
    pass

@pytest.mark.understudy("omnichat/file-gone")
def test_positional(world):
    pass
""",
        "--understudy-api=omnichat",
    )
    assert code == 1 and "2 passed, 2 errors" in output, output
    assert "the world of the test can't be made: POST /__admin/worlds: " in output
    assert "the mark understudy takes its options by name" in output


def test_7_a_failed_test_shows_its_requests(project):
    code, output = project(
        """
def test_it(world):
    for path in ["conversations", "conversation"]:
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(world.url("omnichat") + "/api/v1/" + path)
    assert False

def test_nothing(world):
    assert False

def test_without():
    assert False
""",
        "--understudy-api=omnichat",
    )
    assert code == 1 and "3 failed" in output, output
    assert "401 omnichat GET /api/v1/conversations\n404 omnichat GET /api/v1/conversation  unmatched: did you mean GET /api/v1/conversations?" in output
    assert output.count("- Understudy, world test-") == 2 and output.count("no request came") == 1


def test_7_a_running_server_is_used(project):
    test = 'def test_it(world, understudy_server):\n    assert understudy_server.hub == os.environ["HUB"].rstrip("/")\n'
    with understudy.start("--api", "omnichat") as server:
        for flags, variables in [(["--understudy-url", server.hub], {}), ([], {"UNDERSTUDY_URL": server.hub})]:
            code, output = project(test, *flags, "--understudy-api=omnichat", HUB=server.hub, **variables)
            assert code == 0, output
        code, output = project(test, "--understudy-url", server.hub, "--understudy-api=trendy", HUB=server.hub)
        assert code == 1 and f"{server.hub} does not serve 'trendy'; it serves omnichat" in output
        code, output = project(test, "--understudy-url", server.hub, "--understudy-binary=x", HUB=server.hub)
        assert code == 1 and "give one of them" in output
        assert [item["name"] for item in server.call("GET", "/worlds")["items"]] == ["main"]


def test_7_what_keeps_the_server_from_starting_is_told_without_a_traceback(project, tmp_path):
    test = "def test_it(world):\n    pass\n"
    folder = tmp_path / "programs"
    folder.mkdir()
    foreign, text, loose = folder / "foreign", folder / "text", folder / "loose"
    foreign.write_bytes(b"\x7fELF\2\1\1" + bytes(57))
    text.write_text("no program")
    loose.write_bytes(b"#!/nowhere/interpreter\n")
    for file in [foreign, loose]:
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    with understudy.start("--api", "omnichat") as server:
        port = server.hub.rpartition(":")[2]
        for flags, message in [
            (["--understudy-binary=/nowhere/understudy"], "/nowhere/understudy can't be started: No such file or directory"),
            ([f"--understudy-binary={text}"], f"{text} can't be started: Permission denied"),
            ([f"--understudy-binary={foreign}"], f"{foreign} can't be started: it is built for another platform than this one ("),
            ([f"--understudy-binary={loose}"], f"{loose} can't be started: it is built for another platform than this one ("),
            (["--understudy-args", f"--port {port}"], f"port {port} is in use"),
            (["--understudy-api=omnichatt"], "did you mean omnichat?"),
            (["--understudy-url=http://127.0.0.1:1"], "http://127.0.0.1:1: "),
        ]:
            code, output = project(test, *flags)
            assert code == 1 and message in output and "1 error" in output, output
            assert "Traceback" not in output and "understudy.py" not in output, output


def test_7_the_program_is_that_of_the_variable_then_that_of_the_installation_then_that_of_the_path(tmp_path, monkeypatch):
    monkeypatch.setenv("UNDERSTUDY_BINARY", "/named/understudy")
    assert understudy.program() == "/named/understudy"
    monkeypatch.delenv("UNDERSTUDY_BINARY")
    monkeypatch.setattr(understudy.sysconfig, "get_path", lambda *_: str(tmp_path / "scripts"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    with pytest.raises(understudy.Unreachable, match="`understudy` was not found in PATH; set UNDERSTUDY_BINARY"):
        understudy.program()
    for folder in ["path", "scripts"]:
        (tmp_path / folder).mkdir()
        file = tmp_path / folder / "understudy"
        file.write_text("")
        file.chmod(0o755)
        assert understudy.program() == str(file)
