"""Compile what topic models need and keep it, so that the first sweep in a lesson does not wait for a compiler."""

from __future__ import annotations

from semwork.topics import LDA, SAMPLERS, GaussianLDA, planted, tiny_problem, variation_steps

__all__ = ["warm_up"]


def warm_up() -> None:
    """Run each sampler once, fold a document in, and enumerate the tiny problem."""
    data = planted(n_documents=2, document_length=5)
    for sampler in SAMPLERS:
        GaussianLDA(2, sampler, max_sweeps=1).fit(data.documents, data.vectors).transform(data.documents)
        next(variation_steps(tiny_problem(), sampler, sweeps_per_step=1))
    LDA(2, max_sweeps=1).fit(data.documents)


if __name__ == "__main__":
    warm_up()
