"""The list of experiments, and running them from the command line."""

from __future__ import annotations

import datetime
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from semwork.atomic import write_whole
from semwork.datasets import DataNotAvailable
from semwork.datasets.cache import CacheNotWritable
from semwork.steps import Step, last, reporting

__all__ = ["EXPERIMENTS", "Experiment", "ResultStep", "read_table", "run_and_print", "write_pictures", "write_tables"]

Tables = Mapping[str, tuple[dict[str, Any], ...]]


@dataclass(frozen=True, kw_only=True)
class ResultStep(Step):
    """Progress of an experiment; the last step holds its tables: name → rows of what, the paper's number, ours."""

    tables: Tables = field(default_factory=dict)


@dataclass(frozen=True)
class Experiment:
    """A published result and how we compute it.

    Attributes
    ----------
    title, differences
        What it is, and what is not as in the paper.
    seeds
        Runs that are averaged unless the user says another number.
    steps
        ``steps(seeds, threads)`` gives the stream of a run.
    pictures
        Table → the function of `semwork.plots` that draws it.
    """

    title: str
    differences: str
    seeds: int
    steps: Callable[[int, int], Iterator[ResultStep]]
    pictures: Mapping[str, str] = field(default_factory=dict)


def _wtmf(seeds: int, threads: int) -> Iterator[ResultStep]:
    from semwork.experiments.retrieval import retrieval_steps

    return retrieval_steps(seeds, threads)


def _sts2012(seeds: int, threads: int) -> Iterator[ResultStep]:
    from semwork.experiments.pairs import pair_steps

    return pair_steps(seeds, threads)


def _kernels(seeds: int, threads: int) -> Iterator[ResultStep]:
    from semwork.experiments.kernels import kernel_steps

    return kernel_steps(seeds, threads)


def _lclr(seeds: int, threads: int) -> Iterator[ResultStep]:
    from semwork.experiments.lclr import lclr_steps

    return lclr_steps(seeds, threads)


def _gaussian_lda(seeds: int, threads: int) -> Iterator[ResultStep]:
    from semwork.experiments.gaussian_lda import gaussian_lda_steps

    return gaussian_lda_steps(seeds, threads)


def _regularization(seeds: int, threads: int) -> Iterator[ResultStep]:
    from semwork.experiments.regularization import regularization_steps

    return regularization_steps(seeds, threads)


EXPERIMENTS = {
    "wtmf": Experiment(
        title="WTMF and its baselines on concept definition retrieval (Guo & Diab 2012, Table 2, Figures 2 and 3)",
        differences=(
            "Queries are GCIDE definitions and candidates WordNet's, the paper's dictionaries are not public; trained "
            "on the candidates and Brown, without Wiktionary; Porter stems instead of lemmas; LDA runs 300 sweeps "
            "instead of 5,000 (one chain of 900 shows what that costs). w_m = 0 runs 20 iterations like the others, "
            "the paper stops it after the first ones, by dev. Figures 2 and 3 average 2 seeds; Figure 3 has w_m = .01, "
            "the paper's .0005."
        ),
        seeds=10,
        steps=_wtmf,
    ),
    "sts2012": Experiment(
        title=(
            "WTMF on sentence pairs: LI06 and MSR04 (Guo & Diab 2012, Tables 3 to 5), SemEval-2012 task 6 (Guo & Diab "
            "2012b, Tables 2 and 3)"
        ),
        differences=(
            "Trained on WordNet entries (headwords, definition, examples) and Brown, without Wiktionary. The first "
            "paper, which has LI06 and MSR04, trains on definitions alone. The second, which has STS, trains on the "
            "STS training sentences, too; here only a row of 'variants' does. Porter stems instead of lemmas; LDA runs "
            "300 sweeps instead of 5,000. MSR04 is the corpus' public copy."
        ),
        seeds=5,
        steps=_sts2012,
    ),
    "regularization": Experiment(
        title="The default λ of WTMF beside the best λ of a grid, from 20 texts to 200,000, in three weightings",
        differences=(
            "No paper has this table: it shows what regularization='auto' chooses on texts of any number. Texts are "
            "WordNet's definitions (then Brown's sentences, then GCIDE's definitions), queries GCIDE's definitions of "
            "the same senses, which are not fitted on. Up to 1,000 texts are drawn up to 25 times, more are drawn once."
        ),
        seeds=1,
        steps=_regularization,
    ),
    "kernels": Experiment(
        title="Semantic kernels and their alignment (Kandola, Shawe-Taylor & Cristianini 2002, both tables)",
        differences=(
            "Our list of stop words, terms that occur at least twice; C by ten-fold cross-validation of F1 on the "
            "first split, then ten splits that keep the share of the class; class weights plain and balanced, the "
            "paper names none. 'training': test documents go through the proximity of the training documents; 'all': "
            "the proximity is that of all documents, without their labels, which is nearest to the paper. R8 and 20 "
            "newsgroups: 1,000 documents drawn at random with the same protocol, and all documents with rank 300, "
            "centred alignment with all classes, and a linear SVM of C = 1."
        ),
        seeds=10,
        steps=_kernels,
    ),
    "lclr": Experiment(
        title="LCLR, joint against two-stage learning (Chang, Goldwasser, Roth & Srikumar 2010, Tables 1, 3, 4)",
        differences=(
            "Names are words of CLDR's cities, territories and languages, kept where our romanisation table finds the "
            "two spellings similar (the same pairs whatever a system knows of the table), not the paper's corpus; 250 "
            "to learn from, 10 % of their false pairings, 300 to find, new at random for each seed; letters left alone "
            "and a bias are features, too. The romanisation table is graded (2 for a letter of the table, 1 for one "
            "like it, less for others), the paper's is uniform. λ was chosen on 400 other Hebrew names (names_choice). "
            "Tables that know less, and other scripts: 3 splits, the same λ. Sentences: parsed by spaCy's small model; "
            "only words that are alike may be mapped; features of words and edges are of the kinds of the paper's "
            "Table 2, without coreference, for both tasks alike, and of more: Lin's measure, numbers, depth in the "
            "tree, labels of deleted words; λ by cross-validation on the training pairs, for both systems; RTE-1 to 3 "
            "in place of RTE-5, which is not public; the Extended set is tested on all test pairs."
        ),
        seeds=10,
        steps=_lclr,
    ),
    "gaussian_lda": Experiment(
        title="Gaussian LDA on 20 newsgroups and Reuters (Das, Zaheer & Dyer 2015, Tables 1 to 3, Figures 2 and 3)",
        differences=(
            "GloVe of 50 numbers instead of word2vec; 20 newsgroups split by date, not at random; words that occur 5 "
            "times; 60 sweeps of exact sampling (LDA: 200), the last sample; LDA with α = 1/K, β = 0.01. Words are "
            "counted together in documents of 20 newsgroups' test half, Reuters R52 and pieces of ten sentences of "
            "Brown, not in Wikipedia; scores are means over topics that have words. A better prior was chosen on the "
            "other half of the test documents (prior_choice), with a seed that is not reported; LDA was not tuned. "
            "Figure 2: 500 documents of 20 newsgroups instead of NIPS, naive for one sweep, processor time; alias "
            "fills its table every sweep, the paper names no schedule. Unseen words: not in any training text; the "
            "commonest part of speech in Brown instead of a tagger; the public list of PPDB has no scores, so its "
            "first fitting word is taken; words are drawn until the paper's share of tokens is replaced. Online "
            "batches: 4 sweeps, documents in random order. Table 3 is on Reuters R52 instead of NIPS, and of "
            "proportions, whose L1 is at most 2; the paper's numbers are on another scale, which it does not name."
        ),
        seeds=3,
        steps=_gaussian_lda,
        pictures={"figure_2": "likelihood_over_time_figure", "figure_3": "topic_words_figure"},
    ),
}


def _show_progress(step: ResultStep) -> None:
    said = f"  {step.done}{f' of {step.total}' if step.total else ''} {step.message}"
    if not sys.stderr.isatty():
        print(said, file=sys.stderr, flush=True)
    else:
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{said:<{width}.{width}}", end="", file=sys.stderr, flush=True)


def run_and_print(
    names: Sequence[str], *, every: bool = False, seeds: int | None = None, save: str | Path | None = None
) -> int:
    """Run experiments by name, or ``all``, and print tables; without a name, list them. Returns an exit code."""
    every = every or "all" in names
    names = [name for name in names if name != "all"]
    unknown = [name for name in names if name not in EXPERIMENTS]
    if unknown:
        print(f"no experiment {', '.join(unknown)}; there are: {', '.join(EXPERIMENTS)}, and all", file=sys.stderr)
        return 2
    if seeds is not None and seeds < 1:
        print(f"--seeds is {seeds}; give 1 or more", file=sys.stderr)
        return 2
    if not names and not every:
        for name, experiment in EXPERIMENTS.items():
            print(f"{name:<12} {experiment.title}")
        print("\nRun one with: semwork reproduce NAME, or every one with: semwork reproduce all")
        return 0
    try:
        for name in EXPERIMENTS if every else names:
            _run(name, EXPERIMENTS[name], seeds, save)
    except (CacheNotWritable, DataNotAvailable) as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


def _run(name: str, experiment: Experiment, seeds: int | None, save: str | Path | None) -> None:
    import pandas as pd

    from semwork.threads import workers_of

    print(f"{experiment.title}\n{experiment.differences}")
    steps = experiment.steps(seeds or experiment.seeds, workers_of(None))
    tables = last(reporting(steps, _show_progress)).tables
    if sys.stderr.isatty():
        print("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r", end="", file=sys.stderr)
    for table, rows in tables.items():
        print(f"\n{table}\n{pd.DataFrame(list(rows)).fillna('').to_string(index=False)}")
    if save is not None:
        command = f"semwork reproduce {name}" + (f" --seeds {seeds}" if seeds else "")
        for path in [*write_tables(save, name, tables, command), *write_pictures(save, name)]:
            print(f"saved {path}")


def write_tables(folder: str | Path, name: str, tables: Tables, command: str) -> list[Path]:
    """Write each table as CSV, with the command, the versions and the date as comments above it."""
    import pandas as pd

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    packages = ("semwork", "numpy", "scipy", "scikit-learn", "numba")
    said = ", ".join(f"{package} {version(package)}" for package in packages)
    head = (
        f"# {command}\n# {said}, Python {platform.python_version()}\n"
        f"# {datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}\n"
    )
    written = []
    for table, rows in tables.items():
        path = target / f"{name}_{table}.csv"
        write_whole(path, head + pd.DataFrame(list(rows)).to_csv(index=False))
        written.append(path)
    return written


def write_pictures(folder: str | Path, name: str) -> list[Path]:
    """Draw the tables of an experiment that are figures in the paper, as PNG beside their CSV."""
    from semwork import plots

    written = []
    for table, function in EXPERIMENTS[name].pictures.items():
        source = Path(folder) / f"{name}_{table}.csv"
        written.append(source.with_suffix(".png"))
        write_whole(written[-1], plots.static_picture(getattr(plots, function)(read_table(source))))
    return written


def read_table(path: str | Path) -> Any:
    """Read a table that :func:`write_tables` wrote."""
    import pandas as pd

    return pd.read_csv(path, comment="#")
