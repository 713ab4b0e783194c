"""Short romanisation tables: one Latin letter or two for a letter of another script, for heuristics only."""

from __future__ import annotations

import unicodedata

__all__ = ["SCRIPTS", "romanise", "script_of"]

# Letter, its Latin letters, letter, its Latin letters …; "-" is a letter without a sound of its own.
_TABLES = {
    "Hebrew": (
        "א a ב b ג g ד d ה h ו v ז z ח h ט t י y כ k ל l מ m נ n ס s ע a פ p צ ts ק k ר r ש sh ת t "
        "ך k ם m ן n ף p ץ ts ׳ - ״ -"
    ),
    "Cyrillic": (
        "а a б b в v г g д d е e ё e з z и i й i к k л l м m н n о o п p р r с s т t у u ф f ы y э "
        "e і i ї i є e ґ g ж zh х kh ц ts ч ch ш sh щ sh ъ - ь - ю u я a ў u"
    ),
    "Greek": ("α a β v γ g δ d ε e ζ z η i ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f ω o θ th χ ch ψ ps"),
    "Arabic": (
        "ا a ب b ت t ج j د d ذ d ر r ز z س s ص s ض d ط t ظ t ع a ف f ق q ك k ل l م m ن n ه h و w ي "
        "y أ a إ i آ a ى a ة a ؤ w ئ y ء a ث th ح h خ kh ش sh غ gh پ p چ ch گ g ڤ v ک k ی y"
    ),
    "Georgian": (
        "ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p რ r ს s ტ t უ u ფ p ქ k ღ g ყ "
        "q ხ k ჰ h ჟ zh შ sh ჩ ch ც ts ძ dz წ ts ჭ ch ჯ j"
    ),
    "Armenian": (
        "ա a բ b գ g դ d ե e զ z է e ը e թ t ի i լ l խ h կ k հ h ղ g մ m յ j ն n ո o պ p ռ r ս s վ "
        "v տ t ր r ց t ւ u փ p ք k օ o ֆ f ժ zh ծ ts ձ dz ճ ch շ sh չ ch ջ j և e"
    ),
    "Devanagari": (
        "अ a आ a इ i ई i उ u ऊ u ए e ऐ e ओ o औ o क k ग g ङ n ज j ञ n ट t ड d ण n त t द d न n प p ब "
        "b म m य y र r ल l व v स s ह h ा a ि i ी i ु u ू u े e ै e ो o ौ o ं n ख kh घ gh च ch छ ch "
        "झ jh ठ t ढ d थ th ध d फ f भ b श sh ष sh ् - ़ - ँ n ः h ऑ o ॉ o"
    ),
    "Hangul": (
        "ᄀ g ᄁ kk ᄂ n ᄃ d ᄄ tt ᄅ r ᄆ m ᄇ b ᄈ pp ᄉ s ᄊ ss ᄋ - ᄌ j ᄍ jj ᄎ ch ᄏ k ᄐ t ᄑ p ᄒ h ᅡ a ᅢ ae "
        "ᅣ ya ᅤ yae ᅥ eo ᅦ e ᅧ yeo ᅨ ye ᅩ o ᅪ wa ᅫ wae ᅬ oe ᅭ yo ᅮ u ᅯ wo ᅰ we ᅱ wi ᅲ yu ᅳ eu ᅴ ui "
        "ᅵ i ᆨ k ᆩ k ᆪ k ᆫ n ᆬ n ᆭ n ᆮ t ᆯ l ᆰ k ᆱ m ᆲ l ᆳ l ᆴ l ᆵ p ᆶ l ᆷ m ᆸ p ᆹ p ᆺ t ᆻ t ᆼ n ᆽ "
        "t ᆾ t ᆿ k ᇀ t ᇁ p ᇂ t"
    ),
}


def _table(text: str) -> dict[str, str]:
    words = text.split(" ")
    return {letter: latin.strip("-") for letter, latin in zip(words[::2], words[1::2], strict=True)}


SCRIPTS = {name: _table(text) for name, text in _TABLES.items()}
_LETTERS = {letter: latin for table in SCRIPTS.values() for letter, latin in table.items()}


def romanise(letter: str) -> str:
    """Return Latin letters for one letter; a letter that no table has stays itself without its accents.

    Examples
    --------
    >>> [romanise(letter) for letter in "шалом"]
    ['sh', 'a', 'l', 'o', 'm']
    """
    found = _LETTERS.get(letter)
    if found is not None:
        return found
    return "".join(part for part in unicodedata.normalize("NFD", letter) if not unicodedata.combining(part))


def script_of(text: str) -> str | None:
    """Return the script of most letters, if there is a table for it."""
    counts = {name: sum(letter in table for letter in text) for name, table in SCRIPTS.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else None
