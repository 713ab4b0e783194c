"""Published experiments, run end to end, beside the papers' numbers.

>>> from semwork.experiments import EXPERIMENTS
>>> sorted(EXPERIMENTS)
['gaussian_lda', 'kernels', 'lclr', 'regularization', 'sts2012', 'wtmf']
"""

from semwork.experiments.cells import ResultStep, Running
from semwork.experiments.declared import EXPERIMENTS, Experiment
from semwork.experiments.running import run_and_print
from semwork.experiments.tables import Report, read_table, write_tables

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Report",
    "ResultStep",
    "Running",
    "read_table",
    "run_and_print",
    "write_tables",
]
