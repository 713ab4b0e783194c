"""Kernels of documents that learn which terms belong together, and their alignment with labels."""

from semwork.kernels.checking import Kind, one_hot
from semwork.kernels.curve import AlignmentCurve
from semwork.kernels.functions import (
    alignment,
    centered_alignment,
    decay_path,
    exponential_kernel,
    von_neumann_kernel,
)
from semwork.kernels.matrix_free import largest_eigenvalue, proximity_product
from semwork.kernels.optimum import Optimum, best_decay, printed_condition, printed_decay, search_range
from semwork.kernels.semantic_kernel import SemanticKernel
from semwork.kernels.spectrum import KernelSpectrum

__all__ = [
    "AlignmentCurve",
    "KernelSpectrum",
    "Kind",
    "Optimum",
    "SemanticKernel",
    "alignment",
    "best_decay",
    "centered_alignment",
    "decay_path",
    "exponential_kernel",
    "largest_eigenvalue",
    "one_hot",
    "printed_condition",
    "printed_decay",
    "proximity_product",
    "search_range",
    "von_neumann_kernel",
]
