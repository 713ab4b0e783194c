"""Learning over constrained latent structures: problems said in Python, exact inference, LCLR."""

from semwork.structures.inference import Solution, best_structure
from semwork.structures.learner import LCLR, AlignThenLearn, LCLRStep
from semwork.structures.problem import Compiled, FeatureIndex, Problem

__all__ = ["LCLR", "AlignThenLearn", "Compiled", "FeatureIndex", "LCLRStep", "Problem", "Solution", "best_structure"]
