"""Results that are remembered, at most so many of them."""

import threading

from semwork.studies.remembered import Remembered


def test_the_one_that_was_asked_for_longest_ago_makes_room():
    known = Remembered[str, int](2)
    known.put("a", 1)
    known.put("b", 2)
    assert known.get("a") == 1
    known.put("c", 3)
    assert list(known) == ["a", "c"]
    known.put("a", 4)
    assert (list(known), known.get("a"), known.get("b")) == (["c", "a"], 4, None)
    known.clear()
    assert len(known) == 0


def test_a_result_is_made_once_though_two_threads_want_it_and_may_be_none():
    known, made, begun, go_on = Remembered[str, None](2), [], threading.Event(), threading.Event()

    def slowly():
        begun.set()
        go_on.wait(10)
        made.append(1)

    threads = [threading.Thread(target=known.made, args=("a", slowly)) for _ in range(2)]
    threads[0].start()
    assert begun.wait(10)
    threads[1].start()
    go_on.set()
    for thread in threads:
        thread.join(10)
    assert made == [1]
    assert known.made("a", slowly) is None
    assert made == [1]


def test_what_is_made_may_be_made_of_another_result():
    known = Remembered[str, int](1)
    assert known.made("double", lambda: 2 * known.made("single", lambda: 3)) == 6
    assert list(known) == ["double"]
