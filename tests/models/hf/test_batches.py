"""Batches: longest first, within the budget, smaller where memory runs out, and every item once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import RefereeError
from referee.models.hf.batches import batches, run

costs_ = st.lists(st.integers(0, 40), max_size=30)


@given(costs_, st.integers(1, 100))
def test_batches_are_longest_first_and_within_the_budget(costs: list[int], budget: int) -> None:
    made = list(batches(costs, budget))
    order = [index for batch in made for index in batch]
    assert sorted(order) == list(range(len(costs)))
    assert [costs[index] for index in order] == sorted(costs, reverse=True)
    for batch in made:
        assert batch
        assert len(batch) == 1 or len(batch) * max(costs[index] for index in batch) <= budget


def test_batches_are_as_large_as_the_budget_allows() -> None:
    assert list(batches([3, 3, 3, 3, 1, 1], 6)) == [[0, 1], [2, 3], [4, 5]]
    assert list(batches([10, 1, 1], 5)) == [[0], [1, 2]]
    assert list(batches([], 5)) == []


def test_equal_costs_keep_their_order() -> None:
    assert [index for batch in batches([2, 2, 2, 2], 4) for index in batch] == [0, 1, 2, 3]


@given(costs_, st.integers(1, 100))
def test_every_item_gets_its_own_result(costs: list[int], budget: int) -> None:
    items = [f"item {number}" for number in range(len(costs))]
    found = dict(run(items, costs, budget, lambda batch: [item.upper() for item in batch]))
    assert found == {number: item.upper() for number, item in enumerate(items)}


def test_results_come_as_they_get_done() -> None:
    done: list[int] = []

    def work(batch: list[int]) -> list[int]:
        done.append(len(batch))
        return batch

    results = run(range(10), [1] * 10, 2, work)
    next(results)
    assert done == [2]


Failure = Callable[[], Exception]


def _cuda() -> Exception:
    torch = pytest.importorskip("torch")
    error: Exception = torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
    return error


def _windows() -> Exception:
    return RuntimeError(
        "[enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: not enough memory: you tried to"
    )


def _linux() -> Exception:
    """What this machine really says, not what somebody remembers."""
    torch = pytest.importorskip("torch")
    with pytest.raises(RuntimeError) as caught:
        torch.empty(2**58)
    return caught.value


FAILURES = [_cuda, _windows, _linux]


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("fits", [1, 2, 3, 7])
def test_out_of_memory_halves_the_batch(failure: Failure, fits: int) -> None:
    pytest.importorskip("torch")
    sizes: list[int] = []

    def work(batch: list[int]) -> list[int]:
        sizes.append(len(batch))
        if len(batch) > fits:
            raise failure()
        return [10 * item for item in batch]

    costs = list(range(20, 0, -1))
    found = list(run(range(20), costs, 10_000, work))
    assert dict(found) == {number: 10 * number for number in range(20)}
    assert len(found) == 20
    assert sizes[:2] == [20, 10]
    assert [costs[number] for number, _ in found] == costs, "what was split is still longest first"


@pytest.mark.parametrize("failure", FAILURES)
def test_one_item_that_does_not_fit_is_a_clear_error(failure: Failure) -> None:
    pytest.importorskip("torch")
    done: list[int] = []

    def work(batch: list[int]) -> list[int]:
        if 3 in batch:
            raise failure()
        return batch

    with pytest.raises(RefereeError, match=r"a single item does not fit into memory. Use a smaller model") as error:
        done.extend(number for number, _ in run(range(6), [1] * 6, 100, work))
    assert "\n" not in str(error.value)
    assert done == [0, 1, 2], "what fits is handed on before"


@pytest.mark.parametrize("error", [RuntimeError("shapes do not match"), ValueError("x"), KeyboardInterrupt()])
def test_other_failures_pass_through(error: BaseException) -> None:
    calls: list[int] = []

    def work(batch: list[int]) -> list[int]:
        calls.append(len(batch))
        raise error

    with pytest.raises(type(error)) as caught:
        list(run(range(4), [1] * 4, 100, work))
    assert caught.value is error
    assert calls == [4]


def test_a_result_too_few_is_not_passed_over() -> None:
    with pytest.raises(ValueError, match="zip"):
        list(run(range(4), [1] * 4, 100, lambda batch: batch[1:]))


def test_results_that_wait_are_read_while_the_next_batch_runs() -> None:
    told: list[str] = []

    def work(batch: list[int]) -> Callable[[], list[int]]:
        told.append(f"start {batch}")

        def read() -> list[int]:
            told.append(f"read {batch}")
            return [10 * number for number in batch]

        return read

    found = dict(run([1, 2, 3], [1, 1, 1], 1, work))
    assert found == {0: 10, 1: 20, 2: 30}
    assert told == ["start [1]", "start [2]", "read [1]", "start [3]", "read [2]", "read [3]"]


def test_padding_is_on_the_right_and_marked() -> None:
    pytest.importorskip("torch")
    from referee.models.hf.batches import padded

    ids, mask = padded([[5, 6], [7], [8, 9, 1]], 4, "cpu")
    assert ids.tolist() == [[5, 6, 4], [7, 4, 4], [8, 9, 1]]
    assert mask.tolist() == [[1, 1, 0], [1, 0, 0], [1, 1, 1]]
