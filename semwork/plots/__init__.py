"""Results in, plotly figures out: pure functions without state.

Every figure wears the house style (:data:`PALETTE` is Okabe and Ito's, which people with any colour vision can
tell apart), can be turned into a table of what it shows (:func:`plotted_data`) and into a static picture
without a browser (:func:`static_picture`).
"""

from semwork.plots.contents import plotted_data
from semwork.plots.convergence import (
    agreement_of_chains_figure,
    likelihood_figure,
    speed_figure,
    variation_figure,
)
from semwork.plots.joined import joined_figure
from semwork.plots.kernel_alignment import alignment_figure
from semwork.plots.kernel_classifier import classifier_figure
from semwork.plots.kernel_spectrum import kernel_figure, related_figure, spectrum_figure
from semwork.plots.learning import learning_figure, mistakes_figure, weights_figure
from semwork.plots.missing import neighbour_figure, word_figure
from semwork.plots.pair_threshold import threshold_figure
from semwork.plots.pair_weights import weight_figure
from semwork.plots.pair_words import effects_figure, match_figure, models_figure
from semwork.plots.pairs import agreement_figure, worst_pairs_figure
from semwork.plots.published import likelihood_over_time_figure, topic_words_figure
from semwork.plots.retrieval import recall_figure
from semwork.plots.retrieval_race import query_ranks_figure, race_figure
from semwork.plots.retrieval_sweep import sweep_figure
from semwork.plots.retrieval_why import explanation_figure
from semwork.plots.static import stacked_picture, static_picture
from semwork.plots.style import PALETTE, PLOTLY_CONFIG, house_figure
from semwork.plots.topic_curves import topic_curves_figure
from semwork.plots.topic_map import topic_map_figure
from semwork.plots.topic_parts import document_topics_figure, topic_figure
from semwork.plots.tradeoff import tradeoff_figure
from semwork.plots.unseen_shares import shares_figure
from semwork.plots.unseen_text import reading_figure
from semwork.plots.unseen_word import unseen_word_figure
from semwork.plots.verdicts import verdicts_figure

__all__ = [
    "PALETTE",
    "PLOTLY_CONFIG",
    "agreement_figure",
    "agreement_of_chains_figure",
    "alignment_figure",
    "classifier_figure",
    "document_topics_figure",
    "effects_figure",
    "explanation_figure",
    "house_figure",
    "joined_figure",
    "kernel_figure",
    "learning_figure",
    "likelihood_figure",
    "likelihood_over_time_figure",
    "match_figure",
    "mistakes_figure",
    "models_figure",
    "neighbour_figure",
    "plotted_data",
    "query_ranks_figure",
    "race_figure",
    "reading_figure",
    "recall_figure",
    "related_figure",
    "shares_figure",
    "spectrum_figure",
    "speed_figure",
    "stacked_picture",
    "static_picture",
    "sweep_figure",
    "threshold_figure",
    "topic_curves_figure",
    "topic_figure",
    "topic_map_figure",
    "topic_words_figure",
    "tradeoff_figure",
    "unseen_word_figure",
    "variation_figure",
    "verdicts_figure",
    "weight_figure",
    "weights_figure",
    "word_figure",
    "worst_pairs_figure",
]
