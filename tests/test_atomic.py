"""What was saved before outlives a save that fails."""

from __future__ import annotations

import stat
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from semwork.atomic import write_whole, written_whole

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions, links and limits are those of POSIX")

# The system stops every file of this process at 6,000 bytes, as a full disk stops it.
FULL = """
import errno, pathlib, resource
from semwork.similarity import SentenceSpace, TfidfCosine, WTMF
from semwork.structures.tasks.parsing import _keep
from semwork.topics import LDA
import numpy as np, pandas as pd

def wtmf(n):
    return WTMF(2, max_iter=1, random_state=0).fit(np.eye(n))

def lda(n):
    return LDA(2, max_sweeps=2, random_state=0).fit([list(range(n))])

def space(n):
    return SentenceSpace.from_texts(["a b", "b c"] * n, TfidfCosine(), weighting="count").fit()

saves = {
    "SentenceSpace": lambda path, n: space(n).save(path),
    "Corpus": lambda path, n: space(n).corpus.save(path),
    "WTMF": lambda path, n: wtmf(n).save(path),
    "LDA": lambda path, n: lda(n).save(path),
    "parses": lambda path, n: _keep(path, pd.DataFrame({"a": np.random.default_rng(0).random(n)})),
}
paths = {name: pathlib.Path(FOLDER, name, "model.npz") for name in saves}
for name, save in saves.items():
    paths[name].parent.mkdir()
    save(paths[name], 8)
small = {name: path.read_bytes() for name, path in paths.items()}
resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))
for name, save in saves.items():
    try:
        save(paths[name], 2000)
    except OSError as error:
        assert error.errno == errno.EFBIG, (name, error)
        said = str(error)
    else:
        raise SystemExit(f"nothing stopped {name}")
    assert paths[name].read_bytes() == small[name], f"the older {name} is gone"
    assert [found.name for found in paths[name].parent.iterdir()] == ["model.npz"], f"{name} left something behind"
    assert str(paths[name]) in said, said
"""


@pytest.mark.slow
def test_a_full_disk_leaves_the_older_files_and_nothing_else(tmp_path):
    code = f"FOLDER = {str(tmp_path)!r}\n{textwrap.dedent(FULL)}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def half_written(path, error):
    with written_whole(path) as file:
        file.write(b"newer")
        raise error


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt])
def test_what_is_interrupted_was_never_there(kind, tmp_path):
    path = tmp_path / "numbers.txt"
    for before in (None, b"older"):
        if before:
            path.write_bytes(before)
        with pytest.raises(kind):
            half_written(path, kind)
        assert [found.read_bytes() for found in tmp_path.iterdir()] == ([before] if before else [])


def test_a_reader_sees_the_older_file_until_the_newer_one_is_whole(tmp_path):
    path = tmp_path / "numbers.txt"
    write_whole(path, "older")
    with written_whole(path) as first, written_whole(path) as second:
        first.write(b"first")
        second.write(b"second")
        second.flush()
        assert path.read_text() == "older"
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_told_with_the_name_that_was_given(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere/numbers\.txt"):
        write_whole(tmp_path / "nowhere" / "numbers.txt", "1 2 3")


def test_text_becomes_utf_8(tmp_path):
    write_whole(tmp_path / "text.txt", "λ\n")
    assert (tmp_path / "text.txt").read_bytes() == b"\xce\xbb\n"


def test_permissions_and_links_stay(tmp_path):
    path, link = tmp_path / "numbers.txt", tmp_path / "link.txt"
    plain = tmp_path / "plain.txt"
    plain.write_text("made as any file")
    write_whole(path, "older")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, "newer")
    assert link.is_symlink()
    assert path.read_text() == "newer"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_arrays_are_readable_after_a_second_save(tmp_path):
    from semwork.similarity import TfidfCosine

    for words in (3, 4):
        TfidfCosine().fit(np.eye(words)).save(tmp_path / "model.npz")
    assert TfidfCosine.load(tmp_path / "model.npz").n_features_in_ == 4
