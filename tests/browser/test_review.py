"""The review in chromium: ten entries by keyboard, a correction, undo, export."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from regreact.evaluation.predictions import read_extraction, validate_folder
from tests.app.browsing import make_extractions
from tests.browser.conftest import Browser
from tests.browser.serving import serving

pytestmark = pytest.mark.browser

DECIDED = "return document.querySelector('.progress span').textContent"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return make_extractions(tmp_path / "out")


@pytest.fixture
def address(out: Path) -> Iterator[str]:
    with serving("review", str(out), "--reviewer", "Ada", "--source", "samples") as found:
        yield found


def log(out: Path) -> list[dict[str, Any]]:
    return [json.loads(x) for x in (out / "review/decisions.jsonl").read_text(encoding="utf-8").splitlines()]


def press(browser: Browser, key: str) -> None:
    """Press a key that leads to another page, and wait for it."""
    browser.js("document.body.dataset.old = '1'")
    browser.keys(key)
    browser.until("return document.readyState === 'complete' && !document.body.dataset.old")


def test_ten_entries_and_export(browser: Browser, address: str, out: Path) -> None:
    browser.open(address)
    press(browser, "n")
    assert browser.all("mark"), "the evidence of the gravest item is marked"
    for key in "aasraara":
        press(browser, key)
    assert browser.js(DECIDED).startswith("7 of")
    press(browser, "u")
    assert browser.all("#own-decision") == []
    press(browser, "r")
    correct(browser)
    press(browser, "a")
    lines = log(out)
    assert [x["action"] for x in lines if x["action"] != "undo"].__len__() == 11
    assert browser.js(DECIDED).startswith("9 of")
    press(browser, "l")
    browser.js("document.body.dataset.old = '1'")
    browser.click("#export")
    browser.until("return document.querySelector('#written') !== null")
    (folder,) = (out / "review").glob("export-*")
    assert validate_folder(folder / "extractions") == (3, [])
    assert list((folder / "gold").glob("*/*.json"))
    corrected = next(x for x in lines if x["action"] == "correct")
    path = folder / "extractions" / corrected["document"] / f"{corrected['unit'].replace('/', '__')}.json"
    summaries = {c.criterion_id: c.rule_summary for c in read_extraction(path).criteria.walk()}
    assert summaries[corrected["criterion_id"]] == "A summary by hand."
    assert browser.messages() == []


def correct(browser: Browser) -> None:
    """Give a summary by hand: first an empty one, which is refused."""
    assert browser.all(".current + p, .judge h2")[0].startswith("rule summary")
    browser.keys("c")
    browser.js("document.getElementById('value').value = ' '")
    browser.click("#correct")
    browser.until("return document.querySelector('#problems') !== null")
    assert "must not be empty" in browser.all("#problems")[0]
    browser.messages()  # chromium reports the answer 422
    browser.keys("c")
    browser.js("document.getElementById('value').value = ''")
    browser.keys("A summary by hand.")
    before = browser.js(DECIDED)
    browser.click("#correct")
    browser.until(f"return document.readyState === 'complete' && document.querySelector('.progress span').textContent !== '{before}'")


def test_keys_type_in_fields_and_do_not_decide(browser: Browser, address: str, out: Path) -> None:
    browser.open(address)
    press(browser, "n")
    browser.click("#note")
    browser.keys("a r s u", "ENTER")
    assert browser.js("return document.getElementById('note').value") == "a r s u"
    assert not (out / "review").exists()


@pytest.mark.parametrize("width", [360, 900, 1440])
def test_nothing_is_wider_than_the_window(browser: Browser, address: str, width: int) -> None:
    browser.size(width)
    for key in ("", "n"):
        browser.open(address) if not key else press(browser, key)
        wide = browser.js("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, key
