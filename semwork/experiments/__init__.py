"""Published experiments, run end to end, beside the papers' numbers.

>>> from semwork.experiments import EXPERIMENTS
>>> sorted(EXPERIMENTS)
['ir']
"""

from semwork.experiments.running import EXPERIMENTS, Experiment, ResultStep, run_and_print

__all__ = ["EXPERIMENTS", "Experiment", "ResultStep", "run_and_print"]
