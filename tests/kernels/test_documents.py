"""Labelled documents as the kernels want them, on the sample."""

import numpy as np
import pytest

from semwork.kernels.documents import document_set


def test_documents_are_weighted_as_in_the_paper():
    documents = document_set("sample")
    assert len(documents) == 400
    assert set(documents.classes) >= {"space", "cooking"}
    np.testing.assert_allclose(np.sqrt(documents.corpus.matrix.power(2).sum(axis=1)), 1)
    assert documents.target("space").sum() == 50 - 350
    with pytest.raises(ValueError, match=r"no class 'opera'; it has .*space"):
        documents.target("opera")
    with pytest.raises(ValueError, match=r"the document sets are sample, medline"):
        document_set("letters")


def test_a_limit_draws_documents():
    few = document_set("sample", 40)
    assert len(few) == 40
    assert few.labels is not None
    assert len(few.labels) == 40
    assert len(document_set("sample", 4000)) == 400


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_splits_keep_the_share_of_the_class(share):
    documents = document_set("sample")
    train, test = documents.split("space", share, 3)
    assert sorted([*train, *test]) == list(range(400))
    assert len(train) == 400 * share
    assert documents.classes["space"][train].sum() == 50 * share
    again, other = documents.split("space", share, 3)[0], documents.split("space", share, 4)[0]
    assert np.array_equal(train, again)
    assert not np.array_equal(train, other)
    with pytest.raises(ValueError, match="between 0 and 1, got 1"):
        documents.split("space", 1, 0)
