"""Transport contract, section 10: the OCI image that `make image` writes."""

import contextlib
import datetime
import gzip
import hashlib
import http.server
import io
import json
import os
import pathlib
import re
import ssl
import stat
import tarfile
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
from unittest import mock

from packed import BINARY, PATIENCE, ROOT, SCRIPTS, BareRoot, Packed, run, script

DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


class Layout:
    """An OCI image layout, read as the specification has it."""

    def __init__(self, test, file):
        self.test = test
        with tarfile.open(file) as tar:
            self.members = tar.getmembers()
            self.files = {member.name: tar.extractfile(member).read() for member in self.members if member.isfile()}
        test.assertEqual(json.loads(self.files["oci-layout"]), {"imageLayoutVersion": "1.0.0"})
        self.index = json.loads(self.files["index.json"])
        for name, content in self.files.items():
            if name.startswith("blobs/"):
                algorithm, _, digest = name.removeprefix("blobs/").partition("/")
                test.assertEqual((algorithm, digest), ("sha256", hashlib.sha256(content).hexdigest()))
        self.used = set()

    def blob(self, descriptor, kind):
        """Returns the content of a descriptor of that media type, checked against it."""
        self.test.assertEqual(descriptor["mediaType"], kind)
        self.test.assertRegex(descriptor["digest"], DIGEST)
        name = "blobs/" + descriptor["digest"].replace(":", "/")
        content = self.files[name]
        self.test.assertEqual(descriptor["size"], len(content))
        self.used.add(name)
        return content

    def image(self, descriptor):
        """Returns the configuration of an image and its unpacked layers."""
        manifest = json.loads(self.blob(descriptor, "application/vnd.oci.image.manifest.v1+json"))
        self.test.assertEqual(manifest["schemaVersion"], 2)
        self.test.assertEqual(manifest["mediaType"], descriptor["mediaType"])
        config = json.loads(self.blob(manifest["config"], "application/vnd.oci.image.config.v1+json"))
        packed = [self.blob(layer, "application/vnd.oci.image.layer.v1.tar+gzip") for layer in manifest["layers"]]
        for layer in packed:
            self.test.assertEqual(layer[:8], b"\x1f\x8b\x08\0\0\0\0\0", "gzip without a name and a time")
        layers = [gzip.decompress(layer) for layer in packed]
        self.test.assertEqual(config["rootfs"]["type"], "layers")
        digests = [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]
        self.test.assertEqual(config["rootfs"]["diff_ids"], digests)
        filled = [entry for entry in config["history"] if not entry.get("empty_layer")]
        self.test.assertEqual(len(filled), len(layers))
        self.test.assertEqual(descriptor["platform"], {"os": config["os"], "architecture": config["architecture"]})
        return config, layers


class Healthy(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "15")
        self.end_headers()
        self.wfile.write(b'{"status":"ok"}')

    def log_message(self, *_):
        pass


class SecureServer:
    """A server on 127.0.0.1 with a certificate of an authority of its own."""

    def __enter__(self):
        self.place = tempfile.TemporaryDirectory()
        pathlib.Path(self.place.name, "extensions").write_text("subjectAltName=IP:127.0.0.1")
        for command in [
            "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=test-authority",
            "req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=test-server",
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 -extfile extensions",
        ]:
            result = run("openssl", *command.split(), cwd=self.place.name)
            if result.returncode:
                raise AssertionError(result.stderr)
        self.authority = pathlib.Path(self.place.name, "ca.pem").read_text()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{self.place.name}/server.pem", f"{self.place.name}/server.key")
        # 127.0.0.2 leads to it too.
        self.server = http.server.ThreadingHTTPServer(("0.0.0.0", 0), Healthy)
        self.server.handle_error = lambda *_: None
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"https://127.0.0.1:{self.server.server_port}"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.place.cleanup()


class ImageTests(Packed):
    packer = "image"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = next(cls.outputs[0].glob("*.oci.tar"))
        cls.version, cls.commit = re.match(r"understudy (\S+) \((\S+)\)", run(BINARY, "--version").stdout).groups()
        date = run("git", "show", "-s", "--format=%ct", cls.commit.split("-")[0], cwd=ROOT).stdout
        cls.date = int(date)

    def setUp(self):
        self.layout = Layout(self, self.file)
        self.assertEqual(self.layout.index["schemaVersion"], 2)
        self.assertEqual(self.layout.index["mediaType"], "application/vnd.oci.image.index.v1+json")
        self.descriptor, = self.layout.index["manifests"]
        self.config, (self.layer,) = self.layout.image(self.descriptor)

    def entries(self):
        with tarfile.open(fileobj=io.BytesIO(self.layer)) as tar:
            return tar.getmembers()

    def root(self):
        """Unpacks the layer and returns a root that holds it alone."""
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        os.chmod(place.name, 0o755)
        with tarfile.open(fileobj=io.BytesIO(self.layer)) as tar:
            tar.extractall(place.name, numeric_owner=True, filter="fully_trusted")
        self.assertFalse(pathlib.Path(place.name, "proc").exists())
        return BareRoot(place.name)

    def environment(self, **more):
        return {**dict(entry.split("=", 1) for entry in self.config["config"]["Env"]), **more}

    def command(self, *more):
        settings = self.config["config"]
        return [*settings["Entrypoint"], *settings["Cmd"], *more]

    # The layout

    def test_10_twice_is_the_same_bytes(self):
        names = self.same_bytes()
        self.assertEqual(names, ["SHA256SUMS", self.file.name])
        self.assertRegex(self.file.name, rf"^understudy-{re.escape(self.version)}-linux-(amd64|arm64)\.oci\.tar$")
        self.check_sums()

    def test_10_every_blob_is_used_and_entries_are_sorted_owned_by_0_and_dated(self):
        self.assertEqual(self.layout.used, {name for name in self.layout.files if name.startswith("blobs/")})
        self.assertEqual(
            {name for name in self.layout.files if not name.startswith("blobs/")},
            {"oci-layout", "index.json", "manifest.json"},
        )
        for members in [self.layout.members, self.entries()]:
            names = [member.name for member in members]
            self.assertEqual(names, sorted(names))
            self.assertEqual({member.mtime for member in members}, {self.date})
            self.assertEqual({(member.uname, member.gname) for member in members}, {("", "")})
            for member in members:
                owner = BareRoot.USER if member.name in ["ca", "state"] else 0
                self.assertEqual((member.uid, member.gid), (owner, owner), member.name)

    def test_10_engines_that_know_no_layout_find_the_same_image(self):
        image, = json.loads(self.layout.files["manifest.json"])
        self.assertEqual(json.loads(self.layout.files[image["Config"]]), self.config)
        self.assertEqual([gzip.decompress(self.layout.files[name]) for name in image["Layers"]], [self.layer])
        self.assertEqual(image["RepoTags"], [f"understudy:{self.version}"])
        annotations = self.descriptor["annotations"]
        self.assertEqual(annotations["org.opencontainers.image.ref.name"], self.version)
        self.assertEqual(annotations["io.containerd.image.name"], f"docker.io/library/understudy:{self.version}")

    def test_10_the_configuration_is_that_of_the_contract(self):
        settings = self.config["config"]
        created = datetime.datetime.fromtimestamp(self.date, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.assertEqual(self.config["created"], created)
        self.assertEqual(self.config["os"], "linux")
        self.assertEqual(settings["User"], "65532:65532")
        self.assertEqual(settings["Entrypoint"], ["/understudy"])
        self.assertEqual(settings["Cmd"], ["serve", "--host", "0.0.0.0"])
        self.assertEqual(set(settings["ExposedPorts"]), {f"{port}/tcp" for port in range(4680, 4686)})
        self.assertEqual(settings["StopSignal"], "SIGTERM")
        self.assertEqual(set(settings["Volumes"]), {"/ca", "/state"})
        self.assertEqual(settings["Healthcheck"]["Test"], ["CMD", "/understudy", "health"])
        environment = self.environment()
        self.assertEqual(environment["UNDERSTUDY_CA"], "/ca")
        self.assertNotIn("UNDERSTUDY_STATE", environment)
        labels = settings["Labels"]
        names = ["title", "version", "revision", "source", "licenses", "created"]
        self.assertEqual(set(labels), {f"org.opencontainers.image.{name}" for name in names})
        for name, value in [("version", self.version), ("revision", self.commit), ("created", created), ("licenses", "MIT")]:
            self.assertEqual(labels[f"org.opencontainers.image.{name}"], value)

    # The files

    def test_10_the_root_holds_the_program_with_its_libraries_and_nothing_else_that_runs(self):
        files = {member.name: member for member in self.entries()}
        for name, member in files.items():
            self.assertTrue(member.isfile() or member.isdir(), f"{name} is a link or a device")
            self.assertEqual(member.mode & 0o7022, 0, f"{name} has mode {member.mode:o}")
            self.assertNotRegex(name, r"(^/|(^|/)\.\.(/|$)|(^|/)\.wh\.)")
            self.assertRegex(
                name,
                r"^(understudy|lib(64)?(/.+)?|etc|etc/passwd|etc/ssl|etc/ssl/certs|etc/ssl/certs/ca-certificates\.crt"
                r"|ca|state|usr|usr/(lib|share)(/.+)?)$",
            )
        for name in ["bin/sh", "usr/bin/sh", "proc", "etc/shadow"]:
            self.assertNotIn(name, files)
        executable = {name for name, member in files.items() if member.isfile() and member.mode & 0o111}
        for name in executable - {"understudy"}:
            self.assertRegex(name, r"\.so(\.\d+)*$")
        self.assertIn("usr/share/licenses/understudy/LICENSE", files)

    def test_11_the_image_is_45_MB_unpacked_at_most(self):
        self.assertLessEqual(sum(member.size for member in self.entries()), 45_000_000)

    # The run

    def test_10_it_serves_as_an_unknown_user_in_a_root_that_can_not_be_written_to(self):
        root = self.root()
        # Free ports: this machine may have something on those of the image.
        with root.serve(*self.command("--port", "0"), env=self.environment()) as server:
            hub, chat = server.hub, server.apis["omnichat"]
            self.assertTrue(hub.startswith("http://127.0.0.1:"))

            def get(url, **headers):
                request = urllib.request.Request(url, headers=headers)
                try:
                    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                        return answer.status, json.load(answer)
                except urllib.error.HTTPError as error:
                    return error.code, json.load(error)

            self.assertEqual(get(f"{hub}/__admin/health")[0], 401)
            status, answer = get(f"{hub}/__admin/health", Authorization=f"Bearer {server.token}")
            self.assertEqual((status, answer["status"], answer["version"]), (200, "ok", self.version))
            self.assertEqual(get(f"{chat}/api/v1/conversations")[0], 401)
            # The health check of the image, with and without the token.
            check = self.config["config"]["Healthcheck"]["Test"][1:]
            for more in [{}, {"UNDERSTUDY_ADMIN_TOKEN": server.token}]:
                healthy = root.run(*check, env=self.environment(UNDERSTUDY_PORT=str(server.port), **more))
                self.assertEqual(healthy.returncode, 0, healthy.stderr)
            self.assertEqual(root.run(*check, env=self.environment(UNDERSTUDY_PORT="1")).returncode, 1)
            self.assertEqual(server.stop(), 143)
        self.assertEqual(os.listdir(f"{root.path}/ca"), os.listdir(f"{root.path}/state"))

    def test_10_its_user_writes_to_the_volumes_alone(self):
        root = self.root()
        environment = self.environment()
        with root.serve(*self.command("--port", "0", "--state", "/state"), env=environment) as server:
            self.assertEqual(server.stop(), 143)
        self.assertNotEqual(os.listdir(f"{root.path}/state"), [])
        os.chown(f"{root.path}/etc", 65532, 65532)
        # Its owner could write there, but for the mount.
        own = ["/etc"] if root.isolation else []
        for folder in ["/other", "/usr", "/", *own]:
            refused = root.run(*self.command("--port", "0", "--state", folder), env=environment)
            self.assertEqual(refused.returncode, 2, refused.stderr)
        info = os.stat(f"{root.path}/ca")
        self.assertEqual((info.st_uid, info.st_gid, stat.S_IMODE(info.st_mode)), (65532, 65532, 0o700))

    def test_10_own_apis_of_a_mounted_folder_are_served(self):
        root = self.root()
        made = run(BINARY, "new", "shop", cwd=root.path, umask=0o022)
        self.assertEqual(made.returncode, 0, made.stderr)
        with root.serve(*self.command("--port", "0", "--api", "shop"), env=self.environment()) as server:
            with urllib.request.urlopen(f"{server.apis['shop']}/hello", timeout=PATIENCE) as answer:
                self.assertEqual(list(json.load(answer)), ["message", "at"])
            self.assertEqual(server.stop(), 143)

    def test_10_the_words_of_the_command_line_need_no_proc(self):
        root = self.root()
        self.assertEqual(root.run("/understudy", "--version").stdout, f"understudy {self.version} ({self.commit})\n")
        unknown = root.run("/understudy", "a b", "c")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn('unknown command "a b"', unknown.stderr)

    def test_10_the_roots_of_the_image_are_those_that_an_https_address_is_verified_with(self):
        root = self.root()
        bundle = pathlib.Path(root.path, self.environment()["SSL_CERT_FILE"].lstrip("/"))
        self.assertGreater(bundle.read_text().count("BEGIN CERTIFICATE"), 50)
        with SecureServer() as server:
            # The program also knows the usual places itself, which differ from those of the machine that built it.
            for environment in [self.environment(), {}]:
                refused = root.run("/understudy", "health", server.url, env=environment)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("does not verify", refused.stderr)
            bundle.write_text(server.authority)
            for environment in [self.environment(), {}]:
                trusted = root.run("/understudy", "health", server.url, env=environment)
                self.assertEqual((trusted.returncode, trusted.stdout), (0, '{"status":"ok"}\n'), trusted.stderr)
            by_name = root.run("/understudy", "health", server.url.replace("127.0.0.1", "127.0.0.2"))
            self.assertEqual(by_name.returncode, 1)

    # Several platforms

    def test_10_images_of_two_platforms_are_joined_under_one_index(self):
        other = self.place / "other"
        machine = "aarch64" if "amd64" in self.file.name else "x86_64"
        with mock.patch("platform.machine", return_value=machine), contextlib.redirect_stdout(io.StringIO()):
            script("image").build(BINARY, other)
        images = [self.file, next(other.glob("*.oci.tar"))]
        for order in [images, images[::-1]]:
            joined = tempfile.TemporaryDirectory()
            self.addCleanup(joined.cleanup)
            result = run(SCRIPTS / "image", "--join", *order, "--output", joined.name)
            self.assertEqual(result.returncode, 0, result.stderr)
            file = pathlib.Path(joined.name, f"understudy-{self.version}-linux.oci.tar")
            layout = Layout(self, file)
            descriptor, = layout.index["manifests"]
            index = json.loads(layout.blob(descriptor, "application/vnd.oci.image.index.v1+json"))
            platforms = []
            for image in index["manifests"]:
                config, _ = layout.image(image)
                platforms.append(config["architecture"])
            self.assertEqual(platforms, ["amd64", "arm64"])
            self.assertEqual(layout.used, {name for name in layout.files if name.startswith("blobs/")})
            content = file.read_bytes()
            self.assertEqual(getattr(self, "former", content), content, "the order of the files changes nothing")
            self.former = content

    def test_10_what_can_not_be_joined_is_refused(self):
        with tempfile.TemporaryDirectory() as output:
            twice = run(SCRIPTS / "image", "--join", self.file, self.file, "--output", output)
            self.assertEqual(twice.returncode, 1)
            self.assertIn("different platforms", twice.stderr)
            broken = pathlib.Path(output, "broken.oci.tar")
            content = bytearray(self.file.read_bytes())
            # Inside the layer, which is most of the file.
            content[len(content) // 2] ^= 1
            broken.write_bytes(content)
            result = run(SCRIPTS / "image", "--join", broken, "--output", output)
            self.assertEqual(result.returncode, 1)
            self.assertIn("does not have its digest", result.stderr)


if __name__ == "__main__":
    unittest.main()
