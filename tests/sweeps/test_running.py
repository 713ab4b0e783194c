"""The engine: each cell once, here or elsewhere; one that fails does not end the run, and a run can be stopped."""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.steps import last
from semwork.sweeps import Cell, Memory, Sweep, SweepFailed, grid
from tests.sweeps import toys
from tests.sweeps.toys import Counter, Power


def powers(count, function=toys.power):
    return grid(function, {"base": range(1, count + 1)})


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=12), st.integers(0, 12))
def test_every_cell_is_computed_once_and_results_come_in_the_order_of_the_cells(pairs, known):
    Counter.reset()
    cells = [Cell(toys.power, {"base": base, "exponent": exponent}) for base, exponent in pairs]
    store = Memory()
    last(Sweep(cells[:known], store=store).steps())
    steps = list(Sweep(cells, store=store, threads=1).steps())
    assert len(Counter.calls) == len(set(pairs))
    assert list(steps[-1].results) == list(dict.fromkeys(cells))
    assert [found["power"] for found in steps[-1].results.values()] == [
        base**exponent for base, exponent in dict.fromkeys(pairs)
    ]
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[-1].fraction == 1.0


def test_a_cell_is_named_by_function_settings_seed_and_data_and_by_nothing_else():
    plain = Cell(toys.power, {"base": 2, "exponent": 3})
    assert plain == Cell(toys.power, {"exponent": 3, "base": 2}, label="two cubed", one_core=True)
    others = [
        Cell(toys.of_record, {"base": 2, "exponent": 3}),
        Cell(toys.power, {"base": 2, "exponent": 2}),
        Cell(toys.power, {"base": 2, "exponent": 3}, seed=0),
        Cell(toys.power, {"base": 2, "exponent": 3}, data=np.arange(3)),
        Cell(toys.power, {"base": 2, "exponent": 3}, data=np.arange(4)),
        Cell(toys.power, {"base": 2, "exponent": 3}, needs=("sample",)),
        Cell(toys.power, {"base": 2, "exponent": 3}, needs=("li06",)),
    ]
    assert len({plain, *others}) == 1 + len(others)


def test_records_become_the_first_argument_and_data_are_handed_over():
    cell = Cell(toys.of_record, Power(3.0), seed=1, data=np.arange(4))
    assert last(Sweep([cell]).steps()).results[cell] == {"power": 9.0, "sum": 6.0}
    assert str(cell) == "of_record: base=3.0, exponent=2, seed 1"


def test_a_failing_cell_is_recorded_and_the_rest_goes_on():
    store = Memory()
    steps = list(Sweep(powers(4, toys.broken), store=store).steps())
    end = steps[-1]
    assert [found["power"] for found in end.results.values()] == [1, 9, 16]
    [(cell, error)] = end.errors.items()
    assert (cell.settings, error.kind, error.message) == ({"base": 2}, "ArithmeticError", "two is not allowed")
    assert 'raise ArithmeticError("two is not allowed")' in error.traceback
    assert (
        end.message == "3 of 4 cells are there, 1 failed, broken: base=2 for one: ArithmeticError: two is not allowed"
    )
    [said] = [step for step in steps[:-1] if step.error]
    assert said.message == "broken: base=2 failed: ArithmeticError: two is not allowed"
    assert "two is not allowed" in store.errors[cell]
    with pytest.raises(SweepFailed, match=r"1 of 4 cells failed:\n  broken: base=2: ArithmeticError: two is not"):
        end.checked()
    assert len(Counter.calls) == 4
    last(Sweep(powers(4, toys.broken), store=store).steps())
    assert Counter.calls[4:] == [2], "what failed is tried again, the rest is there"


def test_cells_that_are_streams_say_where_they_are():
    cells = grid(toys.stepping, {"base": [1, 2], "steps": [3], "pause": [0.25]})
    steps = list(Sweep(cells, threads=1).steps())
    inside = [(step.done, step.inside.done, step.message) for step in steps if step.inside]
    assert inside == [
        (place, done, f"stepping: base={place + 1}, steps=3, pause=0.25: step {done} of 3")
        for place in (0, 1)
        for done in (1, 2, 3)
    ]
    fractions = [step.fraction for step in steps]
    assert fractions == sorted(fractions)
    assert fractions[1] == pytest.approx(1 / 3)
    assert [step.result for step in steps if step.cell and not step.inside] == [{"power": 1}, {"power": 4}]


def test_a_stream_without_a_result_has_its_last_step_for_one():
    [cell] = grid(toys.last_step, {"base": [7]})
    assert last(Sweep([cell]).steps()).results[cell].message == "7"


def test_a_run_is_closed_between_two_steps_of_a_cell():
    cells = grid(toys.stepping, {"base": [1, 2], "steps": [100], "pause": [0.01]})
    stream = Sweep(cells, threads=1).steps()
    first = next(stream)
    assert first.inside.done < 100
    stream.close()
    assert Counter.running == [], "the cell was ended"
    assert Counter.calls == []


@pytest.mark.parametrize("one_core", [False, True])
def test_a_run_is_stopped_from_another_thread(one_core):
    cells = grid(toys.stepping, {"base": range(1, 6), "steps": [1000], "pause": [0.01]}, one_core=one_core)
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    end = last(Sweep(cells, threads=2).steps(stop=stop))
    assert end.message == "0 of 5 cells are there, the run was stopped"
    assert Counter.running == []


def test_cells_of_one_core_run_side_by_side_and_the_others_after_them():
    chains = grid(toys.stepping, {"base": range(1, 5), "pause": [0.05]}, one_core=True)
    last(Sweep(chains, threads=2).steps())
    assert Counter.most == 2
    Counter.reset()
    last(Sweep(grid(toys.stepping, {"base": range(1, 5)}), threads=2).steps())
    assert Counter.most == 1


def test_chains_are_ended_when_the_run_is_closed_and_what_has_not_begun_does_not_begin():
    chains = grid(toys.stepping, {"base": range(1, 8), "steps": [100], "pause": [0.01]}, one_core=True)
    stream = Sweep(chains, threads=2).steps()
    next(stream)
    stream.close()
    assert Counter.running == []
    assert len(Counter.calls) < 7


def test_a_result_is_kept_as_soon_as_it_is_there_whoever_reads_the_stream():
    chains = grid(toys.stepping, {"base": range(1, 5)}, one_core=True)
    store = Memory()
    stream = Sweep(chains, store=store, threads=2).steps()
    next(stream)
    stream.close()
    finished = set(store.results)
    assert len(finished) >= 1
    Counter.reset()
    end = last(Sweep(chains, store=store, threads=2).steps())
    assert len(Counter.calls) == 4 - len(finished)
    assert len(end.results) == 4


@pytest.mark.parametrize("executor", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_gives_the_same_results_and_errors(executor):
    cells = [*powers(3), *powers(3, toys.broken), *grid(toys.stepping, {"base": [5]})]
    here = last(Sweep(cells).steps())
    store = Memory()
    with executor(2) as pool:
        steps = list(Sweep(cells, store=store).steps(executor=pool))
        assert pool.submit(pow, 2, 3).result() == 8, "the executor is the caller's"
    there = steps[-1]
    assert list(there.results) == list(here.results)
    for cell in here.results:
        np.testing.assert_equal(there.results[cell], here.results[cell])
    assert [str(error) for error in there.errors.values()] == [str(error) for error in here.errors.values()]
    assert "two is not allowed" in next(iter(there.errors.values())).traceback
    assert set(store.results) == set(there.results)
    assert [step.done for step in steps][-2:] == [7, 7]


def test_a_worker_that_dies_is_the_error_of_its_cells():
    cells = grid(toys.dies, {"base": [1, 2, 3]})
    with ProcessPoolExecutor(1) as pool:
        end = last(Sweep(cells).steps(executor=pool))
    assert end.errors
    assert {error.kind for error in end.errors.values()} == {"BrokenProcessPool"}
    assert len(end.results) + len(end.errors) == 3


def test_a_worker_that_dies_before_all_cells_are_handed_over_is_their_error_too():
    class Broken(ThreadPoolExecutor):
        def submit(self, function, cell):
            if cell.settings["base"] > 1:
                raise BrokenProcessPool("a child process terminated abruptly")
            return super().submit(function, cell)

    store = Memory()
    with Broken(1) as pool:
        end = last(Sweep(powers(3), store=store).steps(executor=pool))
    assert [found["power"] for found in end.results.values()] == [1]
    assert {error.kind for error in end.errors.values()} == {"BrokenProcessPool"}
    assert len(store.errors) == 2


def test_a_run_is_stopped_while_cells_of_an_executor_keep_ending():
    cells = grid(toys.stepping, {"base": range(200), "steps": [1], "pause": [0.01]})
    stop, store = threading.Event(), Memory()
    with ThreadPoolExecutor(1) as pool:
        steps = Sweep(cells, store=store).steps(executor=pool, stop=stop)
        next(steps)
        stop.set()
        end = last(steps)
    assert end.message.endswith("of 200 cells are there, the run was stopped")
    assert 0 < end.done < 50
    assert set(end.results) <= set(store.results), "what ended after the stop is kept, too"


@pytest.mark.parametrize("one_core", [False, True])
@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor, ProcessPoolExecutor])
def test_a_cell_that_leaves_the_program_is_recorded_and_the_rest_goes_on(executor, one_core):
    cells = grid(toys.leaves, {"base": [1, 2, 3]}, one_core=one_core)
    with executor(1) if executor else contextlib.nullcontext() as pool:
        end = last(Sweep(cells, threads=2).steps(executor=pool))
    assert [found["power"] for found in end.results.values()] == [1, 9]
    assert [str(error) for error in end.errors.values()] == ["SystemExit: two is not allowed"]


@pytest.mark.parametrize("one_core", [False, True])
@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_interrupt_ends_the_run_and_is_no_cells_error(executor, one_core):
    cells, store = grid(toys.interrupted, {"base": [1, 2, 3]}, one_core=one_core), Memory()
    with executor(1) if executor else contextlib.nullcontext() as pool, pytest.raises(KeyboardInterrupt):
        last(Sweep(cells, store=store, threads=2).steps(executor=pool))
    assert store.errors == {}
    assert cells[0] in store.results


def test_an_executor_is_not_asked_for_more_when_the_run_is_closed():
    cells = grid(toys.stepping, {"base": range(1, 9), "steps": [5], "pause": [0.02]})
    store = Memory()
    with ThreadPoolExecutor(1) as pool:
        stream = Sweep(cells, store=store).steps(executor=pool)
        next(stream)
        stream.close()
    assert len(Counter.calls) <= 3


def test_functions_without_a_name_can_be_swept_in_memory():
    cells = [Cell(lambda base: base + 1, {"base": base}) for base in (1, 2)]
    assert list(last(Sweep(cells).steps()).results.values()) == [2, 3]


def test_no_cells_are_no_work():
    [step] = Sweep([]).steps()
    assert (step.done, step.total, step.fraction) == (0, 0, 1.0)


def test_named_data_count_with_their_contents(monkeypatch):
    from semwork import datasets

    before = Cell(toys.power, {"base": 1}, needs=("li06",)).identity
    monkeypatch.setattr(datasets, "fingerprint", lambda name: "other bytes")
    assert Cell(toys.power, {"base": 1}, needs=("li06",)).identity != before
