"""Data that a reader gives to a panel in Python: by name, as a record, as a table or a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semwork.datasets import KINDS, own_data, read_table, register
from semwork.datasets.own.storing import digest_of
from semwork.datasets.registry import registered
from semwork.given import listed, said
from semwork.studies.study import Input

__all__ = ["given_data"]

_LONGEST = 50  # letters of a name that gets a mark


def given_data(inputs: Mapping[str, Input], data: Any) -> dict[str, str]:
    """Return for each input that is meant the name under which the data can be chosen from now on.

    Parameters
    ----------
    inputs : mapping of str to Input
        Those of a study.
    data : str, record, table, path or mapping of str to Any, or None
        See `StudyPanel`.

    Returns
    -------
    dict of str to str
    """
    if data is None:
        return {}
    if isinstance(data, Mapping) and set(data) <= set(inputs):
        return {name: _named(name, one, inputs) for name, one in data.items()}
    if isinstance(data, str):
        fitting = [name for name, one in inputs.items() if data in one.offered]
        if fitting:
            return {fitting[0]: data}
    record = _record(data, inputs)
    name = next(name for name, one in inputs.items() if type(record) in one.takes)
    return {name: _kept(record)}


def _named(name: str, data: Any, inputs: Mapping[str, Input]) -> str:
    one = inputs[name]
    if isinstance(data, str) and data in one.offered:
        return data
    return _kept(_record(data, {name: one}))


def _record(data: Any, inputs: Mapping[str, Input]) -> Any:
    """The record itself, or the one that can be read from a table or a file; it has to fit one of the inputs."""
    kinds = [kind for kind, one in KINDS.items() if any(one in given.takes for given in inputs.values())]
    if not kinds:
        raise TypeError(f"this panel takes no data of your own, got {said(data)}")
    record = data if isinstance(data, tuple(KINDS.values())) else _read(data, kinds, inputs)
    if not any(type(record) in one.takes for one in inputs.values()):
        wanted = listed([KINDS[kind].__name__ for kind in kinds])
        raise TypeError(f"this panel takes {wanted}, got {type(record).__name__}: read them with from_table(…, kind=…)")
    return record


def _read(data: Any, kinds: list[str], inputs: Mapping[str, Input]) -> Any:
    try:
        reading = read_table(data)
        if reading.kind in kinds and reading.record is not None:
            return reading.record
    except FileNotFoundError as error:
        names = [name for one in inputs.values() for name in one.offered]
        raise ValueError(
            f"there are no data {data!r}, and no such file; data that are here: {', '.join(names)}"
        ) from error
    record = read_table(data, kinds[0]).record
    if record is None:
        raise ValueError(f"nothing in {said(data)} can be used; see the report: read_table(…).report")
    return record


def _kept(record: Any) -> str:
    """The name of a record that lists have already; another one is kept in memory, under its own name if it is free."""
    known = own_data()
    same = [one.name for one in known if one.fingerprint == digest_of(record)]
    if same:
        return same[0]
    name = str(record.name).strip() or "given"
    taken = {*registered(), *(one.name.casefold() for one in known)}
    if name.casefold() not in taken:
        return register(name, record, keep=False).name
    # What was given before makes room; what was kept on purpose stays.
    name = f"{name[:_LONGEST]} (given)"
    kept = {one.name for one in known if one.kept}
    while name in kept:
        name = f"{name}+"
    return register(name, record, keep=False, replace=True).name
