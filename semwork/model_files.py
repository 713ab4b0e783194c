"""Fitted models as ``.npz`` files: arrays, and all else as JSON beside them. Nothing is pickled."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from semwork.atomic import written_whole

__all__ = ["plain_parameters", "read_model", "write_model"]

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


def write_model(path: str | Path, model: type, head: Mapping[str, Any], arrays: Mapping[str, Any]) -> Path:
    """Write what a model of this class keeps: ``head`` as JSON, ``arrays`` as they are."""
    target = Path(path)
    if target.suffix != ".npz":
        raise ValueError(f"{target.name} has the ending {target.suffix!r}; a model is saved as .npz")
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
