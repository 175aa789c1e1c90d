"""What a progress bar tells."""

from __future__ import annotations

import pytest

from regreact.progress import Spent, progress_bar


def test_what_a_run_took_is_summed_and_an_unknown_price_stays_unknown() -> None:
    spent = Spent()
    assert str(spent) == ""
    spent.add(2, 300, 0.01)
    spent.add(1, 100, 0.02)
    assert str(spent) == "3 calls, 400 tokens, 0.0300 USD"
    spent.add(1, 0, None)
    spent.add(1, 0, 0.5)
    assert str(spent) == "5 calls, 400 tokens, price unknown"


def test_a_terminal_shows_units_rate_and_cost(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    with progress_bar(2, "extract") as advance:
        advance("A-1/SC", 3, 900, 0.25)
        advance("A-2/SC")
    told = capsys.readouterr().err
    assert "A-2/SC" in told and "2/2" in told and "3 calls, 900 tokens, 0.2500 USD" in told


def test_no_terminal_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar(1, "extract") as advance:
        advance("A-1/SC", 1, 1, 1.0)
    assert capsys.readouterr().err == ""
