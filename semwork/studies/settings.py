"""Parameters, each declared once: what a control, a check, copied code, a state and a command line are made from.

A study declares two frozen records. Its *settings* say what is computed: they are the key of caches and sweeps. Its
*view* says what is drawn of a step. A field of either is made by one of the functions below, which say its symbol, what
it does, and which values there are. Bounds and choices may follow what is known of the data (settings) or the step that
is drawn (views).

>>> @dataclass(frozen=True, kw_only=True)
... class Fit(Settings):
...     missing_weight: float = real(0.01, "w_m", "The weight of missing words.", 0, 1, paper=0.01)
...     n_components: int = whole(20, "K", "The length of a vector.", 2, lambda facts: facts["texts"])
>>> Fit(n_components=5)
Fit(missing_weight=0.01, n_components=5)
>>> Fit(n_components=50).checked({"texts": 10})
Traceback (most recent call last):
ValueError: n_components is 50; here it can be 2 to 10
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import shlex
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from numbers import Real
from typing import Any, Literal, Self, TypeVar, cast

from semwork.given import listed, said

__all__ = [
    "Parameter",
    "Settings",
    "add_arguments",
    "choice",
    "described",
    "real",
    "seed",
    "several",
    "switch",
    "text",
    "whole",
]

T = TypeVar("T")

#: Of what is known of the data (settings) or of the step that is drawn (views).
Rule = Callable[[Any], Any]
Kind = Literal["real", "whole", "choice", "several", "text", "switch"]


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """What is said of one field.

    Attributes
    ----------
    name : str
        The field's name.
    kind : {"real", "whole", "choice", "several", "text", "switch"}
        What kind of value it takes.
    default : Any
        The value it has unless something else is said.
    symbol : str
        Its name for people.
    says : str
        One line on what it does.
    low, high : int, float, callable or None
        Its bounds, of numbers; a rule gives them where they follow the data or the step.
    grid : tuple of int or float
        The values at which a slider stops; any other value between the bounds can be typed.
    log : bool
        Whether equal steps multiply the value; without a grid, a slider then stops at 1, 2, 5, 10 and so on.
    options : iterable, mapping of str to Any, or callable
        What can be chosen: values, or a mapping from the words for people to values.
    paper : Any
        The paper's value.
    at : mapping of str to Any
        Name of a data set → the value that is good there.
    rule : callable or None
        Gives a good value from what is known of the data.
    own : callable or None
        The same for data of the reader's own, of which nothing was known when the lessons were written.
    within : callable or None
        Gives the highest value that the data allow, where that is below ``high``.
    resets : bool
        Whether it goes back to its default when other data are chosen; what has ``at`` or a rule does so anyway.
    keeps : bool
        Whether a value that the reader chose stays all the same.
    follows : bool
        Whether a slider grows with a run and stays at its end.
    shown : {"", "buttons", "list", "slider", "lines", "box"}
        How a control shows it where that does not follow from the kind: ``"buttons"``, ``"list"``, ``"slider"`` (of
        choices in an order), ``"lines"`` (of text) or ``"box"``.
    at_once : bool or None
        Whether a control acts at each key and each place of a drag, or when the reader lets go; by default texts wait
        and sliders do not.
    private : bool
        Whether it may hold texts of the data: states and copied code leave it out where these are the reader's own.
    hint : str
        What an empty text field shows.
    needs : mapping of Any to tuple of str
        Choice → data sets that must be on this machine for it.
    """

    name: str = ""
    kind: Kind
    default: Any = None
    symbol: str
    says: str = ""
    low: Any = None
    high: Any = None
    grid: tuple[Any, ...] = ()
    log: bool = False
    options: Any = ()
    paper: Any = None
    at: Mapping[str, Any] = field(default_factory=dict)
    rule: Rule | None = None
    own: Rule | None = None
    within: Rule | None = None
    resets: bool = False
    keeps: bool = False
    follows: bool = False
    shown: str = ""
    at_once: bool | None = None
    private: bool = False
    hint: str = ""
    needs: Mapping[Any, tuple[str, ...]] = field(default_factory=dict)

    def given(self, known: Any) -> Self:
        """Return the parameter with bounds and choices as they are for these data, or this step."""
        rules = {
            name: value(known)
            for name in ("low", "high", "options")
            if callable(value := getattr(self, name)) and known is not None
        }
        if self.within is not None and known is not None:
            rules["high"] = max(self.low, min(rules.get("high", self.high), self.within(known)))
        return dataclasses.replace(self, **rules) if rules else self

    @property
    def follows_a_rule(self) -> bool:
        """Whether bounds or choices follow the data, or the step."""
        return any(map(callable, (self.low, self.high, self.options)))

    def read(self, value: Any) -> Any:
        """Return a value as the settings have it, from JSON, TOML or a command line, where there are no tuples."""
        return tuple(value) if self.kind == "several" and isinstance(value, list | tuple | set | frozenset) else value

    def default_for(self, names: Iterable[str], known: Any, *, own: bool = False) -> Any:
        """Return the value that is good for data of these names, of which this much is known.

        Parameters
        ----------
        names : iterable of str
            Of the data.
        known : mapping or None
            The facts of the study.
        own : bool
            Whether some of the data are the reader's own.
        """
        if own and self.own is not None and known is not None:
            return self.own(known)
        for name in names:
            if name in self.at:
                return self.at[name]
        return self.rule(known) if self.rule and known is not None else self.default

    @property
    def stops(self) -> tuple[Any, ...]:
        """The values at which a slider stops; none where it goes through all of them."""
        if self.grid or not self.log:
            return self.grid
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        values = [float(f"{digit}e{decade}") for decade in decades for digit in (1, 2, 5)]
        number = int if self.kind == "whole" else float
        return tuple(number(value) for value in values if self.low <= value <= self.high)

    @property
    def choices(self) -> dict[str, Any]:
        """Words for people → value, of what can be chosen."""
        if isinstance(self.options, Mapping):
            return dict(self.options)
        return {str(option): option for option in (() if callable(self.options) else self.options)}

    def nearest(self, value: Any) -> Any:
        """Return the allowed number that is nearest to a number; any other value as it is."""
        if self.kind not in ("real", "whole"):
            return value
        if self.high is not None and not callable(self.high):
            value = min(value, self.high)
        return value if self.low is None or callable(self.low) else max(value, self.low)

    def check(self, value: Any) -> None:
        """Refuse a value that is not allowed; bounds that are still rules are passed over."""
        if self.kind in ("real", "whole"):
            self._check_number(value)
        elif self.kind in ("choice", "several"):
            chosen = value if self.kind == "several" else (value,)
            if self.kind == "several" and (isinstance(value, str) or not isinstance(value, Iterable)):
                raise TypeError(f"{self.name} is {said(value)}; give several in a list, or one: [{value!r}]")
            allowed = list(self.choices.values())
            wrong = [one for one in chosen if one not in allowed] if not callable(self.options) else []
            if wrong:
                raise ValueError(f"{self.name} has {said(wrong[0])}; choose from {', '.join(map(repr, allowed))}")
        elif self.kind == "text" and not isinstance(value, str):
            raise TypeError(f"{self.name} must be a text, got {said(value)}")
        elif self.kind == "switch" and not isinstance(value, bool):
            raise TypeError(f"{self.name} must be True or False, got {said(value)}")

    def _check_number(self, value: Any) -> None:
        number = type(value) is not bool and isinstance(value, Real) and not math.isnan(value)
        if not number or (self.kind == "whole" and value != int(value)):
            wanted = "a whole number" if self.kind == "whole" else "a number"
            raise TypeError(f"{self.name} must be {wanted}, got {said(value)}")
        low = -math.inf if self.low is None or callable(self.low) else self.low
        high = math.inf if self.high is None or callable(self.high) else self.high
        if not low <= value <= high:
            raise ValueError(f"{self.name} is {value!r}; here it can be {low:g} to {high:g}")


def _field(default: Any, kind: Kind, symbol: str, says: str, **more: Any) -> Any:
    about = Parameter(kind=kind, default=default, symbol=symbol, says=says, **more)
    return field(default=default, metadata={"parameter": about})


def real(default: float, symbol: str, says: str, low: float | Rule, high: float | Rule, **more: Any) -> float:
    """Declare a real number between two bounds; ``more`` as in `Parameter`."""
    return cast(float, _field(default, "real", symbol, says, low=low, high=high, **more))


def whole(default: int, symbol: str, says: str, low: int | Rule, high: int | Rule, **more: Any) -> int:
    """Declare a whole number between two bounds; ``more`` as in `Parameter`."""
    return cast(int, _field(default, "whole", symbol, says, low=low, high=high, **more))


def choice(default: T, symbol: str, says: str, options: Iterable[T] | Mapping[str, T] | Rule, **more: Any) -> T:
    """Declare one of several values; ``more`` as in `Parameter`."""
    return cast(T, _field(default, "choice", symbol, says, options=options, **more))


def several(
    default: tuple[T, ...], symbol: str, says: str, options: Iterable[T] | Mapping[str, T] | Rule, **more: Any
) -> tuple[T, ...]:
    """Declare any number of several values; ``more`` as in `Parameter`."""
    return cast(tuple[T, ...], _field(default, "several", symbol, says, options=options, **more))


def text(default: str, symbol: str, says: str, **more: Any) -> str:
    """Declare a text; ``options`` among ``more`` are what a reader may pick instead of typing."""
    return cast(str, _field(default, "text", symbol, says, **more))


def switch(default: bool, symbol: str, says: str, **more: Any) -> bool:
    """Declare a yes or no; ``more`` as in `Parameter`."""
    return cast(bool, _field(default, "switch", symbol, says, **more))


def seed(says: str, symbol: str = "seed") -> int:
    """Declare the seed of what is drawn at random: typed, since no value is more or less than another."""
    return whole(0, symbol, says, 0, 9999, shown="box")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A frozen record whose fields are declared; see the module."""

    def __post_init__(self) -> None:
        for name, one in self.parameters().items():
            object.__setattr__(self, name, one.read(getattr(self, name)))

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """Name → what is declared."""
        return dict(_parameters(cls))  # type: ignore[arg-type] # a class can be hashed

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        """Return the settings that a mapping has, with defaults for the others; say what does not belong to them.

        Examples
        --------
        >>> import json
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Race(Settings):
        ...     models: tuple[str, ...] = several(("LSA",), "models", "beside WTMF", ("LSA", "LDA"))
        >>> Race.from_dict(json.loads(json.dumps(Race(models=("LDA", "LSA")).to_dict())))
        Race(models=('LDA', 'LSA'))
        """
        known = cls.parameters()
        unknown = [name for name in given if name not in known]
        if unknown:
            raise ValueError(f"{cls.__name__} has no {', '.join(map(repr, unknown))}; it has {', '.join(known)}")
        return cls(**given).checked()

    def to_dict(self) -> dict[str, Any]:
        """Return name → value, as JSON and TOML can keep them."""
        values = {name: getattr(self, name) for name in self.parameters()}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def good_for(cls, *names: str, known: Any = None, own: bool = False) -> Self:
        """Return the settings that are good for data of these names, as `Parameter.default_for` says."""
        good = {name: one.default_for(names, known, own=own) for name, one in cls.parameters().items()}
        return cls(**{name: cls.parameters()[name].given(known).nearest(value) for name, value in good.items()})

    def checked(self, known: Any = None) -> Self:
        """Return the settings if all of them are allowed; say which one is not."""
        for name, one in self.parameters().items():
            one.given(known).check(getattr(self, name))
        return self


@cache
def _parameters(cls: type[Settings]) -> dict[str, Parameter]:
    found = {}
    for one in dataclasses.fields(cls):
        if "parameter" not in one.metadata:
            raise TypeError(f"{cls.__name__}.{one.name} is not declared: make it with real, whole, choice or the like")
        found[one.name] = dataclasses.replace(one.metadata["parameter"], name=one.name)
    return found


def add_arguments(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup,
    settings: type[Settings],
    names: Container[str] | None = None,
) -> None:
    """Let a command line take the settings as options; what is chosen can be named by its value or its label.

    Parameters
    ----------
    parser : argparse.ArgumentParser or a group of one
        Gets the options.
    settings : type of Settings
        What they are made from.
    names : container of str or None
        Which of the settings; ``None`` for all of them.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Size(Settings):
    ...     n_components: int = whole(20, "K", "The length of a vector.", 2, 100)
    >>> add_arguments(parser, Size)
    >>> Size(**vars(parser.parse_args(["--n-components", "7"])))
    Size(n_components=7)
    """
    reads: dict[str, Callable[[str], Any]] = {"real": float, "whole": int}
    for name, one in settings.parameters().items():
        if names is not None and name not in names:
            continue
        option, words = "--" + name.replace("_", "-"), _help(one).replace("%", "%%")
        if one.kind == "switch":
            parser.add_argument(option, action=argparse.BooleanOptionalAction, default=one.default, help=words)
            continue
        by_word = one.choices | {str(value): value for value in one.choices.values()}
        read = reads.get(one.kind, lambda given, known=by_word: known.get(given, given))
        if one.kind == "several":
            parser.add_argument(option, nargs="*", type=read, action=_Tuple, default=one.default, help=words)
        else:
            parser.add_argument(option, type=read, default=one.default, help=words)


def _help(one: Parameter) -> str:
    values = {"text": "", "switch": ""}.get(one.kind, f"; values: {_values(one)}")
    default = " ".join(map(_typed, one.default if one.kind == "several" else (one.default,)))
    return f"{one.symbol}: {one.says} (default: {default}{values})"


def _typed(value: Any) -> str:
    """A value as it is typed behind an option."""
    return shlex.quote(str(value))


class _Tuple(argparse.Action):
    """Keep several values as a tuple, as the settings have them."""

    def __call__(self, _: Any, space: Any, values: Any, __: Any = None) -> None:
        setattr(space, self.dest, tuple(values))


def described(settings: type[Settings]) -> str:
    """Return the declared parameters as a Markdown table."""
    lines = ["| parameter | symbol | values | default | the paper | what it does |", "|---|---|---|---|---|---|"]
    for name, one in settings.parameters().items():
        paper = "–" if one.paper is None else f"{one.paper}"
        lines.append(f"| `{name}` | {one.symbol} | {_values(one, '`')} | {_defaults(one)} | {paper} | {one.says} |")
    return "\n".join(lines)


def _values(one: Parameter, mark: str = "") -> str:
    """Which values can be passed; those that are chosen with their labels, and a mark on both sides."""
    if one.kind in ("real", "whole"):
        return f"{_end(one.low)} to {_end(one.high)}" + (", in equal ratios" if one.log else "")
    if one.kind in ("choice", "several"):
        if callable(one.options):
            return "what the data have"
        found = []
        for label, value in one.choices.items():
            notes = [] if label == str(value) else [label]
            notes += [f"needs {listed(data)}"] if (data := one.needs.get(value)) else []
            found.append(f"{mark}{_typed(value)}{mark}" + (f" ({'; '.join(notes)})" if notes else ""))
        return ", ".join(found)
    return {"text": "a text", "switch": "yes or no"}[one.kind]


def _end(bound: Any) -> str:
    """A bound as it can be typed: no option takes ``1e+08`` for a whole number."""
    return "what the data allow" if callable(bound) else str(bound) if isinstance(bound, int) else f"{bound:g}"


def _defaults(one: Parameter) -> str:
    general = f"{one.default!r}, or what suits the data" if one.rule else repr(one.default)
    return "; ".join([general, *(f"{name}: {value!r}" for name, value in one.at.items())])
