"""A study: a lesson's question as plain Python. It declares its parameters, runs as steps, and answers questions.

Subclasses take data when they are made, and say with `Input` which data they can be tried on. ``steps(settings)`` gives
a stream of small records of results; questions are methods whose first argument is such a record, so that what is
answered belongs to what was drawn, and the others are fields of the view.
"""

from __future__ import annotations

import functools
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from semwork.datasets import KINDS, DataNotAvailable, available, load, own_data
from semwork.given import listed
from semwork.steps import Step
from semwork.studies.origin import Origin, calling
from semwork.studies.settings import Parameter, Settings

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Answer", "Facts", "Input", "NoAnswer", "Source", "Study", "asked"]

_QUICKLY_FITTED = 5_000  # rows: a fit to more of them takes seconds
S = TypeVar("S", bound=Settings)
R = TypeVar("R", bound=Step)


class NoAnswer(ValueError):  # noqa: N818 - it is no error of the program: the words stand in place of the picture
    """A question that has no answer yet, or not for what was asked; the words say why."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What a picture is drawn from: tables, arrays and words, under the names that the figure gives them.

    A figure takes them all at once, as in ``race_figure(**study.curves(step))``.
    """

    def keys(self) -> list[str]:
        """Return the names, as a mapping does."""
        return [one.name for one in fields(self)]

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


@dataclass(frozen=True)
class Source:
    """Data by name.

    Attributes
    ----------
    title : str
        What a list shows.
    origin : Origin
        How they are made, now and in copied code.
    needs : tuple of str
        Data sets that must be on this machine.
    packages : mapping of str to str
        Module that must be installed → semwork's extra that brings it.
    facts : mapping of str to Any, or None
        What is known before they are read; computed from the data where it is ``None``.
    warm_start : bool
        Whether a fit takes so long that it goes on from the last solution.
    own : bool
        Whether they are the reader's own: then they are private.
    """

    title: str
    origin: Origin
    needs: tuple[str, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Any] | None = None
    warm_start: bool = False
    own: bool = False

    def lacking(self) -> str:
        """Say what this machine lacks, and how to get it; nothing if all is here."""
        absent = [name for name in self.needs if not available(name)]
        extras = [extra for module, extra in self.packages.items() if find_spec(module) is None]
        said = []
        if absent:
            said.append(
                f"{listed(absent)} must be on this machine first: fetch them in lesson 00, or with "
                f"`semwork data fetch {' '.join(absent)}`"
            )
        if extras:
            said.append(f"this needs more packages: `pip install 'semwork[{','.join(extras)}]'`")
        return "; ".join(said)

    def make(self, others: Iterable[str] = ()) -> Any:
        """Read the data, or say what is missing; ``others`` are the titles of data that are always here."""
        if said := self.lacking():
            known = f"; always here: {', '.join(others)}" if others else ""
            raise DataNotAvailable(said + known)
        return self.origin.make()


@dataclass(frozen=True)
class Input:
    """An argument of a study, and what can be chosen for it by name.

    Attributes
    ----------
    symbol : str
        Its name for people.
    says : str
        One line about it.
    sources : mapping of str to Source
        Name → data that every reader can have.
    takes : mapping of type to callable
        A kind of record → how the expression of such a record becomes that of the argument. Data of the reader's own
        of these kinds can be chosen, too.
    needs : tuple of str
        Data sets without which the reader's own cannot be taken.
    packages : mapping of str to str
        The same for modules, as in `Source`.
    """

    symbol: str
    says: str
    sources: Mapping[str, Source] = field(default_factory=dict)
    takes: Mapping[type, Callable[[Origin], Origin]] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)

    def source(self, name: str) -> Source:
        """Return the data of that name, or say which there are."""
        found = self.sources.get(name) or self.own.get(name)
        if found is None:
            raise ValueError(f"there are no data {name!r}; there are {', '.join(map(repr, self.offered))}")
        return found

    @property
    def own(self) -> dict[str, Source]:
        """Data of the reader's own that this argument takes, by name; a name that is taken gets a mark."""
        if not self.takes:
            return {}
        found = {}
        for one in own_data():
            made = self.takes.get(KINDS[one.kind])
            if made is not None:
                name = f"{one.name} (own)" if one.name in self.sources else one.name
                origin = made(calling(load)(one.name))
                title, warm = f"{one.name} (your own, {one.rows:,})", one.rows > _QUICKLY_FITTED
                found[name] = Source(title, origin, self.needs, self.packages, warm_start=warm, own=True)
        return found

    @property
    def offered(self) -> dict[str, Source]:
        """All that can be chosen: what every reader can have, then the reader's own."""
        return {**self.sources, **self.own}

    @property
    def always_here(self) -> list[str]:
        """Titles of the data that need no others."""
        return [source.title for source in self.sources.values() if not (source.needs or source.packages)]


class Facts(Mapping[str, Any]):
    """What a study knows of its data, by name; what takes long is a function, called when somebody asks.

    Examples
    --------
    >>> Facts(texts=3, longest=lambda: max(2, 5))["longest"]
    5
    """

    def __init__(self, **values: Any) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Any:
        value = self._values[name]
        if callable(value):
            value = self._values[name] = value()
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class Study(ABC, Generic[S, R]):
    """Base of all studies.

    Attributes
    ----------
    settings : type of Settings
        The record that declares what is computed.
    view : type of Settings
        The record that declares what is drawn.
    inputs : mapping of str to Input
        Argument → what can be chosen for it. A study of which nothing can be chosen has none.
    warm : bool
        Whether each fit goes on from the last solution, where the study can; copied code always starts cold.
    """

    settings: ClassVar[type[Settings]] = Settings
    view: ClassVar[type[Settings]] = Settings
    inputs: ClassVar[Mapping[str, Input]] = {}
    warm: bool = False

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        declared = cls.view.parameters()
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and declared.keys() & set(_of_a_step(method)):
                setattr(cls, name, _checking(method, declared))

    @classmethod
    def goes_on(cls, _: S) -> bool:
        """Whether a fit with these settings goes on from the last one when the study is warm.

        Returns
        -------
        bool
        """
        return False

    @classmethod
    def reaction(cls, chosen: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values that follow when a reader chooses one: as a rule none.

        Parameters
        ----------
        chosen : str
            Name of an input or of a setting.
        values : mapping of str to Any
            Of all inputs and settings.

        Returns
        -------
        mapping of str to Any
            Name of a setting → its value, unless the reader says another one.
        """
        return {}

    @abstractmethod
    def steps(self, settings: S) -> Iterator[R]:
        """Run with these settings, step by step.

        Parameters
        ----------
        settings : Settings
            What is computed.

        Yields
        ------
        Step
        """

    @abstractmethod
    def table(self, step: R) -> pd.DataFrame:
        """Return the numbers of a step as a tidy table; further arguments are fields of the view.

        Parameters
        ----------
        step : Step
            One of those that `steps` gave.

        Returns
        -------
        DataFrame
        """

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the settings may ask of the data: numbers and names that bounds and choices follow."""
        return {}

    @classmethod
    def on(cls, *names: str, **more: str) -> Any:
        """Make the study on data by name: one name for each input, the first ones where fewer are given.

        Parameters
        ----------
        *names : str
            Names of data for the inputs, in their order.
        **more : str
            Name of an input → name of its data.

        Returns
        -------
        Study

        Examples
        --------
        >>> from semwork.studies import RetrievalRace
        >>> RetrievalRace.on("sample").facts["queries"]
        320
        """
        given = dict(zip(cls.inputs, names, strict=False)) | more
        chosen = {name: one.source(given.get(name, next(iter(one.sources)))) for name, one in cls.inputs.items()}
        study = cls(*(source.make(cls.inputs[name].always_here) for name, source in chosen.items()))
        study.warm = any(source.warm_start for source in chosen.values())
        return study


def asked(question: Callable[..., Any]) -> tuple[str, ...]:
    """Return the fields of the view that a question asks for.

    Parameters
    ----------
    question : callable
        A method of a study.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> asked(lambda step, query, place: None)
    ('query', 'place')
    """
    return tuple(name for name in inspect.signature(question).parameters if name not in ("self", "step"))


def _of_a_step(method: Callable[..., Any]) -> tuple[str, ...]:
    """The fields that a question asks for; nothing for a method that is no question."""
    names = tuple(inspect.signature(method).parameters)
    return asked(method) if names[:2] == ("self", "step") else ()


def _checking(question: Callable[..., Any], declared: Mapping[str, Parameter]) -> Callable[..., Any]:
    """The same question, asked only for what the view declares as possible."""
    signature = inspect.signature(question)

    @functools.wraps(question)
    def checked(*given: Any, **named: Any) -> Any:
        for name, value in signature.bind(*given, **named).arguments.items():
            if name in declared and value is not signature.parameters[name].default:
                declared[name].check(value)
        return question(*given, **named)

    return checked
