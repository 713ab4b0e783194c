"""Two sentences as graphs, and the hidden alignment of words and edges between them (Chang et al. 2010, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from semwork.structures.problem import Compiled
from semwork.structures.tasks.graph_parts import Parts, best_parts, limits_of
from semwork.structures.tasks.parsing import Parsed
from semwork.structures.tasks.word_pairs import GROUPS, NEGATIONS, WordPairs, group_of
from semwork.structures.tasks.word_similarity import WordNetSimilarity

__all__ = ["GraphProblems"]

Ints = NDArray[np.int64]

_NUMBER, _FUNCTION = GROUPS.index("number"), GROUPS.index("function")
_LABELS = {
    "subject": "nsubj nsubjpass csubj csubjpass expl",
    "object": "dobj pobj dative attr oprd",
    "modifier": "amod advmod nmod compound nummod poss appos quantmod npadvmod predet",
    "preposition": "prep agent pcomp",
    "clause": "ccomp xcomp advcl acl relcl parataxis",
    "conjunction": "conj cc preconj",
    "function": "aux auxpass det mark case neg prt",
}
_LABEL_OF = {label: place for place, labels in enumerate(_LABELS.values()) for label in labels.split()}
LABELS = (*_LABELS, "other")
_MEASURES = ("equal", "path", "lin", "edit")
_KINDS = ("same word", "same lemma", "very near", "near", "far")
_VERY_NEAR, _NEAR = 0.8, 0.55
_DEEPEST = 3


def _label_of(labels: tuple[str, ...]) -> Ints:
    return np.array([_LABEL_OF.get(label, len(_LABELS)) for label in labels], dtype=np.int64)


def _negated(sentence: Parsed) -> NDArray[np.bool_]:
    return np.array([word in NEGATIONS for word in sentence.words])


def _depths(heads: Sequence[int]) -> Ints:
    """How far each word is below the root, at most `_DEEPEST`."""
    at, depths = np.arange(len(heads)), np.zeros(len(heads), dtype=np.int64)
    above = np.asarray(heads, dtype=np.int64)
    for _ in range(_DEEPEST):
        below = above[at] >= 0
        depths += below
        at = np.where(below, above[at], at)
    return depths


def _feature_names() -> list[Hashable]:
    groups, labels = (*GROUPS, "mixed"), (*LABELS, "mixed")
    names: list[Hashable] = ["bias"]
    names += [("map", group) for group in groups]
    names += [(f"map {measure}", group) for measure in _MEASURES for group in groups]
    names += [("map names", how) for how in ("same kind", "other kind", "one is none")]
    names += [("map numbers", how) for how in ("equal", "differ")]
    names += [("map negation", "one is none")]
    names += [("map kind", kind) for kind in _KINDS]
    names += [("map apart", kind) for kind in ("content", "function")]
    names += [("map depth", depth) for depth in range(_DEEPEST + 1)]
    names += [("delete", group) for group in GROUPS]
    names += [("delete", what) for what in ("part of a name", "negation", "though known on the other side")]
    names += [("delete label", label) for label in LABELS]
    names += [("delete depth", depth) for depth in range(_DEEPEST + 1)]
    names += [("edge", label) for label in labels]
    names += [("edge near", label) for label in labels]
    names += [("edge ends", measure) for measure in _MEASURES]
    names += [("edge delete", label) for label in LABELS]
    return names


class GraphProblems:
    """Function from two parsed sentences to the problem of aligning them.

    Every word is mapped on one word of the other sentence or deleted, every edge likewise, and an edge is mapped if and
    only if both its ends are (equations 6 to 11). Features are those of the paper's Table 2 but for coreference, for
    both tasks alike, and more (Lin's measure, numbers, depth in the tree, labels of deleted words); they are divided by
    the number of words, so that long sentences have no larger scores.

    Parameters
    ----------
    delete : {"both", "right"}, default="both"
        ``"both"`` for paraphrase; ``"right"`` for entailment: only words of the hypothesis (the right sentence) are
        deleted at a cost, and edges are not deleted.
    alike : float, default=0.35
        Words may be mapped if they are at least so near to each other (`WordPairs.near`); 0 allows all pairs. With
        all pairs inference is slow, and negative examples find a mapping for everything.
    general : callable or None
        Function from a pair to features of the two sentences as wholes (name → value), if any.
    general_names : tuple of str
        Their names.
    wordnet : WordNetSimilarity or None
        Similarity of words; by default that of WordNet.

    Attributes
    ----------
    feature_names : list of hashable
        Names of the columns.
    """

    def __init__(
        self,
        delete: str = "both",
        alike: float = 0.35,
        general: Callable[[Parsed, Parsed], dict[str, float]] | None = None,
        general_names: tuple[str, ...] = (),
        wordnet: WordNetSimilarity | None = None,
    ) -> None:
        if delete not in ("both", "right"):
            raise ValueError(f"delete must be 'both' or 'right', got {delete!r}")
        self.delete = delete
        self.alike = alike
        self.general = general
        self.wordnet = wordnet or WordNetSimilarity.standard()
        self.feature_names: list[Hashable] = [*_feature_names(), *(("general", name) for name in general_names)]
        self._column = {name: place for place, name in enumerate(self.feature_names)}

    def __call__(self, pair: tuple[Parsed, Parsed]) -> Compiled:
        """Compile the problem of a pair."""
        left, right = pair
        for side, parsed in (("left", left), ("right", right)):
            if not len(parsed):
                raise ValueError(f"the {side} sentence has no words")
        words = WordPairs.of(left, right, self.wordnet)
        parts = Parts(
            np.array(left.heads, dtype=np.int64),
            np.array(right.heads, dtype=np.int64),
            np.argwhere(words.near >= self.alike),
            delete_left=self.delete == "both",
            delete_edges=self.delete == "both",
        )
        cells = _Cells(self._column, parts.size)
        self._map_features(cells, parts, left, right, words)
        self._delete_features(cells, parts, left, right, words)
        self._edge_features(cells, parts, left, right, words)
        scale = 10.0 / max(parts.m, parts.n)
        always: dict[Hashable, float] = {"bias": 1.0}
        if self.general is not None:
            always |= {("general", name): value for name, value in self.general(left, right).items()}
        # Words at the same place of both sentences come first among equals.
        apart = np.abs(np.linspace(0, 1, parts.m)[:, None] - np.linspace(0, 1, parts.n)[None, :])
        heuristic = np.zeros(parts.size)
        heuristic[: len(parts.pairs)] = (words.near - 0.45 - 0.01 * apart)[*parts.pairs.T]
        return Compiled(
            features=cells.matrix(scale),
            always=_row(self._column, always),
            labels=_Labels(parts),
            heuristic=heuristic,
            make_limits=partial(limits_of, parts),
            solver=partial(best_parts, parts),
        )

    def _map_features(self, cells: _Cells, parts: Parts, left: Parsed, right: Parsed, words: WordPairs) -> None:
        i, j = parts.pairs.T
        one, two = group_of(left.pos)[i], group_of(right.pos)[j]
        group = np.where(one == two, one, len(GROUPS))
        cells.add(0, ("map", GROUPS[0]), np.ones(len(i)), shift=group)
        for measure in _MEASURES:
            cells.add(0, (f"map {measure}", GROUPS[0]), getattr(words, measure)[i, j], shift=group)
        names = np.array(left.names, dtype=object)[i], np.array(right.names, dtype=object)[j]
        some, alike = (names[0] != "", names[1] != ""), names[0] == names[1]
        cells.add(0, ("map names", "same kind"), some[0] & some[1] & alike)
        cells.add(0, ("map names", "other kind"), some[0] & some[1] & ~alike)
        cells.add(0, ("map names", "one is none"), some[0] ^ some[1])
        numbers = (one == _NUMBER) & (two == _NUMBER)
        cells.add(0, ("map numbers", "equal"), numbers & (words.equal[i, j] > 0))
        cells.add(0, ("map numbers", "differ"), numbers & (words.equal[i, j] == 0))
        cells.add(0, ("map negation", "one is none"), _negated(left)[i] ^ _negated(right)[j])
        same = np.array(left.words, dtype=object)[i] == np.array(right.words, dtype=object)[j]
        near = words.near[i, j]
        kind = np.select([same, words.equal[i, j] > 0, near >= _VERY_NEAR, near >= _NEAR], [0, 1, 2, 3], 4)
        cells.add(0, ("map kind", _KINDS[0]), np.ones(len(i)), shift=kind)
        apart = np.abs(i / max(parts.m - 1, 1) - j / max(parts.n - 1, 1))
        content = one != _FUNCTION
        cells.add(0, ("map apart", "content"), apart * content)
        cells.add(0, ("map apart", "function"), apart * ~content)
        depth = np.minimum(_depths(left.heads)[i], _depths(right.heads)[j])
        cells.add(0, ("map depth", 0), np.ones(len(i)), shift=depth)

    def _delete_features(self, cells: _Cells, parts: Parts, left: Parsed, right: Parsed, words: WordPairs) -> None:
        known = words.near.max(axis=1) >= _VERY_NEAR, words.near.max(axis=0) >= _VERY_NEAR
        at = len(parts.pairs)
        for side, count, twin in ((left, parts.left, known[0]), (right, parts.n, known[1])):
            if count:
                cells.add(at, ("delete", GROUPS[0]), np.ones(count), shift=group_of(side.pos))
                cells.add(at, ("delete", "part of a name"), np.array(side.names, dtype=object) != "")
                cells.add(at, ("delete", "negation"), _negated(side))
                cells.add(at, ("delete", "though known on the other side"), twin)
                cells.add(at, ("delete label", LABELS[0]), np.ones(count), shift=_label_of(side.labels))
                cells.add(at, ("delete depth", 0), np.ones(count), shift=_depths(side.heads))
            at += count

    def _edge_features(self, cells: _Cells, parts: Parts, left: Parsed, right: Parsed, words: WordPairs) -> None:
        labels = _label_of(left.labels), _label_of(right.labels)
        (b, d), (a, c) = parts.pairs[parts.edges[:, 0]].T, parts.pairs[parts.edges[:, 1]].T
        one, two = labels[0][b], labels[1][d]
        label = np.where(one == two, one, len(LABELS))
        cells.add(parts.edges_at, ("edge", LABELS[0]), np.ones(len(b)), shift=label)
        cells.add(parts.edges_at, ("edge near", LABELS[0]), words.near[b, d] * words.near[a, c], shift=label)
        for measure in _MEASURES:
            values = getattr(words, measure)
            ends = values[b, d] * words.near[b, d] + values[a, c] * words.near[a, c]
            cells.add(parts.edges_at, ("edge ends", measure), ends)
        if parts.delete_edges:
            at = parts.deleted_edges_at
            for numbers, edges in zip(labels, (parts.left_edges, parts.right_edges), strict=True):
                cells.add(at, ("edge delete", LABELS[0]), np.ones(len(edges)), shift=numbers[edges])
                at += len(edges)


class _Cells:
    """Cells of a sparse matrix of parts × features, collected block by block."""

    def __init__(self, column: dict[Hashable, int], size: int) -> None:
        self._column, self._size = column, size
        self._rows: list[Any] = []
        self._columns: list[Any] = []
        self._values: list[Any] = []

    def add(self, first: int, name: Hashable, values: Any, shift: Any = None) -> None:
        """Give parts ``first``, ``first + 1`` … a feature, or the one ``shift`` columns further."""
        flat = np.asarray(values, dtype=np.float64).ravel()
        kept = np.flatnonzero(flat)
        self._rows.append(first + kept)
        column = self._column[name]
        self._columns.append(np.full(len(kept), column) if shift is None else column + np.ravel(shift)[kept])
        self._values.append(flat[kept])

    def matrix(self, scale: float) -> sparse.csr_array:
        rows, columns, values = (np.concatenate(some) for some in (self._rows, self._columns, self._values))
        shape = self._size, len(self._column)
        return sparse.csr_array((values * scale, (rows, columns)), shape=shape)


def _row(column: dict[Hashable, int], values: dict[Hashable, float]) -> sparse.csr_array:
    bad = [name for name, value in values.items() if not np.isfinite(value)]
    if bad:
        raise ValueError(f"the feature {bad[0]!r} is {values[bad[0]]}; features must be finite numbers")
    columns = [column[name] for name in values]
    return sparse.csr_array((list(values.values()), ([0] * len(values), columns)), shape=(1, len(column)))


class _Labels(Sequence[tuple[Any, ...]]):
    """What each part is, said when somebody asks."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return self._parts.size

    def __getitem__(self, place: Any) -> Any:
        if not 0 <= place < len(self):
            raise IndexError(f"there is no part {place}; there are {len(self)}")
        return self._parts.label(int(place))
