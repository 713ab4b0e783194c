"""Many cells of one function of settings: computed once, kept, here or on any executor.

>>> from semwork.steps import last
>>> def power(base, exponent):
...     return base**exponent
>>> end = last(Sweep(grid(power, {"base": [2, 3], "exponent": [1, 2]})).steps())
>>> {str(cell): result for cell, result in end.results.items()}["power: base=3, exponent=2"]
9
"""

from semwork.sources import NotImportable
from semwork.sweeps.cells import Cell, grid
from semwork.sweeps.contents import content_digest
from semwork.sweeps.keeping import Folder, Memory, Store
from semwork.sweeps.results import CellError, SweepFailed, SweepStep
from semwork.sweeps.running import Sweep

__all__ = [
    "Cell",
    "CellError",
    "Folder",
    "Memory",
    "NotImportable",
    "Store",
    "Sweep",
    "SweepFailed",
    "SweepStep",
    "content_digest",
    "grid",
]
