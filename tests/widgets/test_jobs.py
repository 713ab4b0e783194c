"""The laws of a job, under a thousand random events."""

from __future__ import annotations

import random
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semwork.steps import Step
from semwork_widgets.jobs import Failed, Finished, Job, Started, Stepped, Stopped


def job_threads():
    return [t for t in threading.enumerate() if t.name == "semwork-job"]


def wait_idle(job, timeout=30):
    try:
        job.wait(timeout)
    except TimeoutError:
        raise
    except Exception:
        pass
    deadline = time.monotonic() + 5
    while job_threads() and time.monotonic() < deadline:
        time.sleep(0.001)


def check_laws(events, submitted, stopped_after):
    """Laws that hold for every history of events."""
    runs = [event.run for event in events]
    assert runs == sorted(runs), "events of an older run after those of a newer one"
    for run in set(runs):
        own = [event for event in events if event.run == run]
        assert isinstance(own[0], Started) or [type(e) for e in own] == [Stopped], "a run without a beginning"
        ends = [e for e in own if isinstance(e, (Finished, Stopped, Failed))]
        assert len(ends) <= 1
        if ends:
            assert own[-1] is ends[0]
        done = [event.step.done for event in own if isinstance(event, Stepped)]
        assert done == list(range(1, len(done) + 1)), "steps lost or out of order"
        assert {id(event.settings) for event in own} == {id(own[0].settings)}
    if runs:
        assert isinstance(events[-1], (Finished, Stopped, Failed)), "the last run has no end"
    if submitted and not stopped_after:
        assert runs[-1] == submitted
        assert isinstance(events[-1], (Finished, Failed)), "the last settings did not come to their end"


def test_events_come_in_order_with_time_left():
    seen = []
    job = Job(lambda s: (Step(done=i, total=4) for i in range(1, 5)), seen.append)
    job.submit({"a": 1})
    job.wait(10)
    assert [type(e) for e in seen] == [Started, Stepped, Stepped, Stepped, Stepped, Finished]
    assert seen[-2].left == 0
    assert [e.left for e in seen[1:-2]] == [None] * 3, "the first steps say little of the others"
    assert seen[0].settings == {"a": 1}


@pytest.mark.parametrize("seed", range(4))
def test_a_thousand_slider_events_with_slow_and_failing_runs_and_stops(seed):
    rng = random.Random(seed)
    events, stop_marks = [], []
    lock = threading.Lock()

    def compute(settings):
        for done in range(1, settings["steps"] + 1):
            if settings["fail"] == done:
                raise ValueError(f"value {settings['value']} fails at step {done}")
            if settings["slow"]:
                time.sleep(rng.random() * 0.004)
            yield Step(done=done, total=settings["steps"])

    def deliver(event):
        with lock:
            events.append(event)

    job = Job(compute, deliver)
    submitted, stopped_after = 0, False
    for number in range(1000):
        if rng.random() < 0.05:
            job.stop()
            stop_marks.append((submitted, len(events)))
            stopped_after = True
        # two sliders: either of them moves
        submitted = job.submit(
            {
                "value": number,
                "other": rng.random(),
                "steps": rng.randint(1, 4),
                "slow": rng.random() < 0.5,
                "fail": rng.choice([0, 0, 0, 0, 1, 2]),
            }
        )
        stopped_after = False
        if rng.random() < 0.3:
            time.sleep(rng.random() * 0.004)
    wait_idle(job)
    check_laws(events, submitted, stopped_after)
    for stopped_run, seen_then in stop_marks:
        late = [e for e in events[seen_then:] if e.run <= stopped_run]
        assert all(isinstance(e, (Stopped, Failed)) for e in late), "a step of a stopped run was delivered after Stop"
    assert not job_threads()
    last = [e for e in events if e.run == submitted]
    assert last[0].settings["value"] == 999


def test_a_drag_shows_motion_although_every_event_overtakes_the_last():
    shown = []

    def compute(settings):
        time.sleep(0.02)
        yield Step(done=1, total=1)

    job = Job(compute, lambda e: shown.append(e.settings["v"]) if isinstance(e, Stepped) else None)
    for value in range(60):
        job.submit({"v": value})
        time.sleep(0.005)
    job.wait(10)
    assert shown == sorted(shown)
    assert shown[-1] == 59
    assert len(shown) > 5, "nothing was shown during the drag"


def test_an_overtaken_run_ends_at_its_next_step():
    began = threading.Event()
    steps_of_first = []

    def compute(settings):
        for done in range(1, 1000):
            if settings["run"] == 1:
                steps_of_first.append(done)
                began.set()
            time.sleep(0.002)
            yield Step(done=done)
            if settings["run"] == 2:
                return

    job = Job(compute, lambda e: None)
    job.submit({"run": 1})
    began.wait(5)
    time.sleep(0.02)
    computed = len(steps_of_first)
    job.submit({"run": 2})
    job.wait(10)
    assert len(steps_of_first) <= computed + 2


def test_stop_works_within_one_step_and_closes_the_generator():
    closed = threading.Event()
    events = []
    stepped = threading.Event()

    def compute(settings):
        try:
            for done in range(1, 10_000):
                time.sleep(0.002)
                yield Step(done=done)
        finally:
            closed.set()

    def deliver(event):
        events.append(event)
        if isinstance(event, Stepped):
            stepped.set()

    job = Job(compute, deliver)
    job.submit({})
    stepped.wait(5)
    job.stop()
    delivered = len(events)
    assert job.stopping or not job.running
    job.wait(5)
    assert closed.wait(5)
    assert [type(e) for e in events[delivered:]] == [Stopped]


@pytest.mark.parametrize("delay", [0, 0.0005, 0.002])
def test_stop_right_after_a_submit_always_ends_in_one_word(delay):
    for _ in range(50):
        events = []
        job = Job(lambda s: (Step(done=i) for i in range(1, 4)), events.append)
        job.submit({})
        time.sleep(delay)
        expected = job.stop()
        ended = bool(events) and isinstance(events[-1], (Finished, Stopped))
        assert expected != ended, "stop has to tell whether the end is still to come"
        job.wait(5)
        assert [type(e) for e in events if isinstance(e, (Finished, Stopped))] in ([Finished], [Stopped])


def test_an_error_in_the_last_step_after_stop_is_told():
    events = []
    first = threading.Event()

    def compute(settings):
        yield Step(done=1)
        first.set()
        time.sleep(0.1)
        raise ValueError("too late")

    job = Job(compute, events.append)
    job.submit({})
    first.wait(5)
    assert job.stop()
    with pytest.raises(ValueError, match="too late"):
        job.wait(5)
    assert [type(e) for e in events] == [Started, Stepped, Failed]


def test_a_failing_run_that_was_overtaken_by_one_that_was_stopped_is_told():
    events = []
    begun = threading.Event()

    def compute(settings):
        begun.set()
        time.sleep(0.05)
        raise ValueError("as asked")
        yield

    job = Job(compute, events.append)
    job.submit({})
    begun.wait(5)
    job.submit({})
    assert job.stop()
    with pytest.raises(ValueError, match="as asked"):
        job.wait(5)
    assert [(type(e), e.run) for e in events] == [(Started, 1), (Failed, 1)]


@pytest.mark.parametrize(("given_steps", "words"), [(None, "iterable of steps"), ([1, 2], "semwork.steps.Step")])
def test_what_is_not_a_stream_of_steps_is_refused_in_words(given_steps, words):
    job = Job(lambda s: given_steps, lambda e: None)
    job.submit({})
    with pytest.raises(TypeError, match=words):
        job.wait(5)


def test_stop_when_nothing_runs_does_nothing():
    job = Job(lambda s: [Step(done=1)], lambda e: None)
    job.stop()
    job.submit({})
    job.wait(5)
    job.stop()
    assert not job.running


def test_an_error_is_delivered_kept_and_raised_by_wait():
    events = []

    def compute(settings):
        yield Step(done=1)
        raise ValueError("w_m is 2; it must lie between 0 and 1")

    job = Job(compute, events.append)
    job.submit({})
    with pytest.raises(ValueError, match="w_m is 2"):
        job.wait(5)
    assert isinstance(events[-1], Failed)
    assert len(job.errors) == 1
    job.wait(5)  # raised once, not for ever


def test_a_good_run_after_a_failed_one_clears_the_error():
    def compute(settings):
        if settings["bad"]:
            raise ValueError("bad")
        yield Step(done=1)

    job = Job(compute, lambda e: None)
    job.submit({"bad": True})
    with pytest.raises(ValueError, match="bad"):
        job.wait(5)
    job.submit({"bad": False})
    job.wait(5)
    assert len(job.errors) == 1


@pytest.mark.parametrize("error", [SystemExit("leaving"), KeyboardInterrupt()])
def test_even_an_exit_inside_a_run_leaves_the_job_usable(error):
    def compute(settings):
        if settings["exit"]:
            raise error
        yield Step(done=1)

    job = Job(compute, lambda e: None)
    job.submit({"exit": True})
    with pytest.raises(type(error)):
        job.wait(5)
    job.submit({"exit": False})
    job.wait(5)
    assert not job.running


def test_a_failing_picture_is_an_error_of_the_run():
    def deliver(event):
        if isinstance(event, (Stepped, Failed)):
            raise RuntimeError("cannot draw")

    job = Job(lambda s: [Step(done=1)], deliver)
    job.submit({})
    with pytest.raises(RuntimeError, match="cannot draw"):
        job.wait(5)
    assert not job.running


def test_deliver_may_submit_and_stop():
    seen = []

    def deliver(event):
        seen.append(event)
        if isinstance(event, Finished) and event.settings["n"] < 3:
            job.submit({"n": event.settings["n"] + 1})

    job = Job(lambda s: [Step(done=1)], deliver)
    job.submit({"n": 1})
    job.wait(5)
    assert [e.settings["n"] for e in seen if isinstance(e, Finished)] == [1, 2, 3]


def test_closed_jobs_refuse_kindly():
    job = Job(lambda s: [Step(done=1)], lambda e: None)
    job.close()
    with pytest.raises(RuntimeError, match="run its cell again"):
        job.submit({})


def test_waiting_too_short_says_so():
    job = Job(lambda s: (time.sleep(0.3) or Step(done=1) for _ in range(1)), lambda e: None)
    job.submit({})
    with pytest.raises(TimeoutError, match="not finished"):
        job.wait(0.01)
    job.wait(5)


def test_many_threads_may_submit_at_once():
    events = []
    job = Job(lambda s: [Step(done=1)], events.append)
    threads = [threading.Thread(target=lambda: [job.submit({}) for _ in range(50)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_idle(job)
    check_laws(events, 400, stopped_after=False)
    assert not job_threads()


@settings(max_examples=120, deadline=None)
@given(st.lists(st.sampled_from(["submit", "stop", "pause", "fail", "long"]), max_size=25))
def test_every_short_history_obeys_the_laws(actions):
    events = []

    def compute(given_settings):
        for done in range(1, given_settings["steps"] + 1):
            if given_settings["fail"]:
                raise ValueError("as asked")
            time.sleep(0.0005)
            yield Step(done=done)

    job = Job(compute, events.append)
    submitted, stopped_after = 0, False
    for action in actions:
        if action == "stop":
            job.stop()
            stopped_after = True
        elif action == "pause":
            time.sleep(0.002)
        else:
            submitted = job.submit({"steps": 8 if action == "long" else 1, "fail": action == "fail"})
            stopped_after = False
    wait_idle(job)
    check_laws(events, submitted, stopped_after)
    assert not job.running
