"""Blocks as the signatures see them."""

from __future__ import annotations

from pathlib import Path

from regreact.sources.html import read_html
from regreact.sources.views import block_views


def test_items_of_one_list_share_the_list_path() -> None:
    markup = b"""<p><em>1. Mills</em></p><ol type='a'><li>turns:<ol type='i'><li>left</li><li>right</li></ol><p>fast</p>
    </li><li>stands</li></ol><ol type='a'><li>red</li></ol><p>end</p>"""
    views = block_views(read_html(Path("mill.html"), markup, "0").units[0])
    assert [(v.text, v.list_path) for v in views] == [
        ("1. Mills", ""),
        ("turns:", "ol[1]"),
        ("left", "ol[1]/li[1]/ol[1]"),
        ("right", "ol[1]/li[1]/ol[1]"),
        ("fast", "ol[1]"),
        ("stands", "ol[1]"),
        ("red", "ol[2]"),
        ("end", ""),
    ]
    assert [v.index for v in views] == list(range(8))
    assert (views[0].heading, views[1].marker, views[1].tag, views[2].depth) == (True, "a", "li", 2)
