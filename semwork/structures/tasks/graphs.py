"""Two sentences as graphs, and the hidden alignment of words and edges between them (Chang et al. 2010, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from semwork.structures.problem import Chosen, Compiled, Floats, Limits
from semwork.structures.tasks.graph_solver import best_mapping
from semwork.structures.tasks.parsing import Parsed
from semwork.structures.tasks.word_pairs import GROUPS, NEGATIONS, WordPairs, group_of
from semwork.structures.tasks.word_similarity import WordNetSimilarity

__all__ = ["GraphProblems", "Parts"]

Ints = NDArray[np.int64]

_NODES = 20_000
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


def _label_of(labels: tuple[str, ...]) -> Ints:
    return np.array([_LABEL_OF.get(label, len(_LABELS)) for label in labels], dtype=np.int64)


def _feature_names() -> list[Hashable]:
    groups, labels = (*GROUPS, "mixed"), (*LABELS, "mixed")
    names: list[Hashable] = ["bias"]
    names += [("map", group) for group in groups]
    names += [(f"map {measure}", group) for measure in _MEASURES for group in groups]
    names += [("map names", how) for how in ("same kind", "other kind", "one is none")]
    names += [("map numbers", how) for how in ("equal", "differ")]
    names += [("map negation", "one is none")]
    names += [("delete", group) for group in GROUPS]
    names += [("delete", what) for what in ("part of a name", "negation")]
    names += [("edge", label) for label in labels]
    names += [("edge near", label) for label in labels]
    names += [("edge ends", measure) for measure in _MEASURES]
    names += [("edge delete", label) for label in LABELS]
    return names


@dataclass(frozen=True)
class Parts:
    """Where each kind of part stands in a structure: numbers of the first, and how many."""

    m: int
    n: int
    left_edges: Ints
    right_edges: Ints
    delete_left: bool
    delete_edges: bool

    @property
    def words(self) -> int:
        """The number of pairs of words."""
        return self.m * self.n

    @property
    def left(self) -> int:
        """Left words that can be deleted."""
        return self.m if self.delete_left else 0

    @property
    def edges_at(self) -> int:
        """Where the pairs of edges begin."""
        return self.words + self.left + self.n

    @property
    def edge_pairs(self) -> int:
        """The number of pairs of edges."""
        return len(self.left_edges) * len(self.right_edges)

    @property
    def size(self) -> int:
        """The number of all parts."""
        deleted = len(self.left_edges) + len(self.right_edges) if self.delete_edges else 0
        return self.edges_at + self.edge_pairs + deleted


class GraphProblems:
    """Function from two parsed sentences to the problem of aligning them.

    Every word is mapped on one word of the other sentence or deleted, every edge likewise, and an edge is mapped if
    and only if both its ends are (equations 6 to 11). Features are those of the paper's Table 2 as far as our parser
    has them; they are divided by the number of words, so that long sentences have no larger scores.

    Parameters
    ----------
    delete
        ``"both"`` for paraphrase; ``"right"`` for entailment: only words of the hypothesis (the right sentence) are
        deleted at a cost, and edges are not deleted.
    general
        Function from a pair to features of the two sentences as wholes (name → value), if any.
    general_names
        Their names.
    wordnet
        Similarity of words; by default that of WordNet.

    Attributes
    ----------
    feature_names
        Names of the columns.
    """

    def __init__(
        self,
        delete: str = "both",
        general: Callable[[Parsed, Parsed], dict[str, float]] | None = None,
        general_names: tuple[str, ...] = (),
        wordnet: WordNetSimilarity | None = None,
    ) -> None:
        if delete not in ("both", "right"):
            raise ValueError(f"delete must be 'both' or 'right', got {delete!r}")
        self.delete = delete
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
        parts = Parts(
            len(left),
            len(right),
            np.array([b for b, head in enumerate(left.heads) if head >= 0], dtype=np.int64),
            np.array([d for d, head in enumerate(right.heads) if head >= 0], dtype=np.int64),
            delete_left=self.delete == "both",
            delete_edges=self.delete == "both",
        )
        words = WordPairs.of(left, right, self.wordnet)
        cells = _Cells(self._column, parts.size)
        self._word_features(cells, parts, left, right, words)
        self._edge_features(cells, parts, left, right, words)
        scale = 20.0 / (parts.m + parts.n)
        always: dict[Hashable, float] = {"bias": 1.0}
        if self.general is not None:
            always |= {("general", name): value for name, value in self.general(left, right).items()}
        # Words at the same place of both sentences come first among equals.
        apart = np.abs(np.linspace(0, 1, parts.m)[:, None] - np.linspace(0, 1, parts.n)[None, :])
        heuristic = np.zeros(parts.size)
        heuristic[: parts.words] = (words.near - 0.45 - 0.01 * apart).ravel()
        left_heads, right_heads = np.array(left.heads, dtype=np.int64), np.array(right.heads, dtype=np.int64)
        return Compiled(
            features=cells.matrix(scale),
            always=_row(self._column, always),
            labels=_Labels(parts),
            heuristic=heuristic,
            make_limits=lambda: _limits(parts, left_heads, right_heads),
            solver=lambda scores: _solve(parts, left_heads, right_heads, scores),
        )

    def _word_features(self, cells: _Cells, parts: Parts, left: Parsed, right: Parsed, words: WordPairs) -> None:
        one, two = group_of(left.pos), group_of(right.pos)
        group = np.where(one[:, None] == two[None, :], one[:, None], len(GROUPS))
        cells.add(0, ("map", GROUPS[0]), np.ones((parts.m, parts.n)), shift=group)
        for measure in _MEASURES:
            cells.add(0, (f"map {measure}", GROUPS[0]), getattr(words, measure), shift=group)
        names = [np.array(side.names) for side in (left, right)]
        some = names[0][:, None] != "", names[1][None, :] != ""
        same = names[0][:, None] == names[1][None, :]
        cells.add(0, ("map names", "same kind"), some[0] & some[1] & same)
        cells.add(0, ("map names", "other kind"), some[0] & some[1] & ~same)
        cells.add(0, ("map names", "one is none"), some[0] ^ some[1])
        numbers = (one[:, None] == 5) & (two[None, :] == 5)
        cells.add(0, ("map numbers", "equal"), numbers & (words.equal > 0))
        cells.add(0, ("map numbers", "differ"), numbers & (words.equal == 0))
        negated = [np.array([word in NEGATIONS for word in side.words]) for side in (left, right)]
        cells.add(0, ("map negation", "one is none"), negated[0][:, None] ^ negated[1][None, :])
        at = parts.words
        for side, group_here, name, negative, count in (
            (left, one, names[0], negated[0], parts.left),
            (right, two, names[1], negated[1], parts.n),
        ):
            if count:
                cells.add(at, ("delete", GROUPS[0]), np.ones(len(side)), shift=group_here)
                cells.add(at, ("delete", "part of a name"), name != "")
                cells.add(at, ("delete", "negation"), negative)
            at += count

    def _edge_features(self, cells: _Cells, parts: Parts, left: Parsed, right: Parsed, words: WordPairs) -> None:
        b, d = parts.left_edges, parts.right_edges
        one, two = _label_of(left.labels)[b], _label_of(right.labels)[d]
        if len(b) and len(d):
            a, c = np.array(left.heads)[b], np.array(right.heads)[d]
            below, above = np.ix_(b, d), np.ix_(a, c)
            label = np.where(one[:, None] == two[None, :], one[:, None], len(LABELS))
            cells.add(parts.edges_at, ("edge", LABELS[0]), np.ones((len(b), len(d))), shift=label)
            cells.add(parts.edges_at, ("edge near", LABELS[0]), words.near[below] * words.near[above], shift=label)
            for measure in _MEASURES:
                values = getattr(words, measure)
                ends = values[below] * words.near[below] + values[above] * words.near[above]
                cells.add(parts.edges_at, ("edge ends", measure), ends)
        if parts.delete_edges:
            at = parts.edges_at + parts.edge_pairs
            for labels in (one, two):
                cells.add(at, ("edge delete", LABELS[0]), np.ones(len(labels)), shift=labels)
                at += len(labels)


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
        """``("words", i, j)``, ``("delete left", i)``, ``("edges", i, j)`` (by dependents), … ."""
        parts = self._parts
        if not 0 <= place < parts.size:
            raise IndexError(f"there is no part {place}; there are {parts.size}")
        if place < parts.words:
            return "words", *(int(part) for part in divmod(place, parts.n))
        place -= parts.words
        if place < parts.left:
            return "delete left", place
        place -= parts.left
        if place < parts.n:
            return "delete right", place
        place -= parts.n
        if place < parts.edge_pairs:
            row, column = divmod(place, len(parts.right_edges))
            return "edges", int(parts.left_edges[row]), int(parts.right_edges[column])
        place -= parts.edge_pairs
        if place < len(parts.left_edges):
            return "delete left edge", int(parts.left_edges[place])
        return "delete right edge", int(parts.right_edges[place - len(parts.left_edges)])


def _solve(parts: Parts, left_heads: Ints, right_heads: Ints, scores: Floats) -> Chosen | None:
    """The best structure by branch and bound; ``None`` if that takes too long."""
    b, d = parts.left_edges, parts.right_edges
    word = scores[: parts.words].reshape(parts.m, parts.n).copy()
    if parts.left:
        word -= scores[parts.words : parts.words + parts.left, None]
    word -= scores[parts.words + parts.left : parts.edges_at]
    edge = np.zeros((parts.m, parts.n))
    pairs_end = parts.edges_at + parts.edge_pairs
    gains = scores[parts.edges_at : pairs_end].reshape(len(b), len(d))
    if parts.delete_edges:
        gains = gains - scores[pairs_end : pairs_end + len(b), None] - scores[pairs_end + len(b) :]
    edge[np.ix_(b, d)] = gains
    mapping, nodes = best_mapping(word, edge, left_heads, right_heads, _NODES)
    if nodes > _NODES:
        return None
    return _structure(parts, left_heads, right_heads, mapping)


def _structure(parts: Parts, left_heads: Ints, right_heads: Ints, mapping: Ints) -> Chosen:
    """All parts that follow from the mapping of words."""
    b, d = parts.left_edges, parts.right_edges
    chosen = np.zeros(parts.size, dtype=bool)
    mapped = np.flatnonzero(mapping >= 0)
    chosen[mapped * parts.n + mapping[mapped]] = True
    if parts.left:
        chosen[parts.words : parts.words + parts.m] = mapping < 0
    chosen[parts.words + parts.left : parts.edges_at] = ~np.isin(np.arange(parts.n), mapping[mapped])
    target = mapping[b]
    heads = np.where(target >= 0, right_heads[target], -1)
    joined = (heads >= 0) & (mapping[left_heads[b]] == heads)
    rows = np.flatnonzero(joined)
    columns = np.searchsorted(d, target[rows])
    chosen[parts.edges_at + rows * len(d) + columns] = True
    if parts.delete_edges:
        at = parts.edges_at + parts.edge_pairs
        chosen[at : at + len(b)] = ~joined
        chosen[at + len(b) :] = ~np.isin(np.arange(len(d)), columns)
    return chosen


def _limits(parts: Parts, left_heads: Ints, right_heads: Ints) -> Limits:
    """Equations 6 to 11, for the integer program."""
    m, n, b, d = parts.m, parts.n, parts.left_edges, parts.right_edges
    pairs = np.arange(parts.words).reshape(m, n)
    edges = parts.edges_at + np.arange(parts.edge_pairs).reshape(len(b), len(d))
    rows: list[tuple[Any, Any, float, float, str]] = []
    for i in range(m):
        own = [parts.words + i] if parts.left else []
        rows.append(([*pairs[i], *own], 1.0, float(bool(own)), 1.0, f"left word {i + 1} is mapped once or deleted"))
    for j in range(n):
        own = [parts.words + parts.left + j]
        rows.append(([*pairs[:, j], *own], 1.0, 1.0, 1.0, f"right word {j + 1} is mapped once or deleted"))
    if parts.delete_edges:
        at = parts.edges_at + parts.edge_pairs
        lines = [(edges[i], at + i, f"left edge {i + 1}") for i in range(len(b))]
        lines += [(edges[:, j], at + len(b) + j, f"right edge {j + 1}") for j in range(len(d))]
        rows += [([*line, own], 1.0, 1.0, 1.0, f"{which} is mapped once or deleted") for line, own, which in lines]
    for i, left in enumerate(b):
        for j, right in enumerate(d):
            ends = pairs[left, right], pairs[left_heads[left], right_heads[right]]
            name = f"edges {i + 1} and {j + 1} are mapped if and only if their ends are"
            rows.append(([*ends, edges[i, j]], (1.0, 1.0, -1.0), -1.0, 1.0, name))
            rows += [([end, edges[i, j]], (1.0, -1.0), 0.0, 1.0, name) for end in ends]
    places = np.concatenate([np.asarray(row[0], dtype=np.int64) for row in rows])
    weights = np.concatenate([np.broadcast_to(row[1], len(row[0])) for row in rows])
    numbers = np.repeat(np.arange(len(rows)), [len(row[0]) for row in rows])
    return Limits(
        sparse.csr_array((weights, (numbers, places)), shape=(len(rows), parts.size)),
        np.array([row[2] for row in rows]),
        np.array([row[3] for row in rows]),
        tuple(row[4] for row in rows),
    )
