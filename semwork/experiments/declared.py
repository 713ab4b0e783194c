"""The experiments, each declared once: what it is, how it is run, and how its tables are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module

from semwork.experiments import remarks, shown
from semwork.experiments.cells import ResultStep, Running
from semwork.experiments.tables import Picture, Report

__all__ = ["EXPERIMENTS", "Experiment"]


@dataclass(frozen=True)
class Experiment:
    """A published result and how we compute it.

    Attributes
    ----------
    title : str
        What it is.
    differences : str
        What is not as in the paper.
    seeds : int
        Runs that are averaged unless the user says another number.
    entry : tuple of (str, str)
        Module and function of ``steps(seeds, running)``, the stream of a run.
    reports : tuple of Report
        The tables that are shown to readers.
    files : mapping of str to str
        The other tables that a run gives → what they have.
    """

    title: str
    differences: str
    seeds: int
    entry: tuple[str, str]
    reports: tuple[Report, ...]
    files: Mapping[str, str] = field(default_factory=dict)

    def steps(self, seeds: int, running: Running) -> Iterator[ResultStep]:
        """Run it; its module, and what that needs, is imported when it begins.

        Parameters
        ----------
        seeds : int
            Runs that are averaged.
        running : Running
            How its cells are run.

        Yields
        ------
        ResultStep
            The last one holds the tables.
        """
        module, function = self.entry
        for step in getattr(import_module(f"semwork.experiments.{module}"), function)(seeds, running):
            unknown = [table for table in step.tables if table not in self.tables]
            if unknown:
                raise ValueError(
                    f"{module}.{function} gave a table {unknown[0]!r} that nobody would see on the page of results: "
                    "say what it has among the experiment's reports or files, in semwork/experiments/declared.py"
                )
            yield step

    @property
    def tables(self) -> list[str]:
        """All tables that a run gives, those that are shown first."""
        return list(dict.fromkeys([*(report.file for report in self.reports), *self.files]))

    @property
    def pictures(self) -> list[Picture]:
        """Tables that are drawn."""
        return [report.picture for report in self.reports if report.picture]


EXPERIMENTS: Mapping[str, Experiment] = {
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
        entry=("retrieval", "retrieval_steps"),
        reports=(
            Report(
                "Concept definition retrieval, ATOP", "table_2", "Table 2",
                {
                    "model": "model", "seeds": "runs", "dev": "dev", "dev, paper": "paper", "test": "test",
                    "test s.d.": "s.d.", "test, paper": "paper", "test hit@10": "hit@10",
                }, remark=remarks.RETRIEVAL,
            ),
        ),
        files={
            "figure_2": "ATOP along w_m, Figure 2",
            "figure_3": "ATOP along K, Figure 3",
            "significance": "WTMF against the others, query by query",
            "headwords_and_examples": "trained on headwords and examples, too",
            "blends": "WTMF and the words themselves, mixed",
            "clauses": "a task without a second dictionary: the last clause of a definition looks for the rest",
        },
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
        entry=("pairs", "pair_steps"),
        reports=(
            Report(
                "Sentence pairs", "sts2012", "",
                {
                    "model": "model", "r": "LI06 r", "r, paper": "paper", "accuracy": "MSR04 %",
                    "accuracy, paper": "paper", "ALL": "STS ALL", "ALL, paper": "paper", "ALLnrm": "ALLnrm",
                    "ALLnrm, paper": "paper", "Mean": "Mean", "Mean, paper": "paper",
                }, shown.pairs, remarks.PAIRS,
            ),
        ),
        files={
            "li06": "LI06 along w_m",
            "msr04": "MSR04: accuracy and F1",
            "variants": "other settings, analyzers and texts, and mixtures; the best on the training pairs is marked",
        },
    ),
    "regularization": Experiment(
        title="The default λ of WTMF beside the best λ of a grid, from 20 texts to 200,000, in three weightings",
        differences=(
            "No paper has this table: it shows what regularization='auto' chooses on texts of any number. Texts are "
            "WordNet's definitions (then Brown's sentences, then GCIDE's definitions), queries GCIDE's definitions of "
            "the same senses, which are not fitted on. Up to 1,000 texts are drawn up to 25 times, more are drawn once."
        ),
        seeds=1,
        entry=("regularization", "regularization_steps"),
        reports=(
            Report(
                "The default λ of WTMF", "table", "",
                {name: name for name in ("texts", "tfidf", "tfidf, length 1", "count")}, shown.penalties,
                remarks.PENALTY,
            ),
        ),
        files={},
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
        entry=("kernels", "kernel_steps"),
        reports=(
            Report(
                "Medline, query 20", "medline_query_20", "",
                {
                    "train %": "train %", "kernel": "kernel", "alignment": "alignment", "alignment, paper": "paper",
                    "decay": "λ", "decay, paper": "paper", "error": "error", "error, paper": "paper", "f1": "F1",
                    "f1, paper": "paper", "average_precision": "AP", "prior_f1": "F1 at prior",
                }, shown.balanced_kernels, remarks.KERNELS,
            ),
        ),
        files={
            "medline": "Medline, means over the queries",
            "reuters8": "Reuters R8, 1,000 documents, means over the classes",
            "reuters8_full_size": "Reuters R8, all documents, few and many labels",
            "reuters8_paths": "Reuters R8, the best decay of every class",
            "newsgroups": "20 newsgroups, 1,000 documents, means over the classes",
            "newsgroups_full_size": "20 newsgroups, all documents, few and many labels",
            "newsgroups_paths": "20 newsgroups, the best decay of every class",
        },
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
        entry=("lclr", "lclr_steps"),
        reports=(
            Report(
                "Names in Latin and Hebrew script", "table_1", "Table 1",
                {
                    "system": "system", "splits": "splits", "accuracy": ("accuracy %", "{:.1f}"),
                    "accuracy s.d.": ("s.d.", "{:.1f}"), "accuracy, paper": ("paper", "{:.1f}"),
                    "MRR": ("MRR %", "{:.1f}"), "MRR s.d.": ("s.d.", "{:.1f}"), "MRR, paper": ("paper", "{:.1f}"),
                }, remark=remarks.NAMES,
            ),
            Report(
                "Accuracy of two stages → LCLR when less is known of the letters", "names_guides", "",
                prepare=shown.guides, remark=remarks.GUIDES,
            ),
            Report(
                "Entailment and paraphrase", "table_3", "Tables 3 and 4",
                {
                    "data": "data", "features": "features", "training pairs": "training pairs", "samples": "samples",
                    "two-stage": "two-stage %", "two-stage, paper": "paper", "LCLR": "LCLR %", "LCLR, paper": "paper",
                    "gain": "gain", "p": "p",
                }, shown.both_tasks, remarks.SENTENCES,
            ),
        ),
        files={
            "table_1_gain": "what joint learning gains, name by name",
            "names_choice": "the choice of λ, on names that are in no other table",
            "table_4": "paraphrase, which is shown with entailment",
            "sentences_choice": "the choice of λ, by cross-validation on the training pairs",
        },
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
        entry=("gaussian_lda", "gaussian_lda_steps"),
        reports=(
            Report(
                "Topics of 20 newsgroups", "table_1", "Table 1",
                {
                    "system": "system", "ranked by": "words ranked by", "seeds": "seeds",
                    "empty topics": ("empty topics", "{:.1f}"),
                    "PMI 20 newsgroups, test": ("PMI 20news", "{:.2f}"),
                    "NPMI 20 newsgroups, test": ("NPMI", "{:.2f}"),
                    "unseen 20 newsgroups, test": ("never met", "{:.0%}"),
                    "PMI Reuters R52": ("PMI R52", "{:.2f}"), "NPMI Reuters R52": ("NPMI", "{:.2f}"),
                    "unseen Reuters R52": ("never met", "{:.0%}"),
                    "PMI Brown": ("PMI Brown", "{:.2f}"), "NPMI Brown": ("NPMI", "{:.2f}"),
                    "unseen Brown": ("never met", "{:.0%}"),
                    "PMI in Wikipedia, paper": ("PMI Wikipedia, paper", "{:.2f}"),
                }, remark=remarks.TOPICS,
                picture=Picture(
                    "figure_3", "topic_words_figure",
                    "Figure 3: the top words of nine topics on two principal components, with the paper's prior and "
                    "with the chosen one",
                ),
            ),
            Report(
                "Samplers", "figure_2_speed", "Figure 2",
                {
                    "documents": "documents", "sampler": "sampler",
                    "tokens per CPU second, late": ("tokens/s", "{:,}"),
                    "CPU seconds to Cholesky's last log-likelihood": ("s to Cholesky's end", "{:.1f}"),
                    "topics of a document, in the end": ("topics of a document", "{:.1f}"),
                    "times cholesky": ("× Cholesky", "{:,.2f}"), "times cholesky, paper": ("paper", "{:,.2f}"),
                    "times naive": ("× naive", "{:,.2f}"), "times naive, paper": ("paper", "{:,.2f}"),
                }, remark=remarks.SAMPLERS,
                picture=Picture(
                    "figure_2", "likelihood_over_time_figure",
                    "Figure 2: log-likelihood against processor seconds; precision climbs first and highest, then "
                    "fast; Cholesky and alias follow together",
                ),
            ),
            Report(
                "Unseen words", "table_2", "Table 2",
                {
                    "system": "system", "inference": "inference", "seeds": ("seeds", "{:.0f}"),
                    "original documents": ("original %", "{:.1f}"),
                    "PPDB": ("PPDB %", "{:.1f}"), "PPDB s.d.": ("s.d.", "{:.1f}"), "PPDB, paper": ("paper", "{:.1f}"),
                    "WordNet": ("WordNet %", "{:.1f}"), "WordNet s.d.": ("s.d.", "{:.1f}"),
                    "WordNet, paper": ("paper", "{:.1f}"),
                }, remark=remarks.UNSEEN,
            ),
            Report(
                "How far proportions move", "table_3", "Table 3",
                {
                    "system": "system", "inference": "inference", "seeds": ("seeds", "{:.0f}"),
                    "L1": ("L1", "{:.3f}"), "L1, paper": ("paper", "{:.2f}"), "L2": ("L2", "{:.3f}"),
                    "L2, paper": ("paper", "{:.2f}"), "L∞": ("L∞", "{:.3f}"), "L∞, paper": ("paper", "{:.2f}"),
                }, remark=remarks.DEVIATIONS,
            ),
        ),
        files={
            "table_1_gain": "PMI beside LDA's",
            "table_1_topics": "the words of all topics",
            "prior_choice": "the choice of a prior, on documents that are in no other table",
            "figure_2": "every sweep of every sampler",
            "figure_3": "the words of the figure and where they stand",
        },
    ),
}  # fmt: skip
