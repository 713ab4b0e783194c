"""Which column is for what: by the names of the columns, then by what stands in them; doubt is said, never hidden."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from semwork.datasets.own.cells import numbers_of, texts_of
from semwork.datasets.own.hints import tier
from semwork.datasets.own.kinds import KINDS, ROLES, names_of_roles, split_named
from semwork.datasets.own.profiles import Profile, profiled
from semwork.datasets.own.raw import Raw
from semwork.given import is_whole, listed, said

__all__ = ["Guess", "guessed"]


@dataclass
class Guess:
    """Columns for roles.

    Parameters
    ----------
    kind : str or None
        The kind of the data, if it can be told.
    columns : dict of str to str
        Role → column.
    notes : list of str
        How they were found.
    undecided : str
        What must be said before a record can be made; empty if nothing.
    """

    kind: str | None = None
    columns: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    undecided: str = ""


def guessed(raw: Raw, kind: str | None = None, columns: Mapping[str, Any] | None = None) -> Guess:
    """Find the kind of a table and the columns of its roles.

    Parameters
    ----------
    raw : Raw
        The table.
    kind : str or None
        The kind, if it is known.
    columns : mapping of str to str or int, or None
        Role → name or number of its column, as far as they are known; ``None`` for a role that has none.

    Returns
    -------
    Guess
    """
    told = _told(raw, kind, columns or {})
    profiles = profiled(raw)
    if kind is None:
        kind, notes, undecided = _kind(profiles, told, raw)
        if kind is None:
            return Guess(None, {r: c for r, c in told.items() if c is not None}, notes, undecided)
    else:
        notes = []
    found = _roles(raw, kind, told, profiles)
    found.notes = [*notes, *found.notes]
    return found


def _told(raw: Raw, kind: str | None, columns: Mapping[str, Any]) -> dict[str, str | None]:
    """The caller's columns by name, or what is wrong with them."""
    if not isinstance(columns, Mapping):
        raise TypeError(f"columns must say role → column, such as {{'text': 'review'}}, got {said(columns)}")
    roles = ROLES[kind] if kind else {role: what for each in ROLES.values() for role, what in each.items()}
    names = list(raw.columns)
    told: dict[str, str | None] = {}
    for role, column in columns.items():
        if role not in roles:
            words = f"{kind} have {names_of_roles(kind)}" if kind else f"there are {', '.join(roles)}"
            raise ValueError(f"columns names the role {role!r:.60}, which there is not: {words}")
        if column is None:
            told[role] = None
            continue
        if is_whole(column) and str(column) not in names and 0 <= column < len(names):
            told[role] = names[column]
            continue
        if str(column) not in names:
            near = difflib.get_close_matches(str(column), names, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ValueError(
                f"there is no column {column!r:.60} for the role {role!r}; there are {_some(names)}.{hint}"
            )
        told[role] = str(column)
    given = [column for column in told.values() if column is not None]
    if len(set(given)) < len(given):
        raise ValueError("columns gives one column to two roles: each role needs a column of its own")
    return told


def _some(names: list[str]) -> str:
    shown = ", ".join(repr(name[:60]) for name in names[:12])
    return f"{shown} and {len(names) - 12} more" if len(names) > 12 else shown


# --- the kind --------------------------------------------------------------------------------------------------------

_ORDER = ("names", "pairs", "definitions", "documents", "texts")  # which kind is tried first


def _kind(profiles: list[Profile], told: Mapping[str, str | None], raw: Raw) -> tuple[str | None, list[str], str]:
    """The kind, notes, and what cannot be decided."""
    given = {role for role, column in told.items() if column is not None}
    fitting = [kind for kind in (*_ORDER, "vectors") if set(told) <= ROLES[kind].keys()]
    if not fitting:
        return None, [], f"no kind of data has the roles {listed(sorted(told))}: pass kind= as well"
    for kind in fitting:
        needed = [role for role, what in ROLES[kind].items() if what.required]
        if given and all(role in given for role in needed) and given != {"text"}:
            return kind, [f"the kind follows from the columns that were named: {kind}"], ""
    if raw.vectors is not None and not given:
        return "vectors", [], ""
    if len(profiles) > 5 and sum(one.sort == "numbers" for one in profiles) > 0.9 * (len(profiles) - 1):
        return "vectors", ["the kind is guessed: vectors, because nearly all columns are numbers"], ""
    for kind in (one for one in fitting if one in _ORDER):
        places = _by_name(kind, told, profiles)
        if places is not None and all(place <= 1 for place in places.values()):
            word = "columns" if len(places) > 1 else "column"
            notes = [f"the kind is guessed from the {word} {listed([repr(name[:40]) for name in places])}: {kind}"]
            labels = [one.name for one in profiles if one.sort == "labels" and one.name not in places]
            if kind == "texts" and labels and "documents" in fitting:
                notes = [f"{notes[0]}; documents would fit as well, with the labels in {_some(labels)}"]
            return kind, notes, ""
    return _kind_by_content(profiles, fitting, raw)


def _by_name(kind: str, told: Mapping[str, str | None], profiles: list[Profile]) -> dict[str, int] | None:
    """For each required role the surest column and how sure it is; ``None`` where one has no column."""
    found: dict[str, int] = {}
    for role, what in ROLES[kind].items():
        if not what.required:
            continue
        column = told.get(role)
        if column is not None:
            found[column] = 0
            continue
        tiers = [(place, one.name) for one in profiles if (place := tier(kind, role, one.plain)) is not None]
        tiers = [(place, name) for place, name in tiers if name not in found]
        if not tiers:
            return None
        place, name = min(tiers, key=lambda one: one[0])
        found[name] = place
    return found


def _kind_by_content(profiles: list[Profile], fitting: list[str], raw: Raw) -> tuple[str | None, list[str], str]:
    texts = [one for one in profiles if one.sort == "texts" and not _is_id(one, profiles)]
    labels = [one for one in profiles if one.sort == "labels"]
    if all(one.sort == "empty" for one in profiles):
        if len(profiles) == 1 and "texts" in fitting:
            return "texts", [], ""
        return None, [], "no column has anything in it"
    if not texts and len(labels) == 1:
        texts, labels = labels, []
    if len(texts) == 1 and not labels and "texts" in fitting:
        return "texts", ["the kind is guessed from one column of texts: texts"], ""
    if len(texts) == 1 and labels and "documents" in fitting:
        names = listed([repr(one.name[:40]) for one in labels[:3]])
        note = (
            f"the kind is guessed from a column of texts and few values in {names}: documents; texts would fit as well"
        )
        return "documents", [note], ""
    if len(texts) == 2 and not labels:
        short = all(one.words <= 3 and one.length <= 40 for one in texts)
        if (
            short
            and "names" in fitting
            and _in_one_script(raw.columns[texts[0].name], "LATIN")
            != _in_one_script(raw.columns[texts[1].name], "LATIN")
        ):
            return "names", ["the kind is guessed from two columns of short texts in two scripts: names"], ""
        if "pairs" in fitting:
            note = "the kind is guessed from two columns of texts: pairs; definitions and names would fit as well"
            return "pairs", [note], ""
    found = f"the columns {_some([one.name for one in texts])} have texts" if texts else "no column has texts"
    return (
        None,
        [],
        f"the kind of the data cannot be told: {found}; pass kind= ({', '.join(KINDS)}) and columns=",
    )


def _in_one_script(cells: Any, script: str) -> bool:
    import unicodedata

    letters = [sign for cell in cells[:200] for sign in str(cell) if sign.isalpha()]
    return sum(unicodedata.name(sign, "").startswith(script) for sign in letters) > 0.5 * max(len(letters), 1)


def _is_id(one: Profile, profiles: list[Profile]) -> bool:
    """Whether a column has names of rows: by its name, or as one word that is always another."""
    if tier("texts", "id", one.plain) is not None:
        return True
    longest = max(other.length for other in profiles)
    return one.words <= 1.01 and one.length * 3 < longest


# --- the columns -----------------------------------------------------------------------------------------------------


def _roles(raw: Raw, kind: str, told: Mapping[str, str | None], profiles: list[Profile]) -> Guess:
    """A column for each role of a kind."""
    found = Guess(kind, {role: column for role, column in told.items() if column is not None})
    for sure in (True, False):
        for role, what in ROLES[kind].items():
            if role in told or role in found.columns:
                continue
            free = [one for one in profiles if one.name not in found.columns.values()]
            if sure:
                _choose_by_name(raw, kind, role, free, found, required=what.required)
            elif what.required and not found.undecided:
                _choose_by_content(kind, role, free, found, rows=len(raw))
    if kind == "pairs" and "score" not in found.columns and "score" not in told:
        _say_scores(profiles, found)
    found.columns = {role: found.columns[role] for role in ROLES[kind] if role in found.columns}
    missing = [role for role, what in ROLES[kind].items() if what.required and role not in found.columns]
    if kind == "vectors" and missing == ["word"] and all(isinstance(row, str) for row in raw.rows[:100]) and len(raw):
        found.notes.append("the words are the index of the table")
        found.undecided, missing = "", []
    if missing and not found.undecided:
        found.undecided = (
            f"no column was found for {listed(missing)} of {kind}; the columns are {_some(list(raw.columns))}. Pass "
            f"columns={{{missing[0]!r}: …}}"
        )
    return found


def _choose_by_name(raw: Raw, kind: str, role: str, free: list[Profile], found: Guess, *, required: bool) -> None:
    """Take the column whose name says the role best; of several, the one with much longer texts."""
    tiers = [(place, one) for one in free if (place := tier(kind, role, one.plain)) is not None]
    fit = [(place, one) for place, one in tiers if _suits(raw, kind, role, one, place)]
    for place, one in tiers:
        if place == 0 and (place, one) not in fit:
            found.notes.append(f"the column {one.name!r:.60} is not taken for {role}: {_NOT[role]}")
    tiers = fit
    if not tiers:
        return
    best = min(place for place, _ in tiers)
    if best == 2 and not required and role != "score":
        return  # a column "type" need not be a label
    equal = [one for place, one in tiers if place == best]
    if len(equal) == 1:
        found.columns[role] = equal[0].name
        found.notes.append(f"{role} is the column {equal[0].name!r:.60}, by its name")
        return
    if not required:
        names = listed([repr(one.name[:40]) for one in equal])
        found.notes.append(f"no column was taken for {role}: {names} are as likely; pass columns={{{role!r}: …}}")
        return
    _choose_longest(role, equal, found, "by its name and its longer texts")


_NOT = {
    "score": "half of its cells are no numbers",
    "split": "not all of its cells are train, val, dev or test",
}


def _choose_longest(role: str, equal: list[Profile], found: Guess, why: str) -> None:
    ordered = sorted(equal, key=lambda one: one.length, reverse=True)
    first, *others = ordered
    if not others or first.length >= 2 * others[0].length:
        found.columns[role] = first.name
        found.notes.append(f"{role} is the column {first.name!r:.60}, {why if others else 'the only one that fits'}")
        return
    names = _some([one.name for one in ordered])
    found.undecided = found.undecided or (
        f"the column for {role} cannot be told: {names} are as likely; pass columns={{{role!r}: {first.name[:60]!r}}} "
        "or another"
    )


def _suits(raw: Raw, kind: str, role: str, one: Profile, place: int) -> bool:
    """Whether what stands in a column can have this role."""
    column = raw.columns[one.name]
    step = max(1, len(column) // 500)
    some = list(column[::step])
    if role == "score":
        wrong = len(numbers_of(some).wrong)
        return (2 if place < 2 else 10) * wrong <= len(some)
    if role == "split":
        texts = {text.strip() for text in texts_of(some).texts} - {""}
        return bool(texts) and all(map(split_named, texts))
    if role == "label" and kind == "documents":
        return place == 0 or one.distinct <= max(50, len(some) / 2)
    if role in {"text", "left", "right", "query", "candidate", "word"}:
        return one.sort != "numbers" or place == 0
    return True


def _choose_by_content(kind: str, role: str, free: list[Profile], found: Guess, *, rows: int) -> None:
    """Take the column whose cells fit the role."""
    if role == "label":
        fit = [one for one in free if one.sort == "labels"]
        fit = fit or [one for one in free if one.sort == "numbers" and 1 < one.distinct <= min(20, rows / 2)]
        fit = fit or (free if len(free) == 1 else [])
        if len(fit) > 1:
            names = _some([one.name for one in fit])
            found.undecided = (
                f"the column for label cannot be told: {names} have few values; pass columns={{'label': …}}"
            )
        elif fit:
            found.columns[role] = fit[0].name
            found.notes.append(
                f"label is the column {fit[0].name!r:.60}, because it has {fit[0].distinct} different values"
            )
        return
    needed = [one for one, what in ROLES[kind].items() if what.required and one not in found.columns]
    if kind == "documents":
        needed = ["text"]
    texts = [one for one in free if one.sort == "texts"]
    others = [one for one in free if one.sort in {"texts", "labels"}]
    readable = [[one for one in texts if not _is_id(one, free)], texts, others, free]
    fit = next((columns for columns in readable if len(columns) >= len(needed)), [])
    if kind in {"texts", "documents"}:
        if fit:
            _choose_longest(role, fit, found, "because it has the longest texts")
        return
    if kind == "vectors":
        if len(fit) == 1:
            found.columns[role] = fit[0].name
            found.notes.append(f"word is the column {fit[0].name!r:.60}, the only one without numbers")
        return
    if len(fit) == len(needed):
        for each, one in zip(needed, fit, strict=True):
            found.columns[each] = one.name
            found.notes.append(f"{each} is the column {one.name!r:.60}, by its place among the columns of texts")
    elif len(fit) > len(needed):
        names = _some([one.name for one in fit])
        found.undecided = f"the columns for {listed(needed)} cannot be told: {names} have texts; pass columns="


def _say_scores(profiles: list[Profile], found: Guess) -> None:
    """Take the only column of numbers as the scores, or name those that could be."""
    numbers = [
        one
        for one in profiles
        if one.sort == "numbers" and one.name not in found.columns.values() and tier("texts", "id", one.plain) is None
    ]
    if len(numbers) == 1:
        found.columns["score"] = numbers[0].name
        found.notes.append(f"score is the column {numbers[0].name!r:.60}, the only one with numbers")
    elif numbers:
        names = _some([one.name for one in numbers])
        found.notes.append(f"no column was taken for score: {names} have numbers; pass columns={{'score': …}}")
