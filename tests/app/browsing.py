"""A reviewer at a browser without scripts."""

from __future__ import annotations

import re
from typing import Any

from fastapi.testclient import TestClient

from regreact.app.access import Access
from regreact.app.review.desk import Desk
from regreact.app.review.web import create_app


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
