"""English function words, written down for this project."""

from __future__ import annotations

__all__ = ["STOP_WORDS"]

_GROUPS = {
    "articles and determiners": """
        a an the this that these those some any each every either neither no all both half such another other others
        own same much many more most few fewer little less least several enough
    """,
    "pronouns": """
        i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her
        hers herself it its itself they them their theirs themselves one ones oneself who whom whose which what
        whoever whomever whatever whichever someone somebody something anyone anybody anything everyone everybody
        everything nobody nothing none
    """,
    "prepositions": """
        about above across after against along among amongst around as at before behind below beneath beside besides
        between beyond by despite down during except for from in inside into like near of off on onto out outside
        over past per since than through throughout till to toward towards under underneath until unto up upon via
        with within without
    """,
    "conjunctions": """
        and but or nor so yet if unless because although though while whilst whereas whether lest
    """,
    "auxiliary verbs": """
        am is are was were be been being have has had having do does did doing done can could may might must shall
        should will would ought cannot
    """,
    "contractions": """
        i'm i've i'll i'd you're you've you'll you'd he'll he'd she'll she'd it'll it'd we're we've we'll we'd
        they're they've they'll they'd that'll that'd who'll who'd there'll there'd isn't aren't wasn't weren't
        hasn't haven't hadn't doesn't don't didn't can't couldn't mayn't mightn't mustn't shan't shouldn't won't
        wouldn't oughtn't needn't ain't
    """,
    "adverbs of place, time and degree": """
        here there where wherever when whenever why how however now then again ever never always often sometimes
        once twice thus hence therefore also too very quite rather almost just only even still already not else
        further moreover otherwise instead perhaps maybe thereby therein thereof whereby wherein whereof
    """,
}

STOP_WORDS: frozenset[str] = frozenset(word for group in _GROUPS.values() for word in group.split())
"""English function words, for ``stop_words=True``: words that carry grammar rather than a subject."""
