"""Tables on their way out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.datasets import load
from semwork.similarity import WTMF, SentenceSpace, TfidfCosine
from semwork.tables import as_latex, as_markdown, save_vectors

TABLE = pd.DataFrame({"model": ["a & b", "x|y"], "n_topics": [3, 4], "r": [0.5, np.nan]})


@given(st.lists(st.text(max_size=12), min_size=1, max_size=4))
def test_every_row_of_markdown_has_as_many_cells_whatever_the_words(words):
    lines = as_markdown(pd.DataFrame([words, words], columns=range(len(words)))).split("\n")
    assert len(lines) == 4
    assert {line.replace("\\|", "").count("|") for line in lines} == {len(words) + 1}


def test_markdown_and_latex_escape_what_they_would_read():
    assert as_markdown(TABLE, 2).split("\n")[2:] == ["| a & b | 3 | 0.50 |", "| x\\|y | 4 | – |"]
    assert "a \\& b & 3 & 0.5000 \\\\" in as_latex(TABLE)
    assert as_latex(TABLE).startswith("\\begin{tabular}{lrr}")


@pytest.fixture(scope="module")
def space():
    texts = load("sample").documents.texts[:60]
    return SentenceSpace.from_texts(texts, WTMF(8, random_state=0, max_iter=3)).fit()


@pytest.mark.parametrize("ending", [".npz", ".parquet", ".csv"])
def test_vectors_come_out_under_the_names_of_the_texts(space, tmp_path, ending):
    names = [f"review {number}" for number in range(60)]
    table = space.vectors(index=names)
    np.testing.assert_allclose(table.to_numpy(), space.encode(space.corpus.texts), rtol=1e-6)
    path = save_vectors(table, tmp_path / f"vectors{ending}")
    if ending == ".npz":
        with np.load(path) as found:
            again = pd.DataFrame(found["vectors"], index=found["index"], columns=table.columns)
    else:
        again = pd.read_parquet(path) if ending == ".parquet" else pd.read_csv(path, index_col=0)
    pd.testing.assert_frame_equal(again.astype(np.float64), table.astype(np.float64), check_names=False, atol=1e-6)


def test_new_texts_have_vectors_too_and_wrong_names_are_said(space):
    assert space.vectors(["the moon over the sea"]).shape == (1, 8)
    with pytest.raises(ValueError, match="index has 1 names; there are 60 texts"):
        space.vectors(index=["a"])


def test_vectors_of_words_are_no_table_and_other_endings_are_refused(space, tmp_path):
    words = SentenceSpace(space.corpus, TfidfCosine()).fit()
    with pytest.raises(ValueError, match="as long as the vocabulary"):
        words.vectors()
    with pytest.raises(ValueError, match=r"written to \.npz, \.parquet, \.csv; the file is called 'v\.xlsx'"):
        save_vectors(space.vectors(), tmp_path / "v.xlsx")
    assert list(tmp_path.iterdir()) == []
