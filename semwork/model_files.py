"""Fitted models and corpora as ``.npz`` files: arrays, and all else as JSON beside them. Nothing is pickled."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from semwork.atomic import written_whole

__all__ = ["pack_texts", "part_of", "plain_parameters", "read_model", "unpack_texts", "within", "write_model"]

_HEAD, _VERSION = "model.json", 1


def plain_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as JSON can keep them; name the one that it cannot.

    Examples
    --------
    >>> plain_parameters({"alpha": np.array([0.5, 1.0]), "n_topics": np.int64(3), "prior": None})
    {'alpha': [0.5, 1.0], 'n_topics': 3, 'prior': None}
    """
    plain = {}
    for name, value in parameters.items():
        plain[name] = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
        try:
            json.dumps(plain[name])
        except TypeError as error:
            raise TypeError(
                f"{name} is {value!r:.60} ({type(value).__name__}), which a file cannot keep; give numbers, words, "
                f"True, False or None, for instance with set_params({name}=…), and save again"
            ) from error
    return plain


def pack_texts(name: str, texts: Sequence[str]) -> dict[str, Any]:
    """Return texts as two arrays, their bytes and their lengths: any characters, and no more room than they need."""
    # A half of a surrogate pair is no text, but a page that was cut may have one.
    joined = "".join(texts).encode("utf-8", "surrogatepass")
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    return {name: np.frombuffer(joined, dtype=np.uint8), f"{name}_lengths": lengths}


def unpack_texts(name: str, arrays: Mapping[str, Any]) -> list[str]:
    """Return what `pack_texts` packed under a name.

    Examples
    --------
    >>> unpack_texts("words", pack_texts("words", ["λ", "", "two words"]))
    ['λ', '', 'two words']
    """
    joined = arrays[name].tobytes().decode("utf-8", "surrogatepass")
    ends = np.cumsum(arrays[f"{name}_lengths"]).tolist()
    return [joined[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def within(part: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Name arrays as those of a part, so that one file keeps several things."""
    return {f"{part}/{name}": array for name, array in arrays.items()}


def part_of(part: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arrays of a part under their own names.

    Examples
    --------
    >>> part_of("corpus", within("corpus", {"a": 1}) | within("model", {"a": 2}))
    {'a': 1}
    """
    return {name.removeprefix(f"{part}/"): array for name, array in arrays.items() if name.startswith(f"{part}/")}


def write_model(path: str | Path, model: type, head: Mapping[str, Any], arrays: Mapping[str, Any]) -> Path:
    """Write what a model of this class keeps: ``head`` as JSON, ``arrays`` as they are."""
    target = Path(path)
    if target.suffix != ".npz":
        raise ValueError(f"{target.name} has the ending {target.suffix!r}; a {model.__name__} is saved as .npz")
    text = json.dumps({"model": model.__name__, "version": _VERSION, **head})
    with written_whole(target) as file:
        np.savez(file, allow_pickle=False, **{_HEAD: np.array(text)}, **arrays)
    return target


def read_model(path: str | Path, model: type) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what `write_model` wrote of a model of this class: head and arrays."""
    if Path(path).exists() and not zipfile.is_zipfile(path):
        raise ValueError(f"{path} is not a saved model: it is no .npz file")
    with np.load(path, allow_pickle=False) as file:
        if _HEAD not in file:
            raise ValueError(f"{path} is not a saved model: it has no {_HEAD} inside")
        head = json.loads(str(file[_HEAD]))
        if head["model"] != model.__name__ or head["version"] != _VERSION:
            raise ValueError(
                f"{path} holds a {head['model']}, version {head['version']}; {model.__name__}.load reads a "
                f"{model.__name__}, version {_VERSION}"
            )
        return head, {name: file[name] for name in file.files if name != _HEAD}
