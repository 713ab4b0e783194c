"""The labelled documents that lessons offer by name, with their classes."""

from __future__ import annotations

from collections.abc import Mapping

from semwork.datasets import LabelledDocuments
from semwork.kernels.documents import DocumentSet, document_set
from semwork.studies.origin import Origin, calling
from semwork.studies.study import Input, Source

__all__ = ["FIRST_CLASSES", "LABELLED_DOCUMENTS"]

_LARGE = 1_500  # documents of a large set: all of them would take minutes
# Written down, so that the list of classes can change before the data are read.
_REUTERS = "acq crude earn grain interest money-fx ship trade"
_NEWSGROUPS = (
    "alt.atheism comp.graphics comp.os.ms-windows.misc comp.sys.ibm.pc.hardware comp.sys.mac.hardware comp.windows.x "
    "misc.forsale rec.autos rec.motorcycles rec.sport.baseball rec.sport.hockey sci.crypt sci.electronics sci.med "
    "sci.space soc.religion.christian talk.politics.guns talk.politics.mideast talk.politics.misc talk.religion.misc"
)
_CLASSES = {
    "sample": ["computers", "cooking", "football", "gardening", "health", "money", "music", "space"],
    "medline": [f"query {number}" for number in range(1, 31)],
    "reuters8": _REUTERS.split(),
    "newsgroups": _NEWSGROUPS.split(),
}
_DOCUMENTS = calling(document_set)

#: Name of a set → the class that is looked at first.
FIRST_CLASSES: Mapping[str, str] = {
    "sample": "space",
    "medline": "query 20",
    "reuters8": "earn",
    "newsgroups": "sci.space",
}


def _of_own(documents: Origin) -> Origin:
    return calling(DocumentSet).from_documents(documents, limit=_LARGE)


#: The sets that a list offers.
LABELLED_DOCUMENTS = Input(
    "data",
    "all but the sample are fetched first: see lesson 00",
    {
        "sample": Source(
            "sample (400 texts written for this project)",
            _DOCUMENTS("sample"),
            facts={"classes": _CLASSES["sample"]},
        ),
        "medline": Source(
            "Medline, 1,033 abstracts, 30 queries",
            _DOCUMENTS("medline"),
            ("medline",),
            facts={"classes": _CLASSES["medline"]},
        ),
        "reuters8": Source(
            f"Reuters R8, {_LARGE:,} of its documents",
            _DOCUMENTS("reuters8", _LARGE),
            ("reuters8",),
            facts={"classes": _CLASSES["reuters8"]},
        ),
        "newsgroups": Source(
            f"20 newsgroups, {_LARGE:,} of its documents",
            _DOCUMENTS("newsgroups", _LARGE),
            ("newsgroups",),
            facts={"classes": _CLASSES["newsgroups"]},
        ),
    },
    {LabelledDocuments: _of_own},
)
