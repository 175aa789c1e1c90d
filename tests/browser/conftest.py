"""Chromium for tests: headless, through its driver; skipped with a reason where one of them is absent."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from typing import Any

import pytest


def _program(variable: str, *names: str) -> str:
    found = os.environ.get(variable) or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip(f"{names[0]} is absent: make test-browser installs it, or set {variable}")
    return found


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser for the whole run."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is absent: make test-browser installs it")
    options = webdriver.ChromeOptions()
    options.binary_location = _program("REGREACT_CHROMIUM", "chromium", "chromium-browser", "google-chrome")
    # Containers run tests as root and give little shared memory.
    for switch in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(_program("REGREACT_CHROMEDRIVER", "chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


class Browser:
    """What tests do with a browser, in few words."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def size(self, width: int, height: int = 900) -> None:
        """Give the window a size in CSS pixels."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def media(self, kind: str = "", scheme: str = "light") -> None:
        """Pretend a medium (`print`, "" for the screen) and a preferred colour scheme."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})

    def open(self, address: str) -> None:
        """Open a page, also if only the fragment differs from the one before."""
        self.driver.get("about:blank")
        self.driver.get(address)

    def js(self, script: str, *values: Any) -> Any:
        """Run a function body in the page and return its result."""
        return self.driver.execute_script(script, *values)

    def until(self, condition: str, seconds: float = 5) -> None:
        """Wait until a function body in the page returns something true; fails after some seconds."""
        end = time.monotonic() + seconds
        while not self.js(condition):
            assert time.monotonic() < end, condition
            time.sleep(0.02)

    def all(self, selector: str) -> list[str]:
        """Return the texts of all elements that a selector finds."""
        told: list[str] = self.js("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)
        return told

    def click(self, selector: str) -> None:
        """Click an element as a person does: where it is drawn, if nothing covers it."""
        from selenium.webdriver.common.by import By  # noqa: PLC0415  not installed everywhere

        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def keys(self, *names: str) -> None:
        """Press keys where the focus is; names as in selenium's Keys, or a text."""
        from selenium.webdriver import ActionChains  # noqa: PLC0415  not installed everywhere
        from selenium.webdriver.common.keys import Keys  # noqa: PLC0415

        for name in names:
            ActionChains(self.driver).send_keys(getattr(Keys, name, name)).perform()

    def messages(self) -> list[str]:
        """Return what the console has told since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture
def browser(chromium: Any) -> Browser:
    """The browser with a desktop window, light, and an empty console."""
    told = Browser(chromium)
    told.size(1440)
    told.media()
    told.open("about:blank")
    told.messages()
    return told
