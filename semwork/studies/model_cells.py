"""What a cell of a lesson's sweep computes: a model of the catalogue, fitted and judged; and what its seeds say."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from semwork.similarity.catalogue import CATALOGUE
from semwork.similarity.pairs import PairTask, correlations_by_set
from semwork.similarity.retrieval import RetrievalTask
from semwork.similarity.space import SentenceSpace
from semwork.steps import Step

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["atop_of", "correlations_of", "label_of", "over_seeds"]


def atop_of(model: str, data: RetrievalTask, seed: int = 0, **settings: Any) -> Generator[Step, None, dict[str, float]]:
    """Fit a model to a retrieval task: the steps of the fit, then its ATOP."""
    fitted = CATALOGUE[model].make(**settings, seed=seed)
    yield from SentenceSpace(data.corpus, fitted).steps()
    return {"atop": float(data.fitted_ranking(fitted).atop)}


def correlations_of(
    model: str, data: PairTask, seed: int = 0, **settings: Any
) -> Generator[Step, None, dict[str, dict[str, float]]]:
    """Fit a model to the texts of pairs: the steps of the fit, then its correlations with people, set by set."""
    fitted = CATALOGUE[model].make(**settings, seed=seed)
    yield from SentenceSpace(data.corpus, fitted).steps()
    return correlations_by_set(data, data.predict(fitted))


def label_of(model: str, settings: dict[str, Any], seed: int) -> str:
    """Return a few words for a status line.

    Examples
    --------
    >>> label_of("WTMF", {"n_components": 20, "missing_weight": 0.01, "iterations": 12}, 1)
    'WTMF, K = 20, w_m = 0.01, seed 1'
    """
    symbols = {"n_components": "K", "missing_weight": "w_m", "regularization": "λ"}
    parts = [f"{symbol} = {settings[name]:g}" for name, symbol in symbols.items() if name in settings]
    return ", ".join([model, *parts, f"seed {seed}"])


def over_seeds(fits: pd.DataFrame, curve: str, along: str, value: str) -> pd.DataFrame:
    """Return what the seeds of each point say: one row for each point of each curve, the points in their order.

    Parameters
    ----------
    fits : DataFrame
        One row per fit.
    curve, along, value : str
        The columns that say which curve a fit belongs to, where on it, and what it reached; NaN is left out.

    Returns
    -------
    DataFrame of shape (n_points, 7)
        ``curve`` and ``along`` under their names, ``mean``, ``std`` (NaN of one seed), ``min``, ``max`` and ``count``.

    Examples
    --------
    >>> import pandas as pd
    >>> fits = pd.DataFrame({"model": "WTMF", "value": [2, 1, 1], "seed": [0, 0, 1], "atop": [0.5, 0.7, 0.9]})
    >>> over_seeds(fits, "model", "value", "atop")[["value", "mean", "min", "count"]].to_numpy().tolist()
    [[1.0, 0.8, 0.7, 2.0], [2.0, 0.5, 0.5, 1.0]]
    """
    import pandas as pd

    said: list[Any] = ["mean", "std", "min", "max", "count"]
    parts = [
        rows.groupby(along)[value].agg(said).reset_index().assign(**{curve: name})
        for name, rows in fits.groupby(curve, sort=False)
    ]
    columns = [curve, along, *said]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
