"""Whether the first line of a table names its columns."""

from __future__ import annotations

from semwork.datasets.own.cells import number_of
from semwork.datasets.own.hints import all_hints
from semwork.datasets.own.kinds import plain

__all__ = ["is_header"]


def is_header(first: list[str], others: list[list[str]]) -> bool:
    """Say whether the first row names the columns.

    It does where each cell is a short text of its own, and one is a usual name, or stands over numbers or over much
    longer texts.

    Examples
    --------
    >>> is_header(["text", "label"], [["a cat sleeps", "animals"]])
    True
    >>> is_header(["a dog barks", "animals"], [["a cat sleeps", "animals"]])
    False
    """
    names = [cell.strip() for cell in first]
    if not all(names) or len(set(names)) < len(names) or max(map(len, names)) > 60:
        return False
    numbers = [name for name in names if number_of(name) is not None]
    if numbers and numbers in ([str(place + begin) for place in range(len(numbers))] for begin in (0, 1)):
        return len(numbers) > 1  # the dimensions of vectors
    if numbers or not others:
        return not others and all(plain(name) in all_hints() for name in names)
    known = sum(plain(name) in all_hints() for name in names)
    repeated = any(name == row[place] for row in others[:200] for place, name in enumerate(names) if len(row) > place)
    if known == len(names) or (known and not repeated):
        return True
    columns = [
        [row[place] for row in others[:200] if len(row) > place and row[place].strip()] for place in range(len(names))
    ]
    over_numbers = any(cells and all(number_of(cell) is not None for cell in cells) for cells in columns)
    one_word = all(len(name.split()) <= 2 for name in names)
    longer = any(
        cells and sum(map(len, cells)) / len(cells) > 3 * len(name) and min(len(cell.split()) for cell in cells) > 2
        for cells, name in zip(columns, names, strict=True)
    )
    return not repeated and one_word and (over_numbers or longer)
