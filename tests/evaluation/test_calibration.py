"""Bands, AUROC and expected error of confidences, on answers written out by hand."""

import pytest

from regreact.evaluation.calibration import Judged, auroc, calibrate, judged
from regreact.evaluation.score_report import FieldResult


def answers(*pairs: tuple[float, bool]) -> list[Judged]:
    return [Judged("tags", confidence, right) for confidence, right in pairs]


def test_auroc_counts_ties_half() -> None:
    assert auroc(answers((0.9, True), (0.9, False))) == 0.5
    assert auroc(answers((0.9, True), (0.2, False))) == 1.0
    assert auroc(answers((0.2, True), (0.9, False))) == 0.0
    # Wrong 0.6 loses to 0.7 and 0.9, wins against 0.5: two of three; wrong 0.5 loses to two and ties with one.
    assert auroc(answers((0.9, True), (0.7, True), (0.5, True), (0.6, False), (0.5, False))) == pytest.approx(4.5 / 6)


def test_auroc_needs_right_and_wrong_answers() -> None:
    assert auroc(answers((0.9, True))) is None
    assert auroc(answers((0.9, False))) is None


def test_bands_are_half_open_and_empty_ones_are_left_out() -> None:
    found = calibrate(answers((0.5, False), (0.8, True), (0.89, False), (1.0, True)), bounds=(0.0, 0.8, 0.9))
    assert [(b.low, b.n, b.accuracy) for b in found.bands] == [(0.0, 1, 0.0), (0.8, 2, 0.5), (0.9, 1, 1.0)]
    assert found.bands[-1].high == 1.0
    assert found.rises
    # |0.5 - 0| / 4 + |0.845 - 0.5| / 2 + |1 - 1| / 4
    assert found.error == pytest.approx(0.125 + 0.1725)


def test_accuracy_that_falls_is_seen() -> None:
    assert not calibrate(answers((0.5, True), (0.95, False)), bounds=(0.0, 0.9)).rises


def test_place_in_the_tree_is_one_answer_and_derived_fields_are_none() -> None:
    def field(name: str, correct: bool, confidence: float | None = 0.9) -> FieldResult:
        return FieldResult("X/SC", "1", name, correct, "", "", confidence=confidence)

    found = judged(
        [field("parent", True), field("criterion_id", False), field("category", False), field("tags", True, None)]
    )
    assert [(a.question, a.correct) for a in found] == [("structure", False)]
