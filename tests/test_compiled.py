"""What is compiled is kept, found again by what it says, and thrown away when a function that it calls has changed."""

import os
import subprocess
import sys
import textwrap

import pytest

from semwork.compiled import _Kept

pytestmark = pytest.mark.slow
CALLEE = "from semwork.compiled import compiled\n\n@compiled\ndef number():\n    return {}\n"
CALLER = """
from callee import number
from semwork.compiled import compiled

@compiled
def twice():
    return 2 * number()
"""


def written(folder, number=1):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "caller.py").write_text(CALLER)
    (folder / "callee.py").write_text(CALLEE.format(number))
    return folder


def run(folder, cache=""):
    code = textwrap.dedent(
        """
        from caller import twice
        print(twice(), sum(twice.stats.cache_hits.values()))
        """
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, env=environment).stdout


def test_a_change_in_another_file_of_the_room_is_seen(tmp_path):
    room = written(tmp_path / "room")
    assert run(room) == "2 0\n"
    assert run(room) == "2 1\n", "kept"
    kept = set((room / "__pycache__").glob("*.nbc"))
    assert len(kept) == 2
    written(room, 5)
    assert run(room) == "10 0\n", "compiled anew"
    again = set((room / "__pycache__").glob("*.nbc"))
    assert (len(again), again & kept) == (2, set()), "the old ones are gone"


def test_the_same_files_in_another_place_are_found_compiled(tmp_path):
    cache = tmp_path / "cache"
    assert run(written(tmp_path / "one" / "room"), cache) == "2 0\n"
    assert run(written(tmp_path / "other" / "room"), cache) == "2 1\n"
    assert run(written(tmp_path / "other" / "room", 5), cache) == "10 0\n"
    assert run(tmp_path / "one" / "room", cache) == "2 1\n", "both are kept"
    assert not list(tmp_path.glob("*/room/__pycache__/*.nbc"))


def test_two_that_compile_at_the_same_time_never_read_each_others_code(tmp_path, monkeypatch):
    one, other = (_Kept(str(tmp_path), "f-1.py311", "stamp") for _ in range(2))
    written_by_one = one._save_data

    def meanwhile(name, data):
        other.save("for float", "code for float")
        written_by_one(name, data)

    monkeypatch.setattr(one, "_save_data", meanwhile)
    monkeypatch.setattr(other, "_load_index", dict)  # read before the other one wrote
    one.save("for int", "code for int")
    fresh = _Kept(str(tmp_path), "f-1.py311", "stamp")
    assert fresh.load("for float") == "code for float"
    assert fresh.load("for int") == "code for int"
