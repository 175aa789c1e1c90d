"""The page of the API in chromium: it shows the operations, and sends a request, with nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.conftest import Browser
from tests.browser.serving import serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("serve", "--source", "samples") as found:
        yield found


def answered(browser: Browser, operation: str) -> tuple[str, str]:
    """Send the form of an operation and return the line and the text of its answer."""
    at = f"[...document.querySelectorAll('.operation')].find(o => o.id.startsWith('{operation}'))"
    browser.js(f"{at}.querySelector('button').click()")
    browser.until(f"return {at}.querySelector('.answer p').textContent.includes(': ')", 60)
    line, text = browser.js(f"return [...{at}.querySelector('.answer').children].map(e => e.textContent)")
    return line, text


def test_operations_are_shown_and_can_be_tried(browser: Browser, address: str) -> None:
    browser.open(address)
    browser.until("return location.pathname === '/docs'")
    paths = browser.all(".operation h3 code")
    assert {"/extract", "/jobs", "/units", "/criteria", "/search", "/health"} <= set(paths)
    line, text = answered(browser, "extract")
    assert ": 200" in line and '"unit": "document/SC"' in text and '"value": 5' in text
    line, text = answered(browser, "health")
    assert ": 200" in line and '"status": "ok"' in text
    loaded = browser.js("return performance.getEntriesByType('resource').map(e => e.name)")
    assert loaded and all(name.startswith(address) for name in loaded)
    assert browser.messages() == []


def test_a_path_parameter_with_slashes(browser: Browser, address: str) -> None:
    browser.open(f"{address}docs")
    browser.js("document.querySelector('input[name=key]').value = 'CCM-21.2/SC'")
    line, text = answered(browser, "unit_units")
    assert "/units/CCM-21.2/SC: 200" in line and '"unit": "CCM-21.2/SC"' in text


@pytest.mark.parametrize("width", [360, 1440])
def test_nothing_is_wider_than_the_window(browser: Browser, address: str, width: int) -> None:
    browser.size(width)
    browser.open(f"{address}docs")
    wide = browser.js("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
