"""pip as a source, without any network: a wheel and a source distribution written here, in a folder pip looks into."""

from __future__ import annotations

import io
import random
import tarfile
import time

import pytest
from conftest import make_zip

from semwork import datasets
from semwork.steps import last

MEMBERS = {"top/words.txt": b"one\ntwo\n"}
SOURCE_MEMBERS = {"tinywords-1.0/top/words.txt": b"one\ntwo\n"}


FETCH = """
import sys
from pathlib import Path
from semwork.datasets import folders
folders.registry_file = lambda: Path(sys.argv[1])
from semwork import cli
sys.exit(cli.main(["data", "fetch", "tiny"]))
"""


def wheel(members: dict[str, bytes] = MEMBERS) -> bytes:
    info = "tinywords-1.0.dist-info"
    meta = {
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: tinywords\nVersion: 1.0\nRequires-Python: >=99\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    return make_zip({**members, **meta})


def source_distribution(setup: bytes) -> bytes:
    out = io.BytesIO()
    files = {
        "tinywords-1.0/PKG-INFO": b"Metadata-Version: 2.1\nName: tinywords\nVersion: 1.0\n",
        "tinywords-1.0/pyproject.toml": b'[build-system]\nrequires = []\nbuild-backend = "b"\nbackend-path = ["."]\n',
        "tinywords-1.0/b.py": setup,
        **SOURCE_MEMBERS,
    }
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


BACKEND = b"""
import os, time
def prepare_metadata_for_build_wheel(folder, settings=None):
    %s
    os.makedirs(os.path.join(folder, "tinywords-1.0.dist-info"))
    with open(os.path.join(folder, "tinywords-1.0.dist-info", "METADATA"), "w") as f:
        f.write("Metadata-Version: 2.1\\nName: tinywords\\nVersion: 1.0\\n")
    return "tinywords-1.0.dist-info"
def build_wheel(*a, **k):
    raise SystemExit("nobody builds")
"""


@pytest.fixture
def links(tmp_path, monkeypatch):
    folder = tmp_path / "links"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return folder


def test_a_wheel_is_downloaded_checked_and_only_unpacked(shelf, links):
    file = "tinywords-1.0-py3-none-any.whl"
    (links / file).write_bytes(wheel())
    shelf.add_archive("tiny", file, wheel(), MEMBERS, package="tinywords==1.0")
    steps = list(datasets.fetch("tiny"))
    assert steps[-1].phase == "ready"
    assert (datasets.path("tiny") / "words.txt").read_bytes() == b"one\ntwo\n"
    assert not list((shelf.cache / "staging").rglob("*"))


def test_a_source_distribution_works_too(shelf, links):
    content = source_distribution(BACKEND % b"pass")
    (links / "tinywords-1.0.tar.gz").write_bytes(content)
    shelf.add_archive("tiny", "tinywords-1.0.tar.gz", content, SOURCE_MEMBERS, package="tinywords==1.0")
    assert (datasets.path("tiny") / "words.txt").read_bytes() == b"one\ntwo\n"


def test_pip_checks_the_hash_before_it_runs_anything(shelf, links, tmp_path):
    evil = source_distribution(b"open(%r, 'w').write('ran')" % str(tmp_path / "ran"))
    (links / "tinywords-1.0.tar.gz").write_bytes(evil)
    shelf.add_archive("tiny", "tinywords-1.0.tar.gz", b"what was promised", MEMBERS, package="tinywords==1.0")
    with pytest.raises(datasets.DataNotAvailable, match=r"its last words:[\s\S]*(?i:hash)"):
        last(datasets.fetch("tiny"))
    assert not (tmp_path / "ran").exists()


def test_a_missing_package_shows_pips_last_words(shelf, links):
    shelf.add_archive("tiny", "tinywords-1.0.tar.gz", b"x", MEMBERS, package="tinywords==1.0")
    with pytest.raises(datasets.DataNotAvailable, match="No matching distribution") as caught:
        last(datasets.fetch("tiny"))
    assert "python -m pip download --no-deps tinywords==1.0" in str(caught.value)
    assert "SHA-256" in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("size", ["1m", "4m"], ids=["pip finds it full", "unpacking finds it full"])
def test_a_disk_that_fills_is_named_as_the_cause(shelf, links, tmp_path, small_disk, size):
    file, members = "tinywords-1.0-py3-none-any.whl", {"top/big": random.Random(0).randbytes(3_000_000)}
    (links / file).write_bytes(wheel(members))
    shelf.add_archive("tiny", file, wheel(members), members, package="tinywords==1.0")
    done = small_disk(f"size={size}", shelf.cache, FETCH, shelf.registry)
    assert done.returncode == 1, done.stderr
    [said] = done.stderr.strip().splitlines()[-1:]
    assert said.startswith(f"the disk of the cache {shelf.cache} is full ([Errno 28] No space left on device")
    assert "'tiny' needs about 6.0 MB: make room" in said
    assert "$SEMWORK_CACHE" in said
    assert "network" not in done.stderr
    assert small_disk("size=7m", shelf.cache, FETCH, shelf.registry).returncode == 0, "what it asks for is enough"


@pytest.mark.slow
def test_closing_the_stream_kills_pip(shelf, links, tmp_path):
    psutil = pytest.importorskip("psutil")
    content = source_distribution(BACKEND % b"time.sleep(60)")
    (links / "tinywords-1.0.tar.gz").write_bytes(content)
    shelf.add_archive("tiny", "tinywords-1.0.tar.gz", content, SOURCE_MEMBERS, package="tinywords==1.0")
    before = set(psutil.Process().children(recursive=True))  # other tests may keep a browser
    stream = datasets.fetch("tiny")
    start = time.monotonic()
    for _ in stream:
        if time.monotonic() - start > 4:
            break
    children = set(psutil.Process().children(recursive=True)) - before
    assert children
    stream.close()
    assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
    assert not list((shelf.cache / "staging").rglob("*"))
    assert not datasets.available("tiny")
