"""Published experiments, run end to end, beside the papers' numbers.

>>> from semwork.experiments import EXPERIMENTS
>>> sorted(EXPERIMENTS)
['gaussian_lda', 'kernels', 'lclr', 'regularization', 'sts2012', 'wtmf']
"""

from semwork.experiments.running import EXPERIMENTS, Experiment, ResultStep, read_table, run_and_print, write_tables

__all__ = ["EXPERIMENTS", "Experiment", "ResultStep", "read_table", "run_and_print", "write_tables"]
