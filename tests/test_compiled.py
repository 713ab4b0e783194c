"""What numba keeps on disk is thrown away when a function that it calls has changed."""

import subprocess
import sys
import textwrap

CALLEE = "from semwork.compiled import compiled\n\n@compiled\ndef number():\n    return {}\n"
CALLER = """
from callee import number
from semwork.compiled import compiled

@compiled
def twice():
    return 2 * number()
"""


def run(folder):
    code = textwrap.dedent(
        """
        from caller import twice
        print(twice(), sum(twice.stats.cache_hits.values()))
        """
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_change_in_another_file_of_the_room_is_seen(tmp_path):
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "callee.py").write_text(CALLEE.format(1))
    assert run(tmp_path) == ["2", "0"]
    assert run(tmp_path) == ["2", "1"], "kept"
    (tmp_path / "callee.py").write_text(CALLEE.format(5))
    assert run(tmp_path) == ["10", "0"], "compiled anew"
