"""The package as a whole."""

from __future__ import annotations

import subprocess
import sys


def test_the_import_is_light():
    code = (
        "import sys, semwork.evaluation as e; [getattr(e, name) for name in e.__all__]; "
        "print([name for name in ('pandas', 'scipy.stats', 'sklearn', 'plotly') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
