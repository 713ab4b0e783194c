"""A live figure without a browser: traits, messages, bytes."""

from __future__ import annotations

import base64
import gzip
import json
import time

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from plotly.offline import get_plotlyjs

from semwork_widgets import LiveFigure
from semwork_widgets.encoding import Array, change, figure_state, packed
from semwork_widgets.live_figure import Point, _plotly_sender


@pytest.fixture
def live():
    return LiveFigure(go.Figure(go.Scatter(x=np.arange(3.0), y=np.arange(3.0)), layout={"title": {"text": "t"}}))


@pytest.fixture
def sent(live, monkeypatch):
    messages = []
    monkeypatch.setattr(live, "send", lambda content, buffers=None: messages.append((content, buffers or [])))
    return messages


def unpacked(value, buffers):
    """What the JavaScript does: fill the holes."""
    if isinstance(value, dict):
        if "at" in value and "dtype" in value:
            return np.frombuffer(buffers[value["at"]], dtype=value["dtype"]).reshape(value["shape"])
        return {key: unpacked(item, buffers) for key, item in value.items()}
    return [unpacked(item, buffers) for item in value] if isinstance(value, list) else value


def test_only_what_changed_travels_in_one_message(live, sent):
    live.update(go.Figure(go.Scatter(x=np.arange(3.0), y=np.array([5.0, 6, 7])), layout={"title": {"text": "t"}}))
    [(message, buffers)] = sent
    assert message["kind"] == "patch"
    assert message["revision"] == 1
    [trace] = message["data"]
    assert set(trace["set"]) == {"y"}
    assert message["layout"] == {"set": {}, "drop": []}
    assert unpacked(trace["set"], buffers)["y"].tolist() == [5, 6, 7]


def test_an_equal_figure_sends_nothing(live, sent):
    live.update(go.Figure(go.Scatter(x=np.arange(3.0), y=np.arange(3.0)), layout={"title": {"text": "t"}}))
    assert sent == []
    assert live.revision == 0


def test_a_figure_that_the_reader_has_changed_can_be_drawn_as_it_was(live, sent):
    before, shown = live.revision, live.figure
    live.restore()
    (message,) = sent
    assert message[0]["kind"] == "patch"
    assert message[0]["revision"] == live.revision == before + 1
    assert not any(message[0]["data"])
    assert live.figure is shown


def test_traces_come_go_and_change_their_type(live, sent):
    live.update(go.Figure([go.Bar(x=[1], y=[2]), go.Scatter(y=[1])]))
    live.update(go.Figure(go.Bar(x=[1], y=[2])))
    (two, _), (one, _) = sent
    assert len(two["data"]) == 2
    assert two["data"][0]["set"]["type"] == "bar"
    assert two["layout"]["drop"] == ["title"]
    assert one["data"] == [None]


def test_a_page_opened_later_starts_from_the_figure_of_that_moment(live):
    live.update(go.Figure(go.Scatter(y=np.array([9.0, 8.0]))))
    state = live.get_state("_figure")["_figure"]
    whole = unpacked(state["state"], state["buffers"])
    assert whole["revision"] == 1
    assert whole["data"][0]["y"].tolist() == [9, 8]
    assert whole["config"]["showSendToCloud"] is False


def test_plotly_is_answered_once_per_page_and_is_plotlys_own(live, sent, monkeypatch):
    monkeypatch.setattr(_plotly_sender, "_pushed_at", time.monotonic())
    live._receive(None, {"kind": "plotly?", "page": "a"}, [])
    assert sent == [], "it has just been sent unasked"
    monkeypatch.setattr(_plotly_sender, "_pushed_at", time.monotonic() - 10)
    live._receive(None, {"kind": "plotly?", "page": "a"}, [])
    live._receive(None, {"kind": "plotly?", "page": "a"}, [])
    live._receive(None, {"kind": "plotly?", "page": "b"}, [])
    assert [message["kind"] for message, _ in sent] == ["plotly", "plotly"]
    assert gzip.decompress(sent[0][1][0]).decode() == get_plotlyjs()
    assert len(_plotly_sender.content) < 2_000_000


def test_a_page_that_missed_a_message_gets_the_whole_figure(live, sent):
    live._receive(None, {"kind": "hello", "revision": 7}, [])
    [(message, buffers)] = sent
    assert message["kind"] == "figure"
    assert unpacked(message["state"], buffers)["data"][0]["y"].tolist() == [0, 1, 2]


def test_events_reach_only_those_who_listen(live):
    clicked = []
    assert live._events == []
    live.on_click(clicked.append)
    assert live._events == ["plotly_click"]
    point = {"trace": 0, "index": 2, "name": "n", "x": 1, "y": 2, "z": None, "customdata": None}
    live._receive(None, {"kind": "event", "name": "plotly_click", "points": [point]}, [])
    live._receive(None, {"kind": "event", "name": "plotly_hover", "points": [point]}, [])
    assert clicked == [[Point(**point)]]
    moved = []
    live.on_relayout(moved.append)
    live._receive(None, {"kind": "event", "name": "plotly_relayout", "changes": {"shapes[0].x0": 3}}, [])
    assert moved == [{"shapes[0].x0": 3}]


def test_files_and_texts_are_handed_to_the_browser(live, sent):
    live.save_file("a.csv", b"x", "text/csv")
    live.save_image("a.svg", "svg")
    live.copy_text("hello")
    assert [message["kind"] for message, _ in sent] == ["save", "image", "copy"]
    live._receive(None, {"kind": "copied", "ok": False}, [])
    assert live.clipboard_allowed is False


@settings(deadline=None, max_examples=60)
@given(
    hnp.arrays(st.sampled_from([np.float64, np.float32, np.int8, np.uint16, np.int32]), hnp.array_shapes(max_dims=2))
)
def test_any_array_survives_the_way_to_the_browser(values):
    trace = go.Heatmap(z=values) if values.ndim == 2 else go.Scatter(y=values)
    state = figure_state(go.Figure(trace))
    body, buffers = packed(state)
    [shown] = unpacked(body, buffers)["data"]
    np.testing.assert_array_equal(np.asarray(shown["z" if values.ndim == 2 else "y"]), values)


@pytest.mark.parametrize(
    ("dtype", "largest"),
    [
        *((name, 100) for name in ("int8", "uint8", "int16", "int32", "float32", "float64", "bool", "float16", ">f8")),
        *((name, size) for name in ("int64", "uint64") for size in (100, 200, 40_000, 70_000, 3_000_000_000)),
    ],
)
def test_arrays_travel_in_the_types_that_plotly_itself_chooses(dtype, largest):
    given = np.array([0, largest]).astype(dtype)
    state = figure_state(go.Figure(go.Scatter(y=given), layout={"xaxis": {"range": np.array([0.0, 1.0])}}))
    theirs = go.Figure(go.Scatter(y=given)).to_plotly_json()["data"][0]["y"]
    [ours] = [trace["y"] for trace in state["data"]]
    if isinstance(theirs, dict) and "bdata" in theirs:
        assert ours == Array(theirs["dtype"], (2,), base64.b64decode(theirs["bdata"]))
    else:
        assert ours == given.tolist()
    assert state["layout"]["xaxis"]["range"] == [0.0, 1.0]


@given(
    st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3)),
    st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3)),
)
def test_a_change_turns_the_old_into_the_new(old, new):
    patch = change(old, new) or {"set": {}, "drop": []}
    result = {key: value for key, value in {**old, **patch["set"]}.items() if key not in patch["drop"]}
    assert result == new
    assert (change(old, new) is None) == (old == new)


def test_arrays_are_compared_by_their_bytes():
    assert Array("f8", (1,), b"12345678") == Array("f8", (1,), b"12345678")
    assert Array("f8", (1,), b"12345678") != Array("f4", (2,), b"12345678")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array(["a", "b"]), ["a", "b"]),
        (np.array(["a", None], dtype=object), ["a", None]),
        (np.array([True, False]), [True, False]),
        (np.array([2**40, 1]), [2**40, 1]),
        (pd.Categorical(["u", "v"]), ["u", "v"]),
        (pd.Series(["a", "b"]), ["a", "b"]),
        (np.array([]), []),
        ([1.5, float("nan")], [1.5, None]),
        (pd.date_range("2020-01-01", periods=2), ["2020-01-01T00:00:00.000", "2020-01-02T00:00:00.000"]),
        (np.array(["2020-01-01"], dtype="M8[D]"), ["2020-01-01T00:00:00.000"]),
    ],
)
def test_arrays_of_any_kind_can_be_shown_and_changed(values, expected):
    live = LiveFigure(go.Figure(go.Bar(x=values, y=np.arange(len(expected)), customdata=values)))
    messages = []
    live.send = lambda content, buffers=None: messages.append((content, buffers))
    live.update(go.Figure(go.Bar(x=values[::-1], y=np.arange(len(expected)), customdata=values)))
    live.update(go.Figure(go.Bar(x=values, y=np.arange(len(expected)), customdata=values)))
    if len(expected) > 1:
        body, buffers = messages[-1]
        json.dumps(body, allow_nan=False)
        assert list(unpacked(body, buffers)["data"][0]["set"]["x"]) == expected
    state = live.get_state("_figure")["_figure"]
    json.dumps(state["state"], allow_nan=False)
    assert list(unpacked(state["state"], state["buffers"])["data"][0]["x"]) == expected


def test_texts_and_missing_values_pass_as_json():
    figure = go.Figure(go.Scatter(x=["a", "b"], y=[1.5, None], customdata=[["u", 1], ["v", 2]]))
    body, buffers = packed(figure_state(figure))
    [trace] = unpacked(body, buffers)["data"]
    assert list(trace["x"]) == ["a", "b"]
    assert trace["customdata"] == [["u", 1], ["v", 2]]
    json.dumps(body)
