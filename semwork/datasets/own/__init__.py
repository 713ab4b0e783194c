"""Data of one's own: tables of any source become the records that `load` gives, and are kept where it finds them."""

from __future__ import annotations

from semwork.datasets.own.coverage import Coverage, words_without_vector
from semwork.datasets.own.kinds import KINDS, ROLES, Role
from semwork.datasets.own.reading import Reading, from_table, read_table
from semwork.datasets.own.report import Report
from semwork.datasets.own.shelf import OwnData, own_data, register, remove

__all__ = [
    "KINDS",
    "ROLES",
    "Coverage",
    "OwnData",
    "Reading",
    "Report",
    "Role",
    "from_table",
    "own_data",
    "read_table",
    "register",
    "remove",
    "words_without_vector",
]
