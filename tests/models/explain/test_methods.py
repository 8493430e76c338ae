"""Which methods of explanation there are, before any model is asked."""

from __future__ import annotations

import pytest

from referee.errors import UsageError
from referee.models.explain import check_method
from referee.protocols import INSEQ, PREDICTION_DIFFERENCE


@pytest.mark.parametrize("method", [PREDICTION_DIFFERENCE, f"{INSEQ}saliency", f"{INSEQ}anything"])
def test_methods(method: str) -> None:
    check_method(method)


@pytest.mark.parametrize("method", ["", "saliency", INSEQ, f"{INSEQ}../x", "prediction_difference"])
def test_what_is_no_method(method: str) -> None:
    with pytest.raises(
        UsageError, match=r"'.*' is not a method of salience. Choose prediction-difference, or inseq:NAME"
    ):
        check_method(method)
