"""One BLAS thread inside, and the old number afterwards."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import scipy.linalg  # noqa: F401 - a BLAS library must be there when this file is tested alone
from threadpoolctl import ThreadpoolController

from semwork.blas import one_thread_inside


def blas_threads():
    return {
        pool["filepath"]: pool["num_threads"] for pool in ThreadpoolController().info() if pool["user_api"] == "blas"
    }


@pytest.fixture
def two_threads():
    """A limit that is not 1, so that a change can be seen."""
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        before = blas_threads()
        assert before, "no BLAS library was found"
        assert set(before.values()) == {2}
        yield before


def test_one_thread_inside_and_the_old_number_afterwards(two_threads):
    with one_thread_inside():
        assert set(blas_threads().values()) == {1}
        with one_thread_inside():
            assert set(blas_threads().values()) == {1}
        assert set(blas_threads().values()) == {1}
    assert blas_threads() == two_threads


def test_the_old_number_comes_back_after_an_error(two_threads):
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), one_thread_inside():
            raise ZeroDivisionError
        assert blas_threads() == two_threads


def test_the_last_of_two_overlapping_users_brings_the_old_number_back(two_threads):
    """A enters, B enters, A leaves while B works on, B leaves: in two threads, each step told by an event."""
    second_is_in, first_is_out = threading.Event(), threading.Event()
    seen = []

    def second():
        with one_thread_inside():
            second_is_in.set()
            assert first_is_out.wait(30)
            seen.append(set(blas_threads().values()))

    thread = threading.Thread(target=second)
    with one_thread_inside():
        thread.start()
        assert second_is_in.wait(30)
    first_is_out.set()
    thread.join()
    assert seen == [{1}]
    assert blas_threads() == two_threads


def test_a_thread_may_limit_after_another_one_did(two_threads):
    """threadpoolctl 3.8 ignores all threads but the first that changed the number, without a word."""
    seen = []

    def use():
        with one_thread_inside():
            seen.append(set(blas_threads().values()))
        seen.append(blas_threads())

    with one_thread_inside():
        pass
    for _ in range(2):
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
    assert seen == [{1}, two_threads] * 2
    ThreadpoolController().limit(limits=3, user_api="blas")
    assert set(blas_threads().values()) == {3}, "others may still change it"


def test_many_users_at_once_leave_the_number_as_it_was(two_threads):
    def use(_):
        for _ in range(20):
            with one_thread_inside():
                pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(8)))
    assert blas_threads() == two_threads


def test_a_limit_that_could_not_be_set_is_tried_again(two_threads, monkeypatch):
    from semwork import blas

    class Broken:
        lib_controllers = ()

        def limit(self, **_):
            raise OSError("no such library")

    with monkeypatch.context() as patch:
        patch.setattr(blas, "_controller", Broken)
        with pytest.raises(OSError, match="no such"), one_thread_inside():
            pass
    with one_thread_inside():
        assert set(blas_threads().values()) == {1}
    assert blas_threads() == two_threads
