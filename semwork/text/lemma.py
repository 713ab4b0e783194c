"""Lemmas from WordNet's own data: exception lists, suffix rules, and the most-frequent-lemma rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path

from semwork.text.analyzers import Analyzer

__all__ = ["Lemmatizer", "default_lemmatizer", "set_default_source"]

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")

# WordNet's "rules of detachment", morphy(7WN); adverbs have none.
SUFFIX_RULES: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}


class Lemmatizer(Analyzer):
    """Words as their most frequent lemmas: what ``analyzer="lemma"`` means.

    A word's base forms are found as WordNet does it: from the exception list of each part of speech if the word is
    on it, else by the suffix rules [2]_, and only forms that WordNet knows count. Among the base forms of all parts
    of speech the one most frequent in WordNet's sense-tagged texts is the lemma. As in the STS system [1]_, the
    rule is then applied to that lemma once more: *thinkings* becomes *thinking* and then *think*. (The papers let a
    tagger choose the part of speech in the first round; here frequency does. The second round merges more than
    inflection, which is its purpose, and has its price: *roses* becomes *rose* and then *rise*.)

    A lemma's frequency is the sum over all its senses and parts of speech. On a tie the word itself wins, then
    nouns before verbs, adjectives and adverbs, and earlier rules, or lines of the exception list, before later ones.
    A word without any known base form stays as it is.

    Parameters
    ----------
    exceptions : mapping of str to mapping of str to iterable of str
        For each part of speech (``"noun"``, ``"verb"``, ``"adj"``, ``"adv"``) irregular form → base forms.
    lemmas : mapping of str to iterable of str
        For each part of speech its known lemmas.
    counts : mapping of str to int
        Lemma → number of occurrences; lemmas that are not in it have 0.

    References
    ----------
    .. [1] W. Guo & M. Diab (2012), Weiwei: A Simple Unsupervised Latent Semantics based Approach for Sentence
       Similarity, SemEval, section 4 ("the most frequent lemma according to WordNet::QueryData").
    .. [2] G. A. Miller (1995), WordNet: a lexical database for English, CACM 38(11), 39–41; morphy(7WN).

    Examples
    --------
    >>> lemmatizer = Lemmatizer(
    ...     exceptions={"verb": {"was": ["be"]}},
    ...     lemmas={"noun": {"thinking"}, "verb": {"think", "be"}},
    ...     counts={"think": 200, "thinking": 10},
    ... )
    >>> lemmatizer("What was thinkings?")
    ['what', 'be', 'think']
    """

    name = "lemma"

    def __init__(
        self,
        exceptions: Mapping[str, Mapping[str, Iterable[str]]],
        lemmas: Mapping[str, Iterable[str]],
        counts: Mapping[str, int],
    ) -> None:
        super().__init__()
        unknown = (set(exceptions) | set(lemmas)) - set(PARTS_OF_SPEECH)
        if unknown:
            raise ValueError(f"parts of speech must be among {PARTS_OF_SPEECH}, got {sorted(unknown)}")
        self._exceptions = {
            part: {form: tuple(bases) for form, bases in exceptions.get(part, {}).items()} for part in PARTS_OF_SPEECH
        }
        self._lemmas = {part: frozenset(lemmas.get(part, ())) for part in PARTS_OF_SPEECH}
        self._counts = dict(counts)

    @classmethod
    def from_wordnet(cls, folder: str | Path) -> Lemmatizer:
        """Read WordNet's dict files (``index.noun``, ``noun.exc``, …, and ``cntlist.rev`` or ``index.sense``).

        Parameters
        ----------
        folder : str or Path
            The folder that has the files, or one that holds it as ``wordnet-3.0`` or ``dict``.

        Returns
        -------
        Lemmatizer
        """
        dict_files = _dict_folder(Path(folder))
        return cls(
            exceptions={part: _read_exceptions(dict_files / f"{part}.exc") for part in PARTS_OF_SPEECH},
            lemmas={part: _read_lemmas(dict_files / f"index.{part}") for part in PARTS_OF_SPEECH},
            counts=_read_counts(dict_files),
        )

    def base_forms(self, word: str, part: str) -> list[str]:
        """Return the base forms of a word as one part of speech, best rule first; empty when there is none.

        Parameters
        ----------
        word : str
            A word in lower case.
        part : {"noun", "verb", "adj", "adv"}
            The part of speech.

        Returns
        -------
        list of str
        """
        known = self._lemmas[part]
        irregular = self._exceptions[part].get(word)
        candidates = chain([word], _detach(word, part) if irregular is None else irregular)
        return list(dict.fromkeys(form for form in candidates if form in known))

    def lemmas(self, word: str) -> list[str]:
        """Return all lemmas of a word: its base forms as any part of speech.

        Parameters
        ----------
        word : str
            In lower case.

        Returns
        -------
        list of str
            Each once, nouns' first; empty for a word that WordNet has not.
        """
        forms = chain.from_iterable(self.base_forms(word, part) for part in PARTS_OF_SPEECH)
        return list(dict.fromkeys(forms))

    def lemma(self, word: str) -> str:
        """Return the lemma one lower-case word is counted under, or the word itself when WordNet has none.

        Parameters
        ----------
        word : str
            In lower case.

        Returns
        -------
        str
        """
        first = self._most_frequent(word)
        return first if first == word else self._most_frequent(first)

    base = lemma

    def _most_frequent(self, word: str) -> str:
        lemmas = self.lemmas(word) or [word]
        return max(lemmas, key=lambda lemma: (self._counts.get(lemma, 0), lemma == word))

    def __repr__(self) -> str:
        n_lemmas = len(frozenset().union(*self._lemmas.values()))
        return f"Lemmatizer({n_lemmas:,} lemmas, {sum(map(len, self._exceptions.values())):,} exceptions)"


def _detach(word: str, part: str) -> Iterator[str]:
    ending = ""
    if part == "noun":
        if word.endswith("ful"):  # boxesful → boxful
            word, ending = word.removesuffix("ful"), "ful"
        if len(word) <= 2 or word.endswith("ss"):
            return
    for suffix, replacement in SUFFIX_RULES[part]:
        stem = word.removesuffix(suffix)
        # Two letters at least, or *lest* is the superlative of the Roman numeral l.
        if stem == word or len(stem + replacement) < 2:
            continue
        # English puts -es only after a hiss or o (boxes, goes); without this, *bees* is a form of *be*.
        if (suffix, replacement) == ("es", "") and stem[-1] not in "sxzho":
            continue
        yield stem + replacement + ending


def _dict_folder(folder: Path) -> Path:
    for candidate in (folder, folder / "wordnet-3.0", folder / "dict"):
        if (candidate / "index.noun").is_file():
            return candidate
    raise FileNotFoundError(
        f"{folder} has no WordNet dict files (index.noun, noun.exc, …): give the folder that holds them, "
        "or get them with `semwork data fetch wordnet`"
    )


def _lines(file: Path) -> Iterator[list[str]]:
    with file.open(encoding="utf-8") as lines:
        yield from (line.split() for line in lines if not line.startswith(" ") and line.strip())


def _read_exceptions(file: Path) -> dict[str, list[str]]:
    """Irregular form → base forms; a form that stands on several lines has those of all of them."""
    exceptions: dict[str, list[str]] = {}
    for form, *bases in _lines(file):
        exceptions.setdefault(form, []).extend(bases)
    return exceptions


def _read_lemmas(file: Path) -> list[str]:
    return [fields[0] for fields in _lines(file)]


def _read_counts(folder: Path) -> Counter[str]:
    """Sum the tag counts of all senses; both files have ``lemma%…`` first and the count last."""
    for name in ("cntlist.rev", "index.sense"):
        if (folder / name).is_file():
            counts: Counter[str] = Counter()
            for sense_key, *_, count in _lines(folder / name):
                counts[sense_key.partition("%")[0]] += int(count)
            return counts
    raise FileNotFoundError(f"{folder} has neither cntlist.rev nor index.sense, which say how frequent a lemma is")


_Source = Callable[[], str | Path]
_default_source: _Source | None = None


def set_default_source(source: _Source | None) -> None:
    """Say where ``analyzer="lemma"`` finds WordNet: a function that returns the folder, or ``None`` for nowhere.

    `semwork.datasets` calls this when it is imported. The function runs at the first use, not now.

    Parameters
    ----------
    source : callable or None
        Takes nothing and returns the folder that has WordNet's files, as `Lemmatizer.from_wordnet` reads them.
    """
    global _default_source  # noqa: PLW0603 - one process-wide setting, like a default encoding
    _default_source = source


def default_lemmatizer() -> Lemmatizer:
    """Return the lemmatizer of ``analyzer="lemma"``; it is read once per folder.

    Raises
    ------
    LookupError
        When nobody said where WordNet is, or it is not there.
    """
    ways = (
        "get the data with `semwork data fetch wordnet` and `import semwork.datasets`, "
        "or pass analyzer=Lemmatizer.from_wordnet(folder), or use analyzer='stem', which needs no data"
    )
    if _default_source is None:
        raise LookupError(f"analyzer='lemma' needs the WordNet files, and no source of them is registered: {ways}")
    try:
        return _read_once(Path(_default_source()))
    except (OSError, LookupError, RuntimeError) as error:
        raise LookupError(f"analyzer='lemma' needs the WordNet files: {ways}. The cause: {error}") from error


@lru_cache(maxsize=4)
def _read_once(folder: Path) -> Lemmatizer:
    return Lemmatizer.from_wordnet(folder)
