"""Extractions to review, and a reviewer at a browser without scripts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from regreact import config, corpus, runner
from regreact.app.access import Access
from regreact.app.review.desk import Desk
from regreact.app.review.web import create_app

UNITS = ("CCM-21.2/SC", "CCM-21.3/SC", "CCM-31.1/SC")
FLAGS = [
    {"criterion_id": "1(e)(a)", "stage": "s2", "severity": "minor", "reason": "two limits, one duty", "evidence": [[6, 25, 62]]},
    {"criterion_id": "1(b)", "stage": "s4", "severity": "critical", "reason": "the act is not known", "evidence": [[2, 91, 118]]},
    {"criterion_id": "1(e)", "stage": "graph", "severity": "major", "reason": "an option stands alone", "evidence": []},
]  # fmt: skip


def make_extractions(out: Path) -> Path:
    """Extract three sample units and flag something in one of them."""
    units = [u for d in corpus.load("samples").documents for u in d.units if u.key in UNITS]
    runner.Extractor(config.load(["tracking=off"])).extract_to(units, out)
    path = out / "samples-compass/CCM-21.2__SC.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["review"] = FLAGS
    path.write_text(json.dumps(data), encoding="utf-8")
    return out


class Browser:
    """Follows the pages of the review as a person does."""

    def __init__(self, desk: Desk, rules: Access) -> None:
        self.rules = rules
        self.http = TestClient(create_app(desk, rules), base_url=f"http://127.0.0.1:{rules.port}")
        self.page = self.http.get("/").text

    @property
    def csrf(self) -> str:
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', self.page)
        assert found
        return found[1]

    def post(self, path: str, **fields: Any) -> Any:
        reply = self.http.post(path, data={"csrf": self.csrf, **fields})
        self.page = reply.text if "csrf" in reply.text else self.page
        return reply
