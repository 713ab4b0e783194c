"""semwork: a workbench for latent semantics.

The package is the mind of the workbench and never imports Jupyter; the hands are in ``semwork_widgets``.

>>> from semwork.datasets import load
>>> from semwork.text import Corpus
>>> corpus = Corpus.from_texts(load("sample").texts)
"""

from importlib.metadata import version as _version

__version__ = _version("semwork")
