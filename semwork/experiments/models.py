"""Cells of sentence models: one for each seed, with the class that the catalogue has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from semwork.similarity import CATALOGUE, WTMF, Blend, CataloguedModel, SentenceModel, TfidfCosine, named_model
from semwork.sweeps import Cell

__all__ = ["and_new_models", "model_cells", "wtmf_and_words"]

#: What a row shows, the model's name, its parameters, and what the paper says of it.
ModelRow = tuple[Any, ...]


def and_new_models(rows: tuple[ModelRow, ...], catalogue: Mapping[str, CataloguedModel] = CATALOGUE) -> Any:
    """Return the rows of a table, and one for each model of the catalogue that no paper has, as the lessons make it.

    The papers' rows say themselves what a model is given. Those of LSA have no ``random_state``, as the catalogue has:
    it would change no digit that is shown, but the cells whose results are published.

    Examples
    --------
    >>> table = (("IR", "IR", {}, 0.8578),)
    >>> [row[0] for row in and_new_models(table)]
    ['IR', 'n-grams', 'LSA', 'LDA', 'WTMF', 'GloVe average']
    >>> and_new_models(table)[1]
    ('n-grams', 'n-grams', {}, None)
    >>> and_new_models(table)[2]
    ('LSA', 'LSA', {'random_state': 0}, None)
    """
    known = {named_model(row[1]).name for row in rows}
    nothing_said = (None,) * (len(rows[0]) - 3)
    return (
        *rows,
        *((name, name, dict(model.fixed), *nothing_said) for name, model in catalogue.items() if name not in known),
    )


def wtmf_and_words(share: float, random_state: int | None = None, **parameters: Any) -> SentenceModel:
    """WTMF with a share of the words themselves."""
    return Blend(WTMF(random_state=random_state, **parameters), TfidfCosine(), share=share)


def model_cells(
    function: Callable[..., Any], task: str, model: str, seeds: int, needs: tuple[str, ...], **parameters: Any
) -> list[Cell]:
    """Return a cell for each seed of a model, one where seeds change nothing.

    Parameters
    ----------
    function : callable
        Takes ``task``, ``make`` (the model's class), its ``parameters``, and ``seed``.
    task : str
        On what it is tried.
    model : str
        Its name in the papers or in the catalogue, or ``"WTMF + IR"``.
    seeds : int
        How many; they count from 0.
    needs : tuple of str
        Data sets of the task; those of the model are added.
    **parameters : Any
        Parameters of the model.

    Returns
    -------
    list of Cell
    """
    if model == "WTMF + IR":
        known, make = named_model("WTMF"), wtmf_and_words
    else:
        known = named_model(model)
        make = known.kind
    given = ", ".join(f"{name}={value}" for name, value in sorted(parameters.items()))
    return [
        Cell(
            function, {"task": task, "make": make, "parameters": parameters}, seed=seed,
            needs=(*needs, *known.needs), one_core=known.one_core,
            label=f"{task}: {model}({given}){'' if seed is None else f', seed {seed}'}",
        )
        for seed in ([None] if known.seedless else range(seeds))
    ]  # fmt: skip
