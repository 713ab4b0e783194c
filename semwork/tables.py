"""Tables on their way out: Markdown and LaTeX of a table, and files of vectors that other programs read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from semwork.atomic import written_whole
from semwork.given import check_word

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["as_latex", "as_markdown", "grid_of_markdown", "save_vectors"]

_FORMATS = (".npz", ".parquet", ".csv")
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def as_markdown(table: pd.DataFrame, digits: int = 4) -> str:
    r"""Return a table in Markdown, as GitHub and JupyterLab read it; the index is left out.

    Parameters
    ----------
    table : DataFrame of shape (n_rows, n_columns)
        Such as a panel's ``table``.
    digits : int
        Behind the point of a number that is not whole.

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> print(as_markdown(pd.DataFrame({"model": ["a|b", "c"], "atop": [0.25, 1 / 3]})))
    | model | atop |
    |---|---|
    | a\|b | 0.2500 |
    | c | 0.3333 |
    """
    rows = [[_markdown(_said(cell, digits)) for cell in row] for row in table.itertuples(index=False)]
    return grid_of_markdown([_markdown(str(name)) for name in table.columns], rows)


def grid_of_markdown(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return titles and rows of cells, which are words already, as a table in Markdown.

    Parameters
    ----------
    titles : sequence of str
        One for each column.
    rows : iterable of sequence of str
        As many cells in each.

    Returns
    -------
    str
    """
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def as_latex(table: pd.DataFrame, digits: int = 4) -> str:
    r"""Return a table as LaTeX's ``tabular`` in the manner of booktabs; the index is left out.

    Parameters
    ----------
    table, digits : as in `as_markdown`

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> print(as_latex(pd.DataFrame({"model": ["50 %"], "n_topics": [12]})))
    \begin{tabular}{lr}
    \toprule
    model & n\_topics \\
    \midrule
    50 \% & 12 \\
    \bottomrule
    \end{tabular}
    """
    import pandas as pd

    sides = "".join("r" if pd.api.types.is_numeric_dtype(kind) else "l" for kind in table.dtypes)
    rows = [" & ".join(_latex(_said(cell, digits)) for cell in row) for row in table.itertuples(index=False)]
    head = " & ".join(_latex(str(name)) for name in table.columns)
    parts = [f"\\begin{{tabular}}{{{sides}}}", "\\toprule", f"{head} \\\\", "\\midrule"]
    return "\n".join([*parts, *(f"{row} \\\\" for row in rows), "\\bottomrule", "\\end{tabular}"])


def save_vectors(vectors: pd.DataFrame, path: str | Path) -> Path:
    """Write a table of vectors, whole or not at all.

    Parameters
    ----------
    vectors : DataFrame of shape (n_texts, n_dimensions)
        As `SentenceSpace.vectors` gives it: the index says whose vector a row is.
    path : str or Path
        The file. Its ending says what is written: ``.npz`` (arrays ``vectors`` and ``index``), ``.parquet`` or
        ``.csv``.

    Returns
    -------
    Path
    """
    target = Path(path)
    check_word("the ending of the file", target.suffix, _FORMATS)
    if target.suffix not in _FORMATS:
        raise ValueError(f"vectors are written to {', '.join(_FORMATS)}; the file is called {target.name!r}")
    with written_whole(target) as file:
        if target.suffix == ".npz":
            names = vectors.index.to_numpy()
            index = names.astype(str) if names.dtype == object else names
            np.savez_compressed(file, vectors=vectors.to_numpy(), index=index)
        elif target.suffix == ".parquet":
            vectors.to_parquet(file)
        else:
            file.write(vectors.to_csv().encode())
    return target


def _said(cell: Any, digits: int) -> str:
    if isinstance(cell, float | np.floating):
        return "–" if np.isnan(cell) else f"{cell:.{digits}f}"
    return str(cell)


def _markdown(words: str) -> str:
    return " ".join(words.replace("|", "\\|").split())


def _latex(words: str) -> str:
    return " ".join("".join(_LATEX.get(sign, sign) for sign in words).split())
