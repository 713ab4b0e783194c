"""How people usually call their columns, in a few languages."""

from __future__ import annotations

import functools

from semwork.datasets.own.kinds import plain

__all__ = ["all_hints", "language_named", "tier"]

# Role → names, the surest first: those of a line are equally likely. All are written as `plain` writes them.
_TEXT = (
    "text texts",
    "sentence document doc content body review reviewtext message tweet post comment abstract article paragraph "
    "utterance passage description story satz dokument inhalt beschreibung texte phrase contenu texto frase oracion "
    "documento contenido conteudo testo contenuto tekst zin tresc zdanie metin cumle teksti lause текст предложение "
    "сообщение отзыв טקסט משפט תוכן نص جملة κειμενο προταση 文本 句子 内容 评论 テキスト 文 本文 텍스트 문장",
    "title headline subject summary name question answer definition titel titre titulo titolo",
)
_LABEL = (
    "label labels",
    "class category topic target sentiment genre tag intent classname categoryname klasse kategorie thema classe "
    "categorie etiquette sujet clase categoria etiqueta rotulo tema etichetta argomento etykieta "
    "kategoria klasa etiket kategori sinif luokka "
    "метка класс категория тема תווית קטגוריה סוג تصنيف فئة ετικετα κατηγορια 标签 类别 分类 "
    "ラベル カテゴリ 分類 라벨 범주",
    "y type section department rating stars emotion language score",
)
_SPLIT = (
    "split",
    "set partition subset fold traintest part",
)
_ID = (
    "id",
    "identifier key docid documentid textid sentenceid rowid nr no number uid uuid index unnamed0 nummer numero",
)
_LEFT = (
    "left",
    "sentence1 text1 sent1 s1 question1 phrase1 frase1 satz1 string1 premise sentencea texta questiona links gauche "
    "izquierda sinistra первое 句子1 文1",
    "a first anchor",
)
_RIGHT = (
    "right",
    "sentence2 text2 sent2 s2 question2 phrase2 frase2 satz2 string2 hypothesis sentenceb textb questionb rechts "
    "droite derecha destra второе 句子2 文2",
    "b second positive",
)
_SCORE = (
    "score scores",
    "similarity goldscore gold relatedness relatednessscore similarityscore isduplicate isparaphrase paraphrase "
    "entailment ahnlichkeit bewertung similarite note similitud puntuacion somiglianza punteggio pontuacao ocena "
    "benzerlik puan оценка сходство ציון دרגה درجة ομοιοτητα 分数 相似度 スコア 점수",
    "label rating quality judgement judgment value wert",
)
_GROUP = ("group", "dataset genre source file domain task subset gruppe groupe grupo gruppo группа")
_QUERY = (
    "query queries",
    "question definition1 definitiona gloss1 clue search anfrage frage requete consulta pregunta domanda pergunta "
    "zapytanie sorgu запрос вопрос שאלה שאילתה سؤال ερωτηση 查询 问题 質問 질문",
    "definition left",
)
_CANDIDATE = (
    "candidate candidates",
    "answer definition2 definitionb gloss2 response antwort reponse respuesta risposta resposta odpowiedz cevap ответ "
    "תשובה جواب απαντηση 答案 回答 답변",
    "target passage document positive context right",
)
_HEADWORD = (
    "headword label",
    "word term lemma concept stichwort wort mot palabra parola palavra slowo kelime слово מילה",
    "title",
)
_ENGLISH = (
    "english",
    "en eng englisch anglais ingles inglese angielski ingilizce английский אנגלית الانجليزية 英语 英語 영어",
)
_LANGUAGES = {
    "ar": "arabic arabisch arabe", "bg": "bulgarian", "cs": "czech", "da": "danish", "de": "german deutsch allemand",
    "el": "greek griechisch grec", "es": "spanish spanisch espanol espagnol", "fa": "persian farsi", "fi": "finnish",
    "fr": "french franzosisch francais", "he": "hebrew hebraisch hebreu עברית", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "it": "italian italienisch italiano", "ja": "japanese 日本語", "ka": "georgian", "ko": "korean",
    "nl": "dutch nederlands", "pl": "polish polski", "pt": "portuguese portugues", "ro": "romanian",
    "ru": "russian russisch русский", "sr": "serbian", "sv": "swedish", "th": "thai", "tr": "turkish turkce",
    "uk": "ukrainian", "vi": "vietnamese", "zh": "chinese 中文",
}  # fmt: skip
_FOREIGN = (
    "foreign",
    " ".join(["translation transliteration native", *(f"{code} {names}" for code, names in _LANGUAGES.items())]),
    "other local target",
)
_WORD = (
    "word words",
    "token term wort mot palabra parola palavra slowo kelime sana слово מילה كلمة λεξη 单词 词 単語 단어",
)

_HINTS: dict[tuple[str, str], tuple[str, ...]] = {
    ("texts", "text"): _TEXT, ("texts", "id"): _ID,
    ("documents", "text"): _TEXT, ("documents", "label"): _LABEL, ("documents", "split"): _SPLIT,
    ("documents", "id"): _ID,
    ("pairs", "left"): _LEFT, ("pairs", "right"): _RIGHT, ("pairs", "score"): _SCORE, ("pairs", "split"): _SPLIT,
    ("pairs", "group"): _GROUP,
    ("definitions", "query"): _QUERY, ("definitions", "candidate"): _CANDIDATE, ("definitions", "label"): _HEADWORD,
    ("definitions", "split"): _SPLIT,
    ("names", "english"): _ENGLISH, ("names", "foreign"): _FOREIGN,
    ("names", "kind"): ("kind", "type category class"),
    ("vectors", "word"): _WORD,
}  # fmt: skip

_TIERS = {key: tuple(frozenset(map(plain, line.split())) for line in lines) for key, lines in _HINTS.items()}


def tier(kind: str, role: str, name: str) -> int | None:
    """Return how sure a column's name says its role: 0 is the role itself, ``None`` says nothing.

    Parameters
    ----------
    kind, role : str
        As in `ROLES`.
    name : str
        The name, as `plain` writes it.

    Examples
    --------
    >>> tier("texts", "text", "review"), tier("texts", "text", "price")
    (1, None)
    """
    return next((place for place, names in enumerate(_TIERS[kind, role]) if name in names), None)


@functools.cache
def all_hints() -> frozenset[str]:
    """Return all names that are known."""
    return frozenset().union(*(names for tiers in _TIERS.values() for names in tiers))


def language_named(name: str) -> str:
    """Return the code of a language from its name or code; empty where it is none.

    Examples
    --------
    >>> language_named("hebrew"), language_named("text")
    ('he', '')
    """
    return next((code for code, names in _LANGUAGES.items() if name == code or name in map(plain, names.split())), "")
