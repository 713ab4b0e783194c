from __future__ import annotations

import os
import random
import threading
import time

import pytest
from conftest import make_zip, tree

from semwork import datasets
from semwork.datasets import download
from semwork.datasets.finding import find
from semwork.datasets.registry import registered
from semwork.steps import last

TEXT = b"A cat sat.\nA dog ran.\n" * 5
GOLD = b"0.5\n" * 5
BIG = random.Random(0).randbytes(3_000_000)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(download, "TIMEOUT", (2.0, 1.0))


def add_pair(shelf, server, *behaviour: str) -> None:
    urls = {"text": [server.put("/text", TEXT, *behaviour)], "gs": [server.put("/gs", GOLD)]}
    shelf.add_files("pair", {"text": TEXT, "gs": GOLD}, urls)


def add_big(shelf, server, *behaviour: str) -> None:
    archive = make_zip({"top/big": BIG, "top/sub/small": b"s"})
    url = server.put("/big.zip", archive, *behaviour)
    shelf.add_archive("big", "big.zip", archive, {"top/big": BIG, "top/sub/small": b"s"}, urls=[url])


def leftovers(shelf) -> list[str]:
    allowed = ("locks", "checked", "downloads", "pair", "big", "staging")
    names = [p for p in shelf.cache.rglob("*") if p.is_file()]
    staging = [str(p) for p in names if "staging" in p.parts]
    return staging + [str(p) for p in names if p.relative_to(shelf.cache).parts[0] not in allowed]


def test_files_are_fetched_and_then_found_without_the_network(shelf, server):
    add_pair(shelf, server)
    assert not datasets.available("pair")
    steps = list(datasets.fetch("pair"))
    assert steps[-1].phase == "ready"
    assert steps[-1].fraction == 1
    assert {s.phase for s in steps} == {"downloading", "ready"}
    assert all(s.total == len(TEXT) + len(GOLD) for s in steps)
    assert [s.done for s in steps] == sorted(s.done for s in steps)
    assert (datasets.path("pair") / "text").read_bytes() == TEXT
    assert server.requests == ["/text", "/gs"]
    assert last(datasets.fetch("pair")).phase == "ready"
    assert len(server.requests) == 2
    assert leftovers(shelf) == []


@pytest.mark.slow
def test_an_archive_is_fetched_unpacked_and_reported_with_speed(shelf, server):
    add_big(shelf, server, "slow")
    steps = list(datasets.fetch("big"))
    moving = [s for s in steps if s.phase == "downloading" and 0 < s.done < s.total]
    assert len(moving) > 3
    assert all(s.speed > 0 and "MB/s" in s.message for s in moving)
    folder = datasets.path("big")
    assert (folder / "big").read_bytes() == BIG
    assert (folder / "sub" / "small").read_bytes() == b"s"
    assert leftovers(shelf) == []


@pytest.mark.parametrize("behaviour", [("break",), ("500",), ("break", "503"), ("stall",), ("short",)])
def test_a_passing_trouble_is_tried_again(shelf, server, behaviour):
    add_big(shelf, server, *behaviour)
    last(datasets.fetch("big"))
    assert len(server.requests) == 1 + len(behaviour)
    assert (datasets.path("big") / "big").read_bytes() == BIG


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (("404",), "the server answered 404"),
        (("wrong",), "another SHA-256"),
        (("longer",), "more than the"),
        (("break",) * 3, r"broke off after .* \(3 attempts\)"),
        (("500",) * 3, "the server answered 500"),
    ],
)
def test_a_lasting_trouble_is_one_clear_error(shelf, server, behaviour, reason):
    add_big(shelf, server, *behaviour)
    with pytest.raises(datasets.DataNotAvailable, match=reason) as caught:
        last(datasets.fetch("big"))
    message = str(caught.value)
    assert f"{server.address}/big.zip" in message
    assert "semwork data fetch big" in message
    assert str(shelf.cache / "big") in message
    assert "$SEMWORK_DATA/big" in message
    assert not datasets.available("big")
    assert leftovers(shelf) == []
    last(datasets.fetch("big"))  # the trouble has gone
    assert datasets.available("big")


def test_the_second_source_helps_when_the_first_fails(shelf, server):
    good = server.put("/good", TEXT)
    shelf.add_files("pair", {"text": TEXT}, {"text": [server.address + "/nothing", good]})
    last(datasets.fetch("pair"))
    assert server.requests == ["/nothing", "/good"]


def test_no_network_lists_every_way(shelf):
    archive = make_zip({"top/x": b"x"})
    shelf.add_archive("big", "big.zip", archive, {"top/x": b"x"}, urls=["http://127.0.0.1:9/big.zip"])
    start = time.monotonic()
    with pytest.raises(datasets.DataNotAvailable, match="no connection") as caught:
        datasets.path("big")
    assert time.monotonic() - start < 5
    assert "big.zip (" in str(caught.value)


def test_offline_asks_nobody(shelf, server, monkeypatch):
    add_big(shelf, server)
    monkeypatch.setenv("SEMWORK_OFFLINE", "1")
    with pytest.raises(datasets.DataNotAvailable, match=r"forbidden by \$SEMWORK_OFFLINE"):
        datasets.path("big")
    assert server.requests == []


@pytest.mark.parametrize("unpacked", [False, True])
def test_the_users_folder_comes_first_and_is_never_written(shelf, server, monkeypatch, unpacked):
    add_big(shelf, server)
    folder = shelf.user / "big"
    (folder / "sub").mkdir(parents=True)
    if unpacked:
        (folder / "big").write_bytes(BIG)
        (folder / "sub" / "small").write_bytes(b"s")
    else:
        (folder / "big.zip").write_bytes(server.pages["/big.zip"])
    monkeypatch.setenv("SEMWORK_DATA", str(shelf.user))
    before = tree(shelf.user)
    assert datasets.available("big")
    assert datasets.path("big") == (folder if unpacked else shelf.cache / "big")
    assert datasets.path("big") == (folder if unpacked else shelf.cache / "big")
    assert tree(shelf.user) == before
    assert server.requests == []


def test_a_download_never_goes_into_the_users_folder(shelf, server, monkeypatch):
    add_big(shelf, server)
    add_pair(shelf, server)
    (shelf.user / "big").mkdir(parents=True)
    (shelf.user / "big" / "big.zip").write_bytes(b"broken")
    monkeypatch.setenv("SEMWORK_DATA", str(shelf.user))
    before = tree(shelf.user)
    for name in ("big", "pair"):
        last(datasets.fetch(name))
        assert find(registered()[name]).folder == shelf.cache / name
    assert len(server.requests) == 3
    assert tree(shelf.user) == before


def test_an_archive_put_into_the_cache_by_hand_is_used(shelf, server):
    add_big(shelf, server)
    (shelf.cache / "big").mkdir(parents=True)
    (shelf.cache / "big" / "big.zip").write_bytes(server.pages["/big.zip"])
    assert (datasets.path("big") / "big").read_bytes() == BIG
    assert server.requests == []


def test_a_wrong_file_in_the_users_folder_is_passed_over_with_a_warning(shelf, server, monkeypatch):
    add_pair(shelf, server)
    (shelf.user / "pair").mkdir(parents=True)
    (shelf.user / "pair" / "text").write_bytes(bytes(len(TEXT)))
    (shelf.user / "pair" / "gs").write_bytes(GOLD)
    monkeypatch.setenv("SEMWORK_DATA", str(shelf.user))
    before = tree(shelf.user)
    assert not datasets.available("pair")
    with pytest.warns(UserWarning, match="another SHA-256"):
        folder = datasets.path("pair")
    assert folder == shelf.cache / "pair"
    assert server.requests == ["/text"], "the good file was taken from the user's folder"
    assert tree(shelf.user) == before


@pytest.mark.parametrize("damage", ["shorter", "other", "gone"])
def test_damage_in_the_cache_is_noticed_and_mended(shelf, server, damage):
    add_big(shelf, server)
    file = datasets.path("big") / "big"
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes(BIG[:-1] if damage == "shorter" else BIG[:-1] + b"!" if BIG[-1:] != b"!" else BIG[:-1] + b"?")
    assert find(registered()["big"]).folder is None
    assert datasets.path("big") == shelf.cache / "big"
    assert file.read_bytes() == BIG
    assert len(server.requests) == 1, "the kept archive is enough"


def test_hashes_are_remembered_by_size_and_time(shelf, server, monkeypatch):
    add_big(shelf, server)
    datasets.path("big")
    from semwork.datasets import trust

    monkeypatch.setattr(trust, "sha256_of", lambda path: pytest.fail(f"hashed {path} again"))
    assert datasets.available("big")


@pytest.mark.parametrize("behaviour", ["slow", "stall"])
def test_closing_the_stream_stops_and_leaves_nothing(shelf, server, behaviour):
    add_big(shelf, server, behaviour)
    threads = threading.active_count()
    stream = datasets.fetch("big")
    for step in stream:
        if step.done:
            break
    start = time.monotonic()
    stream.close()
    assert time.monotonic() - start < 2.5
    assert not datasets.available("big")
    assert leftovers(shelf) == []
    until = time.monotonic() + 5
    while threading.active_count() > threads + 1 and time.monotonic() < until:
        time.sleep(0.05)
    assert not [t for t in threading.enumerate() if t.name == "semwork-download"]
    last(datasets.fetch("big"))
    assert datasets.available("big")


def test_closing_while_unpacking_leaves_nothing_trusted(shelf, server):
    add_big(shelf, server)
    stream = datasets.fetch("big")
    while next(stream).phase != "unpacking":
        pass
    stream.close()
    assert find(registered()["big"]).folder is None
    assert leftovers(shelf) == []


def test_a_hostile_archive_is_refused_even_with_the_right_hash(shelf, server, tmp_path):
    archive = make_zip({"top/x": b"x", "../../evil": b"evil"})
    shelf.add_archive("big", "big.zip", archive, {"top/x": b"x"}, urls=[server.put("/big.zip", archive)])
    with pytest.raises(datasets.DataNotAvailable, match=r"was refused.*outside"):
        datasets.path("big")
    assert not list(tmp_path.rglob("evil"))


def test_a_cache_that_cannot_be_written_says_what_to_do(shelf, server):
    add_big(shelf, server)
    shelf.cache.write_text("a file where the folder should be")
    with pytest.raises(datasets.DataNotAvailable, match=r"cannot work in the cache .*Set \$SEMWORK_CACHE"):
        datasets.path("big")


def test_a_derived_set_fetches_what_it_needs(shelf, server):
    add_pair(shelf, server)
    shelf.add("both", 'kind = "derived"\nneeds = ["pair"]\n')
    assert not datasets.available("both")
    assert [s.name for s in datasets.fetch("both") if s.phase == "ready"] == ["pair", "both"]
    assert datasets.available("both")


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX terminal")
def test_report_sees_every_step(shelf, server):
    add_pair(shelf, server)
    seen: list[datasets.FetchStep] = []
    datasets.path("pair", report=seen.append)
    assert seen[-1].phase == "ready"
