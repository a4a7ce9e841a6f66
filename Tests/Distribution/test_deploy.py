"""Transport contract, section 10: workflows, the action, the compose file, the formula and the release's texts."""

import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

import yaml

from packed import BINARY, PATIENCE, ROOT, SCRIPTS, first_output, run

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
VERSION = re.search(r'static let number = "([^"]+)"', (ROOT / "Sources/Basics/ProgramVersion.swift").read_text())[1]


class Strict(yaml.SafeLoader):
    """A reader that refuses a key that is given twice."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep) for key, _ in node.value]
        if len(set(keys)) != len(keys):
            raise yaml.YAMLError(f"a key is given twice: {keys} in line {node.start_mark.line + 1}")
        return super().construct_mapping(node, deep)


def read(path):
    document = yaml.load(path.read_text(), Strict)
    # YAML 1.1 takes the key `on` for true.
    if True in document:
        document["on"] = document.pop(True)
    return document


def steps(document):
    """Returns all steps of a workflow or of an action."""
    if "runs" in document:
        return document["runs"]["steps"]
    return [step for job in document["jobs"].values() for step in job["steps"]]


class WorkflowTests(unittest.TestCase):
    def test_10_actions_are_pinned_by_commit_with_their_version_beside(self):
        count = 0
        for path in [*WORKFLOWS, ROOT / "action.yml"]:
            for line in path.read_text().splitlines():
                if "uses:" in line:
                    count += 1
                    self.assertRegex(line, r"uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", path.name)
        self.assertGreaterEqual(count, 8)
        pins = {}
        for path in [*WORKFLOWS, ROOT / "action.yml"]:
            for step in steps(read(path)):
                if "uses" in step:
                    name, _, commit = step["uses"].partition("@")
                    self.assertEqual(pins.setdefault(name, commit), commit, f"{name} has two pins")

    def test_10_permissions_are_read_only_but_where_the_release_is_written(self):
        self.assertEqual([path.name for path in WORKFLOWS], ["ci.yml", "nightly.yml", "release.yml"])
        for path in WORKFLOWS:
            document = read(path)
            self.assertEqual(document["permissions"], {"contents": "read"}, path.name)
            for name, job in document["jobs"].items():
                writes = (path.name, name) == ("release.yml", "publish")
                self.assertEqual(job.get("permissions"), {"contents": "write"} if writes else None)
                self.assertIn("timeout-minutes", job)
                for step in job["steps"]:
                    if step.get("uses", "").startswith("actions/checkout@"):
                        self.assertIs(step["with"]["persist-credentials"], False)

    def test_10_ci_runs_on_linux_of_both_architectures_and_on_macos(self):
        jobs = read(ROOT / ".github/workflows/ci.yml")["jobs"]
        self.assertEqual({row["arch"] for row in jobs["linux"]["strategy"]["matrix"]["include"]}, {"amd64", "arm64"})
        self.assertRegex(jobs["macos"]["runs-on"], r"^macos-\d+$")
        for job in jobs.values():
            commands = " ".join(step.get("run", "") for step in job["steps"])
            self.assertTrue(".ci/run" in commands or ("make build" in commands and "make test" in commands))

    def test_10_every_night_all_of_it_runs_on_linux_of_both_architectures(self):
        document = read(ROOT / ".github/workflows/nightly.yml")
        self.assertIn("schedule", document["on"])
        job, = document["jobs"].values()
        self.assertEqual({row["arch"] for row in job["strategy"]["matrix"]["include"]}, {"amd64", "arm64"})
        self.assertIn("FULL=1 .ci/run", [step.get("run") for step in job["steps"]])

    def test_10_the_release_has_archives_of_three_platforms_and_the_index_and_the_notes(self):
        document = read(ROOT / ".github/workflows/release.yml")
        self.assertEqual(list(document["on"]), ["push"])
        self.assertEqual(list(document["on"]["push"]), ["tags"])
        text = json.dumps(document["jobs"])
        for part in ["make dist image wheel", "make dist wheel", "make dist-test", "scripts/image --join", "scripts/changelog-section"]:
            self.assertIn(part, text)
        self.assertEqual(set(document["jobs"]["publish"]["needs"]), {"linux", "macos"})

    def test_10_no_expression_stands_in_a_script(self):
        # Text of an event or an input would become part of the program.
        for path in [*WORKFLOWS, ROOT / "action.yml"]:
            for step in steps(read(path)):
                for expression in re.findall(r"\$\{\{\s*(.*?)\s*\}\}", step.get("run", "")):
                    self.assertRegex(expression, r"^matrix\.[a-z]+$", path.name)

    def test_10_every_script_is_right_for_the_shell_and_for_shellcheck(self):
        checked = 0
        for path in [*WORKFLOWS, ROOT / "action.yml"]:
            for step in steps(read(path)):
                if "run" in step:
                    text = "#!/bin/bash\n" + re.sub(r"\$\{\{.*?\}\}", "value", step["run"])
                    self.check(text, f"{path.name}: {step.get('name', step['run'])}")
                    checked += 1
        self.assertGreater(checked, 10)

    def test_10_the_scripts_of_the_release_are_right_too(self):
        for name in ["build-release", "changelog-section", "formula", "static-libraries"]:
            # Two notes that are no faults: $ORIGIN is the loader's to expand, and `a && b || c` is meant so.
            self.check((SCRIPTS / name).read_text(), name, "SC2016,SC2015,SC2046")

    def check(self, text, name, exclude="SC1111"):
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
            file.write(text)
            file.flush()
            shell = "sh" if text.startswith("#!/bin/sh") else "bash"
            syntax = run(shell, "-n", file.name)
            self.assertEqual(syntax.returncode, 0, f"{name}: {syntax.stderr}")
            lint = run("shellcheck", f"--exclude={exclude}", file.name)
            self.assertEqual(lint.returncode, 0, f"{name}: {lint.stdout}")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def read_all(path):
    """Returns the text of a file, and of a folder nothing."""
    return path.read_text(errors="replace") if path.is_file() else ""


class ActionTests(unittest.TestCase):
    """Runs the action's steps as a runner does, against releases on this machine."""

    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.place)
        machine = os.uname().machine
        cls.arch = {"x86_64": "X64", "aarch64": "ARM64"}[machine]
        cls.name = f"understudy-{VERSION}-linux-{ {'X64': 'amd64', 'ARM64': 'arm64'}[cls.arch] }"
        releases = cls.place / f"releases/someone/understudy/releases/download/v{VERSION}"
        shutil.copytree(first_output("dist"), releases)
        handler = functools.partial(Quiet, directory=str(cls.place / "releases"))
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)
        cls.action = read(ROOT / "action.yml")
        cls.releases = releases

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.place))
        self.files = {name: self.folder / name for name in ["GITHUB_PATH", "GITHUB_ENV", "GITHUB_OUTPUT"]}
        for file in self.files.values():
            file.touch()

    def step(self, name, **variables):
        """Runs a step of the action by the name that it begins with."""
        step, = [step for step in self.action["runs"]["steps"] if step["name"].startswith(name)]
        self.assertEqual(step["shell"], "bash")
        self.assertLessEqual(set(step.get("env", {})), set(variables), "each variable of the step is given")
        path = ":".join([*self.files["GITHUB_PATH"].read_text().split(), os.environ["PATH"]])
        environment = {
            "PATH": path, "HOME": str(self.folder), "RUNNER_TEMP": str(self.folder), "RUNNER_OS": "Linux",
            "RUNNER_ARCH": self.arch, "GITHUB_SERVER_URL": f"http://127.0.0.1:{self.server.server_port}",
            **{name: str(file) for name, file in self.files.items()}, **variables,
        }
        script = self.folder / "step.sh"
        script.write_text(step["run"])
        # A server that the step starts outlives it, so its outputs are files.
        with open(self.folder / "out", "w+") as out, open(self.folder / "err", "w+") as err:
            # The way in which a runner calls bash.
            words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
            result = subprocess.run(
                words, env=environment, cwd=self.folder, stdout=out, stderr=err, stdin=subprocess.DEVNULL, timeout=PATIENCE
            )
            result.stdout, result.stderr = [pathlib.Path(file.name).read_text() for file in [out, err]]
        return result

    def install(self, **variables):
        return self.step("Install", **{"VERSION": VERSION, "REF": "", "REPOSITORY": "someone/understudy", **variables})

    def lines(self, name):
        return dict(line.split("=", 1) for line in self.files[name].read_text().splitlines())

    def test_10_inputs_are_those_of_the_contract(self):
        self.assertEqual(list(self.action["inputs"]), ["version", "args", "run"])
        self.assertEqual(self.action["runs"]["using"], "composite")

    def test_10_an_archive_is_installed_by_the_version_or_the_tag(self):
        for variables in [{}, {"VERSION": f"v{VERSION}"}, {"VERSION": "", "REF": f"v{VERSION}"}]:
            self.files["GITHUB_PATH"].write_text("")
            result = self.install(**variables)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"{self.name}.tar.gz: OK", result.stdout)
            self.assertIn(f"understudy {VERSION}", result.stdout)
            self.assertEqual(self.files["GITHUB_PATH"].read_text(), f"{self.folder}/understudy/{self.name}/bin\n")

    def test_10_what_is_no_version_or_no_platform_or_not_there_fails(self):
        for variables, reason in [
            ({"VERSION": "", "REF": "main"}, '"main" is no version'), ({"VERSION": "1; id"}, "is no version"),
            ({"VERSION": f"{VERSION}/../{VERSION}"}, "is no version"), ({"VERSION": f"{VERSION} x"}, "is no version"),
            ({"VERSION": f"{VERSION}\nx"}, "is no version"), ({"VERSION": f"{VERSION}-../x"}, "is no version"),
            ({"RUNNER_OS": "Windows"}, "there is no release for Windows"), ({"VERSION": "9.9.9"}, "404"),
            ({"REPOSITORY": "else/where"}, "404"),
        ]:
            result = self.install(**variables)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(reason, result.stdout + result.stderr)
            self.assertEqual(self.files["GITHUB_PATH"].read_text(), "")

    def test_10_an_archive_that_has_another_sum_is_not_unpacked(self):
        archive, sums = self.releases / f"{self.name}.tar.gz", self.releases / "SHA256SUMS"
        for file, content in [(archive, archive.read_bytes() + b"x"), (sums, b"0" * 64 + b"  another.tar.gz\n")]:
            former = file.read_bytes()
            self.addCleanup(file.write_bytes, former)
            file.write_bytes(content)
            self.assertNotEqual(self.install().returncode, 0)
            self.assertFalse((self.folder / "understudy" / self.name).exists())
            self.assertEqual(self.files["GITHUB_PATH"].read_text(), "")
            file.write_bytes(former)

    def test_10_a_command_runs_under_exec_with_the_flags(self):
        self.install()
        command = 'curl -fsS "$UNDERSTUDY_OMNICHAT_URL/__admin/clock"; false | true'
        for flags in ["--seed 7 --clock frozen:2025-01-01T12:00:00Z", "--seed\n7\n  --clock\nfrozen:2025-01-01T12:00:00Z\n"]:
            result = self.step("Run", ARGS=flags, COMMAND=f"set +o pipefail; {command}")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn('"now":"2025-01-01T12:00:00.000Z"', result.stdout)
            self.assertFalse((self.folder / "understudy/requests.har").exists())

    def test_10_a_command_that_fails_leaves_the_journal_and_the_log(self):
        self.install()
        for flags in ["", "--admin-token s3cret", "--allow-host ci.example"]:
            command = (
                'curl -s "$UNDERSTUDY_OMNICHAT_URL/api/v1/conversations?from=the-test" '
                '-H "Authorization: Bearer secret-of-a-user-1" >/dev/null; '
                'printf %s "${UNDERSTUDY_ADMIN_TOKEN:-none-was-made}" >token; exit 7'
            )
            result = self.step("Run", ARGS=flags, COMMAND=command)
            self.assertEqual(result.returncode, 7, result.stderr)
            har = json.loads((self.folder / "understudy/requests.har").read_text())
            self.assertTrue(har["log"]["entries"][0]["request"]["url"].endswith("?from=the-test"))
            log = (self.folder / "understudy/understudy.log").read_text()
            self.assertIn('"ready":true', log)
            token = (self.folder / "token").read_text()
            for secret in [token, "secret-of-a-user-1"]:
                self.assertNotIn(secret, json.dumps(har) + log)
            kept = [path.name for path in (self.folder / "understudy").iterdir() if "secret-of-a-user-1" in read_all(path)]
            self.assertEqual(kept, [])
            (self.folder / "understudy/requests.har").unlink()

    def test_10_a_server_is_started_and_its_addresses_are_exported(self):
        self.install()
        result = self.step("Start", ARGS="--port 0 --admin-token auto")
        self.assertEqual(result.returncode, 0, result.stderr)
        ready = json.loads((self.folder / "understudy/ready.json").read_text())
        self.addCleanup(os.kill, ready["pid"], 15)
        variables = self.lines("GITHUB_ENV")
        token = variables.pop("UNDERSTUDY_ADMIN_TOKEN")
        self.assertIn(f"::add-mask::{token}", result.stdout)
        redacted = self.step("Redact")
        self.assertEqual(redacted.returncode, 0, redacted.stderr)
        log = (self.folder / "understudy/understudy.log").read_text()
        self.assertIn("admin token   redacted", log)
        self.assertNotIn(token, log)
        expected = {f"UNDERSTUDY_{name.upper()}_URL": url for name, url in ready["apis"].items()}
        self.assertEqual(variables, {"UNDERSTUDY_URL": ready["hub"], **expected})
        self.assertEqual(self.lines("GITHUB_OUTPUT"), {"url": ready["hub"]})
        health = run(BINARY, "health", env={"UNDERSTUDY_URL": ready["hub"], "UNDERSTUDY_ADMIN_TOKEN": token})
        self.assertEqual((health.returncode, json.loads(health.stdout)["status"]), (0, "ok"))

    def test_10_a_server_that_does_not_start_fails_the_step_with_its_reason(self):
        self.install()
        result = self.step("Start", ARGS="--prot 1")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("did you mean --port?", result.stderr)


class DeploymentTests(unittest.TestCase):
    def test_10_the_compose_file_has_one_service_that_may_do_little(self):
        document = read(ROOT / "deploy/compose.yaml")
        (name, service), = document["services"].items()
        self.assertEqual(name, "understudy")
        self.assertEqual(service["image"], f"${{UNDERSTUDY_IMAGE:-understudy:{VERSION}}}")
        self.assertIs(service["read_only"], True)
        self.assertEqual(service["cap_drop"], ["ALL"])
        self.assertEqual(service["security_opt"], ["no-new-privileges:true"])
        environment = service["environment"]
        self.assertEqual(environment["UNDERSTUDY_ALLOW_HOST"], "understudy")
        self.assertTrue(environment["UNDERSTUDY_ADMIN_TOKEN"].startswith("${UNDERSTUDY_ADMIN_TOKEN:?"))
        self.assertEqual(service["healthcheck"]["test"], ["CMD", "/understudy", "health"])
        volume, = service["volumes"]
        self.assertEqual(volume.split(":")[1], "/ca")
        self.assertIn(volume.split(":")[0], document["volumes"])
        for port in service["ports"]:
            self.assertTrue(port.startswith("127.0.0.1:"))

    def test_10_the_formula_is_the_one_that_its_script_makes(self):
        text = (ROOT / "Formula/understudy.rb").read_text()
        sums = re.findall(r'url "\S+/(understudy-\S+\.tar\.gz)"\n\s+sha256 "([0-9a-f]{64})"', text)
        self.assertEqual(len(sums), 3)
        self.assertIn(f'version "{VERSION}"', text)
        repository = re.search(r'homepage "([^"]+)"', text)[1]
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("".join(f"{sum}  {name}\n" for name, sum in sums))
            file.flush()
            self.assertEqual(run(SCRIPTS / "formula", file.name, repository).stdout, text)

    def test_10_a_formula_needs_the_sums_of_all_platforms(self):
        lines = [f"{digit * 64}  understudy-1.2.3-{name}.tar.gz\n" for digit, name in
                 [("a", "linux-amd64"), ("b", "linux-arm64"), ("c", "macos-arm64")]]
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place, "SHA256SUMS")
            file.write_text("".join(lines))
            result = run(SCRIPTS / "formula", file, "https://forge.example/u")
            self.assertEqual(result.returncode, 0)
            self.assertIn('version "1.2.3"', result.stdout)
            for digit in "abc":
                self.assertIn(digit * 64, result.stdout)
            for missing in lines:
                file.write_text("".join(line for line in lines if line != missing))
                self.assertNotEqual(run(SCRIPTS / "formula", file, "https://forge.example/u").returncode, 0)

    def test_10_the_section_of_a_version_is_printed_alone(self):
        section = run(SCRIPTS / "changelog-section", VERSION)
        self.assertEqual(section.returncode, 0)
        self.assertNotIn("## [", section.stdout)
        self.assertIn(section.stdout.strip(), (ROOT / "CHANGELOG.md").read_text())
        self.assertIn("### Added", run(SCRIPTS / "changelog-section", "Unreleased").stdout)
        # Not a version that another begins with.
        for other in ["9.9.9", VERSION[:-1], ""]:
            result = run(SCRIPTS / "changelog-section", other)
            self.assertEqual((result.returncode, result.stdout), (1, ""))


if __name__ == "__main__":
    unittest.main()
