"""A shelf of tiny data sets written here, and a server that behaves as badly as it is told to."""

from __future__ import annotations

import hashlib
import io
import tarfile
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from semwork.datasets import folders


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def make_zip(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def make_tar(members: dict[str, bytes | tarfile.TarInfo]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in members.items():
            if isinstance(content, tarfile.TarInfo):
                archive.addfile(content)
            else:
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


class Shelf:
    """A registry of its own, with a cache and a server of its own."""

    def __init__(self, folder: Path) -> None:
        self.registry = folder / "registry.toml"
        self.cache = folder / "cache"
        self.user = folder / "user-data"
        self.registry.write_text("", encoding="utf-8")
        self._entries = 0

    def add(self, name: str, text: str) -> None:
        head = f'[{name}]\ntitle = "T"\npurpose = "P"\nlicence = "L"\ncitation = "C"\n'
        # a new file each time: the registry is read once per path
        self._entries += 1
        old = self.registry.read_text(encoding="utf-8")
        self.registry = self.registry.with_name(f"registry-{self._entries}.toml")
        self.registry.write_text(old + head + text, encoding="utf-8")

    def add_files(self, name: str, files: dict[str, bytes], urls: dict[str, list[str]]) -> None:
        lines = ['kind = "files"']
        for path, content in files.items():
            lines += [f"[[{name}.files]]", f'path = "{path}"', f"size = {len(content)}"]
            lines += [f'sha256 = "{sha256(content)}"', f"urls = {urls[path]!r}"]
        self.add(name, "\n".join(lines) + "\n")

    def add_archive(
        self,
        name: str,
        file: str,
        content: bytes,
        members: dict[str, bytes],
        *,
        urls: list[str] = [],  # noqa: B006 - never changed
        package: str = "",
    ) -> None:
        lines = ['kind = "archive"', f"[{name}.archive]", f'path = "{file}"', f"size = {len(content)}"]
        lines += [f'sha256 = "{sha256(content)}"', f"urls = {urls!r}", f'package = "{package}"']
        lines += ['folders = { "top/" = "", "tinywords-1.0/top/" = "" }', "members = '''"]
        lines += [f"{sha256(x)} {len(x)} {member}" for member, x in members.items()] + ["'''"]
        self.add(name, "\n".join(lines) + "\n")


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    made = Shelf(tmp_path)
    monkeypatch.setattr(folders, "registry_file", lambda: made.registry)
    monkeypatch.setenv("SEMWORK_CACHE", str(made.cache))
    monkeypatch.delenv("SEMWORK_DATA", raising=False)
    monkeypatch.delenv("SEMWORK_OFFLINE", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return made


class Server:
    """Serves ``pages``; a path may have a list of behaviours, used up one request after the other."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.behaviour: dict[str, list[str]] = {}
        self.requests: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: object) -> None:
                pass

            def do_GET(self) -> None:
                outer.requests.append(self.path)
                todo = outer.behaviour.get(self.path, [])
                how = todo.pop(0) if todo else "fine"
                content = outer.pages.get(self.path)
                if content is None or how.isdigit():
                    self.send_error(int(how) if how.isdigit() else 404)
                    return
                if how == "wrong":
                    content = bytes(len(content))
                if how == "longer":
                    content += b"more"
                self.send_response(200)
                if how == "short":
                    content = content[: len(content) // 2]  # and nobody says how long it should be
                else:
                    self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self._send(content, how)

            def _send(self, content: bytes, how: str) -> None:
                if how == "break":
                    self.wfile.write(content[: len(content) // 2])
                    self.close_connection = True
                    return
                try:
                    if how == "slow":
                        for start in range(0, len(content), 1 << 14):
                            self.wfile.write(content[start : start + (1 << 14)])
                            self.wfile.flush()
                            time.sleep(0.02)
                    elif how == "stall":
                        self.wfile.write(content[:1000])
                        self.wfile.flush()
                        outer.stalled.wait(20)
                    else:
                        self.wfile.write(content)
                except OSError:
                    pass  # the client has gone, as some tests want

        self.stalled = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def put(self, path: str, content: bytes, *behaviour: str) -> str:
        self.pages[path] = content
        self.behaviour[path] = list(behaviour)
        return self.address + path

    def close(self) -> None:
        self.stalled.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def server():
    made = Server()
    yield made
    made.close()


def tree(folder: Path) -> dict[str, tuple[int, int]]:
    """Everything under a folder, to compare before and after."""
    return {str(p.relative_to(folder)): (p.stat().st_size, p.stat().st_mtime_ns) for p in folder.rglob("*")}
