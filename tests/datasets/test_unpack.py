from __future__ import annotations

import io
import stat
import tarfile
import zipfile

import pytest
from conftest import make_tar, make_zip, sha256
from hypothesis import given
from hypothesis import strategies as st

from semwork.datasets.registry import File
from semwork.datasets.unpack import UnsafeArchive, _copy, safe_path, unpack


def wanted(name: str, content: bytes, path: str = "") -> File:
    return File(path or name.rpartition("/")[2], len(content), sha256(content), member=name)


EVIL = ["../evil", "a/../../evil", "/etc/evil", "C:/evil", "c:evil", "..\\evil", "a\\b", "//server/evil", ".."]


@pytest.mark.parametrize("make", [make_zip, make_tar])
@pytest.mark.parametrize("name", EVIL)
def test_a_name_that_points_outside_condemns_the_archive(tmp_path, make, name):
    path = tmp_path / "archive"
    path.write_bytes(make({name: b"evil", "good.txt": b"good"}))
    target = tmp_path / "deep" / "target"
    with pytest.raises(UnsafeArchive, match="outside"):
        list(unpack(path, [wanted("good.txt", b"good"), wanted(name, b"evil", "evil")], target))
    assert {p.name for p in tmp_path.rglob("*")} <= {"archive", "deep", "target"}


@pytest.mark.parametrize("path", ["../evil", "/evil", "a/../../evil", "C:\\evil"])
def test_a_registered_path_that_points_outside_is_refused(tmp_path, path):
    (tmp_path / "a.zip").write_bytes(make_zip({"good": b"good"}))
    with pytest.raises(UnsafeArchive, match="outside"):
        list(unpack(tmp_path / "a.zip", [wanted("good", b"good", path)], tmp_path / "t"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_links_and_devices_in_tars_are_refused(tmp_path, kind):
    info = tarfile.TarInfo("link")
    info.type, info.linkname = kind, "/etc/passwd"
    (tmp_path / "a.tar.gz").write_bytes(make_tar({"link": info}))
    with pytest.raises(UnsafeArchive, match="link or a device"):
        list(unpack(tmp_path / "a.tar.gz", [wanted("link", b"")], tmp_path / "t"))
    assert not (tmp_path / "t" / "link").exists()


def test_symlinks_in_zips_are_refused(tmp_path):
    info = zipfile.ZipInfo("link")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(UnsafeArchive, match="link or a device"):
        list(unpack(tmp_path / "a.zip", [wanted("link", b"/etc/passwd")], tmp_path / "t"))


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_only_registered_members_are_unpacked(tmp_path, make):
    (tmp_path / "a").write_bytes(make({"top/one": b"1", "top/two": b"22", "setup.py": b"import os"}))
    done = list(unpack(tmp_path / "a", [wanted("top/two", b"22", "sub/two")], tmp_path / "t"))
    assert [file.path for file in done] == ["sub/two"]
    assert [str(p.relative_to(tmp_path / "t")) for p in (tmp_path / "t").rglob("*") if p.is_file()] == ["sub/two"]


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_bombs_missing_members_and_changed_bytes_are_refused(tmp_path, make):
    (tmp_path / "a").write_bytes(make({"big": bytes(10_000_000)}))
    with pytest.raises(UnsafeArchive, match="claims 10,000,000 bytes"):
        list(unpack(tmp_path / "a", [wanted("big", b"tiny")], tmp_path / "t"))
    with pytest.raises(UnsafeArchive, match="lacks other"):
        list(unpack(tmp_path / "a", [wanted("other", b"x")], tmp_path / "t"))
    with pytest.raises(UnsafeArchive, match="another SHA-256"):
        list(unpack(tmp_path / "a", [wanted("big", b"x" * 10_000_000)], tmp_path / "t2"))


def test_a_zip_that_lies_about_a_size_writes_no_more_than_registered(tmp_path):
    content = make_zip({"big": bytes(1_000_000)})
    size = (1_000_000).to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(content.replace(size, (5).to_bytes(4, "little")))
    with pytest.raises((UnsafeArchive, zipfile.BadZipFile)):
        list(unpack(tmp_path / "a.zip", [File("big", 5, "0" * 64, member="big")], tmp_path / "t"))
    written = tmp_path / "t" / "big"
    assert not written.exists() or written.stat().st_size <= 5


def test_a_member_longer_than_registered_is_cut_off(tmp_path):
    """The libraries stop at the declared size; should they not, we do."""
    file = wanted("big", b"12345")
    with pytest.raises(UnsafeArchive, match="longer than the 5 bytes"):
        _copy(io.BytesIO(b"12345" * 1000), tmp_path / "big", file)
    assert (tmp_path / "big").stat().st_size <= 5


@given(st.text(st.sampled_from("ab./\\:C~\0"), min_size=1, max_size=12))
def test_no_accepted_name_leaves_the_folder(tmp_path_factory, name):
    folder = tmp_path_factory.getbasetemp() / "folder"
    try:
        path = safe_path(folder, name)
    except UnsafeArchive:
        return
    assert path.resolve().is_relative_to(folder.resolve())
    assert path != folder
