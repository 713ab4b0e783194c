"""How much two texts share, as sets of terms."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["jaccard"]


def jaccard(a: Iterable[str], b: Iterable[str]) -> float:
    """Shared terms over all terms, ``|A ∩ B| / |A ∪ B|``; 0 when both are empty.

    Two empty texts share nothing that could be counted, so they are not called copies of each other.

    Parameters
    ----------
    a, b : iterable of str
        Terms, such as an analyzer's list for a text. A string would be taken letter by letter and is refused.

    Returns
    -------
    float
        Between 0 (nothing shared) and 1 (the same set).

    References
    ----------
    .. [1] P. Jaccard (1912), The distribution of the flora in the alpine zone, New Phytologist 11(2), 37–50.

    Examples
    --------
    >>> jaccard(["a", "small", "dog"], ["a", "dog", "dog"])
    0.6666666666666666
    """
    for given in (a, b):
        if isinstance(given, str):
            raise TypeError(f"jaccard compares lists of terms, got the string {given[:40]!r}: split it first")
    first, second = set(a), set(b)
    union = len(first | second)
    return len(first & second) / union if union else 0.0
