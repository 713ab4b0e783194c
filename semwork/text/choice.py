"""What a user may write for an analyzer or for stop words, made into the real thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from semwork.text.analyzers import Analyzer, FunctionAnalyzer, Stemmer
from semwork.text.lemma import default_lemmatizer
from semwork.text.stopwords import STOP_WORDS

__all__ = ["AnalyzerLike", "StopWordsLike", "choose_analyzer", "choose_stop_words"]

AnalyzerLike = str | Analyzer | Callable[[str], Iterable[str]]
StopWordsLike = bool | Iterable[str]

_NAMED: dict[str, Callable[[], Analyzer]] = {"word": Analyzer, "stem": Stemmer, "lemma": default_lemmatizer}


def choose_analyzer(analyzer: AnalyzerLike) -> Analyzer:
    """Return the analyzer that was named or given.

    Parameters
    ----------
    analyzer : str, Analyzer or callable
        ``"word"``, ``"stem"``, ``"lemma"``, an `Analyzer`, or a function from a text to its terms.

    Returns
    -------
    Analyzer

    Examples
    --------
    >>> choose_analyzer("stem")("running dogs")
    ['run', 'dog']
    """
    if isinstance(analyzer, str):
        if analyzer not in _NAMED:
            raise ValueError(
                f"there is no analyzer {analyzer!r}; choose one of {', '.join(map(repr, _NAMED))}, "
                "or give an Analyzer or a function from a text to a list of terms"
            )
        return _NAMED[analyzer]()
    if isinstance(analyzer, type):
        raise TypeError(f"analyzer is the class {analyzer.__name__}: make one, {analyzer.__name__}()")
    if isinstance(analyzer, Analyzer):
        return analyzer
    if callable(analyzer):
        return FunctionAnalyzer(analyzer)
    raise TypeError(
        f"analyzer must be a name, an Analyzer or a function from a text to a list of terms, "
        f"got {analyzer!r:.60} ({type(analyzer).__name__})"
    )


def choose_stop_words(stop_words: StopWordsLike, analyzer: Analyzer) -> frozenset[str]:
    """Return the words to leave out, in the form the analyzer's `clean` gives words.

    Parameters
    ----------
    stop_words : bool or iterable of str
        ``True`` for `STOP_WORDS`, ``False`` for none, or words of your own.
    analyzer : Analyzer
        The analyzer whose words they will be compared with, before it takes stems or lemmas.

    Returns
    -------
    frozenset of str
    """
    if isinstance(stop_words, bool):
        return STOP_WORDS if stop_words else frozenset()
    if isinstance(stop_words, str) or not isinstance(stop_words, Iterable):
        raise TypeError(
            f"stop_words must be True, False or a list of words, got {stop_words!r:.60} ({type(stop_words).__name__})"
        )
    chosen = set()
    for word in stop_words:
        if not isinstance(word, str):
            raise TypeError(f"stop_words must be words, got {word!r:.60} ({type(word).__name__}) among them")
        words = [word] if isinstance(analyzer, FunctionAnalyzer) else list(map(analyzer.clean, analyzer.split(word)))
        if len(words) > 1:
            raise ValueError(
                f"the stop word {word!r} is {len(words)} words to the analyzer, {words}: give single words"
            )
        chosen.update(words)
    return frozenset(chosen - {""})
