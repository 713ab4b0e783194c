"""From bytes to text: which encoding a file has, in words that say how sure that is."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from semwork.given import check_word, listed

__all__ = ["Decoded", "decoded"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8 with a byte order mark"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
# What people's programs have written. With all that Python knows the guess is worse: rare ones fit anything.
_USUAL = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874", "iso8859_2"),
    *("koi8_r", "cp866", "cp437", "cp850", "cp852", "mac_roman", "gb18030", "big5", "cp932", "euc_jp", "euc_kr"),
]
_SAMPLE = 200_000
_WESTERN = re.compile("[àâäáãåæçéèêëíìîïñóòôöõøœúùûüÿßÀÂÄÁÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØŒÚÙÛÜ‘’“”„‚–—…«»¡¿€£§°©®™·•×½¼ªº\xa0]")
_ODD = re.compile(r"[^\W\d_][“”„‚–—…«»¡¿€£§°©®™•×½¼][^\W\d_]|[^\x00-\x7f‘’“”„–—…«»¡¿€£§°\s]{3}")


@dataclass(frozen=True)
class Decoded:
    """Text, and how it was read.

    Parameters
    ----------
    text : str
        All of it; U+FFFD stands for what could not be read.
    encoding : str
        The encoding, in words.
    notes : tuple of str
        How it was guessed, and what else it may be.
    """

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decoded(content: bytes, encoding: str | None = None, *, whole: bool = True) -> Decoded:
    """Read bytes as text.

    Parameters
    ----------
    content : bytes
        A file, or its beginning.
    encoding : str or None
        Its encoding; found if not given.
    whole : bool
        Whether the file ends here; else the last sign may be cut.

    Returns
    -------
    Decoded

    Examples
    --------
    >>> decoded("Größe".encode("cp1252")).encoding
    'cp1252, guessed'
    """
    if encoding is not None:
        return _as_told(content, encoding)
    for mark, name, words in _MARKS:
        if content.startswith(mark):
            return _lenient(content, name, words)
    if (wide := _wide(content)) is not None:
        return _lenient(content, wide, f"{wide.upper()}, without a byte order mark")
    if not whole:
        content = content[: len(content) - _cut(content)]
    try:
        return Decoded(content.decode(), "UTF-8")
    except UnicodeDecodeError:
        pass
    text = content.decode(errors="replace")
    wrong = text.count("\ufffd")
    if len(content) - len(text) > 20 * wrong:  # nearly all signs of several bytes are right
        return Decoded(text, "UTF-8", (_BROKEN.format(count=wrong, encoding="UTF-8"),))
    name, notes = _guessed(content)
    found = _lenient(content, name, f"{name}, guessed")
    return Decoded(found.text, found.encoding, (*found.notes, *notes))


_BROKEN = "{count:,} places are no {encoding}: U+FFFD, a question mark in a diamond, stands for them"


def _as_told(content: bytes, encoding: str) -> Decoded:
    check_word("encoding", encoding, ("utf-8", "cp1252", "utf-16"))
    try:
        name = codecs.lookup(encoding).name
        b"".decode(name)
    except LookupError:
        advice = "give a name that Python knows, such as 'utf-8', 'cp1252' or 'utf-16', or none to have it found"
        raise ValueError(f"there is no encoding {encoding!r:.40}: {advice}") from None
    if name == "utf-8" and content.startswith(codecs.BOM_UTF8):
        name = "utf-8-sig"
    return _lenient(content, name, f"{name}, as told")


def _lenient(content: bytes, name: str, words: str) -> Decoded:
    text = content.decode(name, errors="replace")
    wrong = text.count("\ufffd")
    return Decoded(text, words, (_BROKEN.format(count=wrong, encoding=name),) if wrong else ())


def _wide(content: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of texts in an alphabet is the same, 0 for Latin letters."""
    sample = content[:4096]
    if len(sample) < 4 or len(content) % 2:
        return None
    even, odd = sample[::2], sample[1::2]
    if odd.count(0) > 0.4 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if even.count(0) > 0.4 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return None


def _cut(content: bytes) -> int:
    """How many bytes at the end are the beginning of a UTF-8 sign whose other bytes are missing."""
    for back in range(1, min(4, len(content)) + 1):
        byte = content[-back]
        if byte < 0x80:
            return 0
        if byte >= 0xC0:
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return back if back < length else 0
    return 0


def _guessed(content: bytes) -> tuple[str, list[str]]:
    """The encoding of bytes that are not UTF-8, and notes."""
    from charset_normalizer import from_bytes

    lines: list[bytes] = []
    size = 0
    for line in content.splitlines():
        if not line.isascii():
            lines.append(line[:_SAMPLE])
            size += len(line)
            if size > _SAMPLE:
                break
    sample = b"\n".join(lines)
    if _is_western(sample):
        return "cp1252", ["the encoding is guessed: cp1252 (Western European); pass encoding= if letters are wrong"]
    for name in ("cp932", "euc_jp"):
        text = sample.decode(name, errors="replace")
        if len(re.findall("[\u3040-\u30ff]", text)) > 0.2 * len(text):
            return name, [f"the encoding is guessed: {name} (Japanese); pass encoding= if letters are wrong"]
    found = [match.encoding for match in from_bytes(sample, cp_isolation=_USUAL)]
    if not found or found[0] in {"cp874", "big5", "gb18030", "euc_jp", "euc_kr"}:
        found = [*_chinese(sample), *found]
    if not found:
        return "cp1252", ["the encoding could not be found: cp1252 was taken; pass encoding= if letters are wrong"]
    others = f" (as possible: {listed(found[1:4])})" if found[1:] else ""
    return found[0], [f"the encoding is guessed: {found[0]}{others}; pass encoding= if letters are wrong"]


def _chinese(sample: bytes) -> list[str]:
    """Encodings in which nearly all signs are among the usual ones of Chinese; other guesses do not know which are."""
    strange = sum(byte >= 0x80 for byte in sample)
    usual = {
        "gb18030": rb"[\xb0-\xd7][\xa1-\xfe]|\xa3[\xa1-\xfe]|\xa1\xa3",
        "big5": rb"[\xa4-\xc6][\x40-\x7e\xa1-\xfe]|\xa1.",
    }
    found = []
    for name, signs in usual.items():
        seen = sum(byte >= 0x80 for sign in re.findall(signs, sample) for byte in sign)
        if "\ufffd" not in sample.decode(name, errors="replace") and seen > 0.9 * strange:
            found.append(name)
    return found


def _is_western(sample: bytes) -> bool:
    """Whether bytes are what Western European texts look like in cp1252: single letters with accents in words."""
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    strange = sum(not sign.isascii() for sign in text)
    return len(_WESTERN.findall(text)) >= 0.97 * strange and 50 * len(_ODD.findall(text)) <= strange
