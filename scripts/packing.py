"""What the packers of archives, wheels and images share: the release's names and date, the stripped program, licence texts, and
tar files whose bytes follow from their content alone."""

import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "dist"
BINARY = ROOT / ".build/release/understudy"
# The folder of shared libraries inside the archive, which the program searches relative to itself (scripts/build-release).
LIBRARIES = "lib/understudy"
LICENSES = "share/licenses/understudy"
# The manual page and the completions, by the arguments with which the program prints them.
GENERATED = {
    "share/man/man1/understudy.1": ["man"],
    "share/bash-completion/completions/understudy": ["completions", "bash"],
    "share/zsh/site-functions/_understudy": ["completions", "zsh"],
    "share/fish/vendor_completions.d/understudy.fish": ["completions", "fish"],
}
# What every Linux with glibc has; anything else that the program loads is packed.
SYSTEM_LIBRARIES = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util))\.so\.\d+")


class Failure(Exception):
    """A reason for which nothing can be packed."""


def run(*words, folder=ROOT):
    """Returns the standard output of a program."""
    try:
        return subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout
    except FileNotFoundError as error:
        raise Failure(f"{words[0]} is needed and not there") from error
    except subprocess.CalledProcessError as error:
        raise Failure(f"{' '.join(map(str, words))}: {error.stderr.strip() or error.returncode}") from error


class Release:
    """The version, commit, date and platform of a built program."""

    FORM = re.compile(r"understudy (\d+\.\d+\.\d+\S*)(?: \(([0-9a-f]{12})(-dirty)?\))?\n")

    def __init__(self, binary):
        if not os.access(binary, os.X_OK):
            raise Failure(f"{binary} is not there; make build makes it")
        found = self.FORM.fullmatch(run(binary, "--version"))
        if not found:
            raise Failure(f"{binary} --version prints no version")
        self.version, self.commit, dirty = found.groups()
        self.is_dirty = dirty is not None
        self.date = self._date()
        self.os = {"Linux": "linux", "Darwin": "macos"}.get(platform.system())
        self.arch = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine())
        if not self.os or not self.arch:
            raise Failure(f"{platform.system()} on {platform.machine()} is no platform of a release")

    def _date(self):
        """The seconds since 1970 of everything that is packed: those of the commit, never the machine's clock."""
        given = os.environ.get("SOURCE_DATE_EPOCH")
        if given:
            if not given.isdigit():
                raise Failure(f"SOURCE_DATE_EPOCH is {given}, not a number of seconds")
            return int(given)
        if not self.commit:
            raise Failure("the program tells no commit; build it in a git checkout, or set SOURCE_DATE_EPOCH")
        return int(run("git", "show", "-s", "--format=%ct", self.commit))

    @property
    def name(self):
        """The name of the archive and of the folder in it."""
        return f"understudy-{self.version}-{self.os}-{self.arch}"


class Tar:
    """A tar file under construction: sorted by name, with all folders, one date and owner 0."""

    def __init__(self, date):
        self.date = date
        self.entries = {}

    def folder(self, name, mode=0o755, owner=0):
        parent = os.path.dirname(name)
        if parent and parent not in self.entries:
            self.folder(parent)
        self.entries.setdefault(name, (None, mode, owner))

    def file(self, name, content, mode=0o644):
        if os.path.dirname(name):
            self.folder(os.path.dirname(name))
        if name in self.entries:
            raise Failure(f"{name} is packed twice")
        self.entries[name] = (content, mode, 0)

    def bytes(self):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for name in sorted(self.entries):
                content, mode, owner = self.entries[name]
                info = tarfile.TarInfo(name)
                info.mtime, info.mode, info.uid, info.gid = self.date, mode, owner, owner
                if content is None:
                    info.type = tarfile.DIRTYPE
                    tar.addfile(info)
                else:
                    info.size = len(content)
                    tar.addfile(info, io.BytesIO(content))
        return buffer.getvalue()


def gzip(content):
    """Returns the bytes as a gzip file without a name and a time."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(content) + packer.flush()


def digest(content):
    return hashlib.sha256(content).hexdigest()


def stripped(binary, release):
    """Returns the program without symbols, and the symbols as a file beside it (None where the system has another form)."""
    symbols_name = f"{release.name}.debug"
    with tempfile.TemporaryDirectory() as place:
        program, symbols = pathlib.Path(place, "understudy"), pathlib.Path(place, symbols_name)
        shutil.copyfile(binary, program)
        program.chmod(0o755)
        if release.os == "macos":
            run("strip", "-x", program)
            # A program without a signature that fits does not start on Apple silicon.
            run("codesign", "--force", "--sign", "-", program)
            return program.read_bytes(), None
        run("objcopy", "--only-keep-debug", "--compress-debug-sections", program, symbols)
        run("strip", "--strip-all", program)
        run("objcopy", f"--add-gnu-debuglink={symbols}", program, folder=place)
        return program.read_bytes(), (symbols_name, symbols.read_bytes())


def shared_libraries(binary):
    """Returns the paths of the shared libraries that a Linux program loads by their names, and its loader's path."""
    libraries, loader = {}, None
    for line in run("ldd", binary).splitlines():
        words = line.split()
        if "=>" in words:
            if words[2] == "not":
                raise Failure(f"{binary} needs {words[0]}, which is not there")
            libraries[words[0]] = words[2]
        elif words and words[0].startswith("/"):
            loader = words[0]
    if not loader:
        raise Failure(f"{binary} has no loader")
    return libraries, loader


def foreign_libraries(binary):
    """Returns the shared libraries that not every Linux has, by their names."""
    found = {name: path for name, path in shared_libraries(binary)[0].items() if not SYSTEM_LIBRARIES.fullmatch(name)}
    if found and f"$ORIGIN/../{LIBRARIES}" not in run("readelf", "-d", binary):
        raise Failure(f"{binary} does not look for libraries beside itself; scripts/build-release links it so that it does")
    return found


def generated(binary):
    """Returns the manual page and the completions, by their places below the folder that has `bin`."""
    return {name: run(binary, *words).encode() for name, words in GENERATED.items()}


def wheel_version(version):
    """Returns a version in the form of Python packages (PEP 440): 1.0.0-rc.1 is 1.0.0rc1; None if it has none."""
    found = re.fullmatch(r"(\d+\.\d+\.\d+)(?:-(alpha|beta|rc|dev)\.(\d+))?", version)
    if not found:
        return None
    base, stage, number = found.groups()
    return base + (f"{ {'alpha': 'a', 'beta': 'b', 'rc': 'rc', 'dev': '.dev'}[stage]}{int(number)}" if stage else "")


def license_texts(release, libraries):
    """Returns the licence texts of what a Linux program holds or what is packed with it, by file name.

    `libraries` are the shared libraries that are packed. The archives are those that scripts/static-libraries has found.
    """
    if release.os != "linux":
        return {}
    archives = ROOT / ".build/archives"
    if not archives.is_dir():
        raise Failure(f"{archives} is not there; scripts/build-release makes it")
    texts, common = {}, set()
    for path in sorted([*archives.glob("*.a"), *map(pathlib.Path, libraries)]):
        name, text = _license(path.resolve())
        texts[f"{name}.txt"] = text
        common |= set(re.findall(rb"/usr/share/common-licenses/([A-Za-z0-9.+-]*[A-Za-z0-9])", text))
    for name in sorted(common):
        path = pathlib.Path("/usr/share/common-licenses", name.decode())
        if path.is_file():
            texts[f"common/{name.decode()}.txt"] = path.read_bytes()
    texts["swift.txt"] = _swift_license()
    return texts


def _license(library):
    """Returns the source package of a library and its licence text."""
    # Debian knows a library of /lib by its name below /usr or without it.
    names = [str(library), str(library).removeprefix("/usr")]
    for name in names:
        try:
            package = run("dpkg", "-S", name).split(": ")[0].split(",")[0]
        except Failure:
            continue
        text = pathlib.Path("/usr/share/doc", package.split(":")[0], "copyright")
        if not text.is_file():
            raise Failure(f"{text} is not there: the licence of {library} can't be packed")
        return run("dpkg-query", "-W", "-f", "${source:Package}", package), text.read_bytes()
    raise Failure(f"no package has {library}: its licence can't be packed")


def _swift_license():
    info = run("swiftc", "-print-target-info")
    resources = re.search(r'"runtimeResourcePath": *"([^"]+)"', info)
    text = pathlib.Path(resources.group(1) if resources else "/", "../../share/swift/LICENSE.txt")
    if not text.is_file():
        raise Failure(f"{text} is not there: the licence of the Swift runtime can't be packed")
    return text.read_bytes()


def write(folder, name, content):
    """Writes a file in one step."""
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f".{name}.{os.getpid()}"
    new.write_bytes(content)
    os.replace(new, folder / name)
    print(f"{len(content):>11,}  {folder / name}")


def write_sums(folder, version):
    """Writes the sums of all files of a version in the form that `sha256sum -c` reads."""
    names = {version, wheel_version(version) or version}
    files = sorted(path for name in names for path in folder.glob(f"understudy-{name}-*") if path.is_file())
    lines = [f"{digest(path.read_bytes())}  {path.name}\n" for path in files]
    write(folder, "SHA256SUMS", "".join(lines).encode())


def main(body):
    """Runs a packer and tells the reason of a failure."""
    try:
        body()
    except Failure as failure:
        print(f"{os.path.basename(sys.argv[0])}: {failure}", file=sys.stderr)
        sys.exit(1)
