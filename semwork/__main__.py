"""``python -m semwork`` is the ``semwork`` command."""

import sys

from semwork.cli import main

sys.exit(main())
