"""Declared parameters: one declaration gives the check, the record, the options and the table."""

from __future__ import annotations

import argparse
import dataclasses
import json
import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.studies import settings as declared
from semwork.studies.settings import Settings, choice, real, several, switch, text, whole


def half(facts):
    return min(20, facts["texts"] // 2)


@dataclass(frozen=True, kw_only=True)
class Fit(Settings):
    missing_weight: float = real(0.01, "w_m", "weight of absent words", 0, 1, grid=(0, 0.01, 1), paper=0.01)
    n_components: int = whole(
        20,
        "K",
        "dimensions",
        2,
        lambda facts: min(150, facts["texts"]),
        rule=lambda facts: min(20, facts["texts"] // 2),
    )
    psi: float = real(3.0, "Ψ", "100 % of the width", 0, 9, at={"sample": 1.5})
    kind: str = choice(
        "exponential", "kernel", "which one", {"exponential": "exponential", "von Neumann": "von_neumann"}
    )
    models: tuple[str, ...] = several(("LSA",), "others", "beside WTMF", ("LSA", "LDA", "n-grams"))
    word: str = text("", "word", "any", hint="the first one")
    centred: bool = switch(False, "centred", "yes or no")


def test_a_record_is_a_value():
    one, two = Fit(n_components=5), Fit(n_components=5)
    assert one == two
    assert hash(one) == hash(two)
    assert eval(repr(one)) == one
    assert pickle.loads(pickle.dumps(one)) == one
    assert Fit(**json.loads(json.dumps(dataclasses.asdict(one))) | {"models": ("LSA",)}) == one
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.n_components = 7


@given(st.floats(0, 1), st.integers(2, 10), st.sets(st.sampled_from(["LSA", "LDA", "n-grams"])))
def test_what_is_allowed_passes_and_comes_back_from_the_command_line(weight, size, models):
    record = Fit(missing_weight=weight, n_components=size, models=tuple(sorted(models)))
    assert record.checked({"texts": 10}) is record
    parser = argparse.ArgumentParser()
    declared.add_arguments(parser, Fit)
    words = ["--missing-weight", repr(weight), "--n-components", str(size), "--models", *record.models]
    assert Fit(**vars(parser.parse_args(words))) == record


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"missing_weight": 1.5}, ValueError, "missing_weight is 1.5; here it can be 0 to 1"),
        ({"missing_weight": float("nan")}, TypeError, "missing_weight must be a number, got nan"),
        ({"missing_weight": True}, TypeError, "missing_weight must be a number, got True"),
        ({"n_components": 50}, ValueError, "n_components is 50; here it can be 2 to 10"),
        ({"n_components": 2.5}, TypeError, "n_components must be a whole number, got 2.5"),
        ({"kind": "cosine"}, ValueError, "kind has 'cosine'.*choose from 'exponential', 'von_neumann'"),
        ({"models": ("BERT",)}, ValueError, "models has 'BERT'.*choose from 'LSA', 'LDA', 'n-grams'"),
        ({"models": "LSA"}, TypeError, r"give several in a list, or one: \['LSA'\]"),
        ({"word": 3}, TypeError, "word must be a text, got 3"),
        ({"centred": "yes"}, TypeError, "centred must be True or False, got 'yes'"),
    ],
)
def test_what_is_not_allowed_is_refused_in_words(changes, error, words):
    with pytest.raises(error, match=words):
        Fit(**{"n_components": 5, **changes}).checked({"texts": 10})


def test_what_json_keeps_is_read_again_and_what_does_not_belong_is_named():
    one = Fit(models=["LDA", "LSA"], n_components=7)
    assert hash(one) == hash(Fit(models=("LDA", "LSA"), n_components=7)), "a list is a tuple by now"
    assert Fit.from_dict(json.loads(json.dumps(one.to_dict()))) == one
    assert Fit.from_dict({}) == Fit()
    with pytest.raises(ValueError, match=r"Fit has no 'n_componentz'; it has missing_weight, n_components"):
        Fit.from_dict({"n_componentz": 3})
    with pytest.raises(ValueError, match="missing_weight is 3; here it can be 0 to 1"):
        Fit.from_dict({"missing_weight": 3})


def test_numbers_of_numpy_are_numbers():
    assert Fit(n_components=np.int64(5), missing_weight=np.float32(0.5)).checked({"texts": 10})
    with pytest.raises(TypeError, match="whole number"):
        Fit(n_components=np.float64(5.5)).checked({"texts": 10})


def test_a_slider_in_equal_ratios_has_stops_without_a_grid():
    @dataclass(frozen=True, kw_only=True)
    class Costs(Settings):
        cost: float = real(1.0, "C", "", 0.03, 30, log=True)
        size: int = whole(10, "n", "", 1, 100, log=True)
        share: float = real(0.5, "s", "", 0, 1)

    stops = {name: one.stops for name, one in Costs.parameters().items()}
    assert stops["cost"] == (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
    assert stops["size"] == (1, 2, 5, 10, 20, 50, 100)
    assert stops["share"] == ()
    assert ", in equal ratios" in declared.described(Costs)


@given(st.floats(-5, 5), st.integers(-5, 5))
def test_the_nearest_value_is_allowed_and_an_allowed_one_stays(weight, end):
    one = dataclasses.replace(Fit.parameters()["missing_weight"], high=end)
    found = one.nearest(weight)
    assert found == max(0, min(weight, end))
    assert one.nearest(found) == found
    assert Fit.parameters()["n_components"].nearest(10_000) == 10_000, "its end is not known yet"
    assert Fit.parameters()["kind"].nearest("cosine") == "cosine"


def test_good_values_follow_the_data():
    assert Fit.good_for("sample", known={"texts": 10}) == Fit(n_components=5, psi=1.5)
    assert Fit.good_for("other") == Fit()
    now = Fit.parameters()["n_components"]
    assert (now.given({"texts": 10}).high, now.given({"texts": 1000}).high) == (10, 150)
    assert callable(now.given(None).high), "nothing is known yet"


def test_a_field_that_is_not_declared_is_refused():
    @dataclass(frozen=True, kw_only=True)
    class Wrong(Settings):
        size: int = 3

    with pytest.raises(TypeError, match=r"Wrong\.size is not declared"):
        Wrong.parameters()


def test_the_docs_say_what_is_declared():
    lines = declared.described(Fit).splitlines()
    assert len(lines) == 2 + len(Fit.parameters())
    assert "| `missing_weight` | w_m | 0 to 1 | 0.01 | 0.01 | weight of absent words |" in lines
    assert "| `n_components` | K | 2 to what the data allow | 20, or what suits the data | – | dimensions |" in lines
    assert "| `psi` | Ψ | 0 to 9 | 3.0; sample: 1.5 | – | 100 % of the width |" in lines
    kinds = "`exponential`, `von_neumann` (von Neumann)"
    assert f"| `kind` | kernel | {kinds} | 'exponential' | – | which one |" in lines


def test_the_help_of_the_command_line_has_every_parameter():
    parser = argparse.ArgumentParser()
    declared.add_arguments(parser, Fit)
    shown = parser.format_help()
    assert all(f"--{name.replace('_', '-')}" in shown for name in Fit.parameters())
    said = " ".join(shown.split())
    assert "100 % of the width (default: 3.0; values: 0 to 9)" in said
    assert "kernel: which one (default: exponential; values: exponential, von_neumann (von Neumann))" in said
    assert "others: beside WTMF (default: LSA; values: LSA, LDA, n-grams)" in said
    assert "word: any (default: '')" in said


def test_what_is_chosen_can_be_named_by_its_value_or_by_its_label():
    parser = argparse.ArgumentParser()
    declared.add_arguments(parser, Fit)
    for word in ("von_neumann", "von Neumann"):
        assert parser.parse_args(["--kind", word]).kind == "von_neumann"
    with pytest.raises(ValueError, match="kind has 'cosine'"):
        Fit(**vars(parser.parse_args(["--kind", "cosine"]))).checked()


def test_some_of_the_parameters_can_be_options():
    parser = argparse.ArgumentParser()
    declared.add_arguments(parser, Fit, ("kind", "word"))
    assert vars(parser.parse_args([])) == {"kind": "exponential", "word": ""}
