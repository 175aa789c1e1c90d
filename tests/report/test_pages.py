"""Pages of invented units: all of an extraction is there, escaped, under a policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from lxml import html

from regreact.report.pages import index_page, index_row, unit_page
from regreact.report.reading import BlockText, SourceText, rebuilt
from regreact.report.view import UnitView
from regreact.schema import Extraction
from tests.report.builders import KILN, LIMIT, PERIOD, criterion, full, large, planted, valid

PAYLOADS = (
    "<script>document.title='ran'</script>",
    "</script><script>document.title='ran'</script>",
    "</title></style><img src=x onerror=\"document.title='ran'\">",
    "\" onmouseover=\"document.title='ran'\" x='",
    "'><svg onload=document.title='ran'>",
    "{{ 7 * 7 }}{% raw %}<b>bold</b>",
    "javascript:document.title='ran'",
)


def page_of(data: dict[str, Any], text: SourceText | None = None) -> tuple[str, Any]:
    """Return the page of an extraction, as text and parsed."""
    extraction = Extraction.model_validate(data)
    page = unit_page(UnitView(extraction, text or rebuilt(extraction, "none was given")), "../index.html")
    return page, html.document_fromstring(page)


def detail(root: Any, criterion_id: str) -> Any:
    """Return the detail panel of a criterion."""
    return root.get_element_by_id(f"c:{criterion_id}")


def words(element: Any) -> str:
    """Return the text of an element, white space folded."""
    return " ".join(" ".join(element.itertext()).split())


def field(root: Any, criterion_id: str, name: str) -> Any:
    """Return one row of a detail panel."""
    (found,) = detail(root, criterion_id).xpath(f".//div[@data-field='{name}']")
    return found


def test_every_criterion_has_a_tree_item_and_details() -> None:
    _, root = page_of(full())
    ids = ["ROOT", "1", "1(a)", "1(b)", "1.Verification", "2", "2(a)", "2(b)"]
    assert [e.text for e in root.find_class("cid")] == ids
    assert [e.get("id") for e in root.find_class("detail")] == [f"c:{i}" for i in ids]
    assert root.get_element_by_id("t-c:1(a)").get("aria-level") == "3"
    assert root.get_element_by_id("t-c:1(b)").get("aria-posinset") == "2"


def test_connectors_name_the_logic() -> None:
    _, root = page_of(full())
    labels = [(e.get("class"), e.text) for e in root.xpath("//div[contains(@class, 'join')]")]
    assert labels == [("join and", "AND"), ("join n-of-k", "2 of 2"), ("join or", "OR")]


def test_thresholds_are_chips() -> None:
    _, root = page_of(full())
    chips = [words(c) for c in field(root, "1(a)", "threshold").find_class("chip")]
    assert chips == [
        "Emissions of the kiln ≤ 12 g/t over 20 years", "Dust < 0.5 mg/m3 over the lifetime", "from 2031-03-01",
        "by 2035-12-31", "until 2040-01-01", "between 2032-01-01 – 2033-01-01", "every 2 years",
    ]  # fmt: skip
    inherited = words(field(root, "1.Verification", "threshold"))
    assert inherited.startswith("Thresholds Threshold of 1(a) : Emissions of the kiln ≤ 12 g/t")


def test_fields_tell_how_they_were_answered() -> None:
    _, root = page_of(full())
    assert "rule absolute 3 iterations 90 %" in words(field(root, "1(a)", "threshold"))
    assert "language model 55 %" in words(field(root, "1(a)", "references"))
    assert "default 70 %" in words(field(root, "1(a)", "tags"))


def test_evidence_is_carried_exactly() -> None:
    _, root = page_of(full())
    (button,) = field(root, "1(a)", "threshold").xpath(".//button[@data-spans]")
    spans = json.loads(button.get("data-spans"))
    assert [KILN[start:end] for _, start, end in spans] == [LIMIT, PERIOD]
    assert detail(root, "1(a)").get("data-block") == "1"


def test_references_have_summary_place_and_link() -> None:
    _, root = page_of(full())
    shown = words(field(root, "1(a)", "references"))
    for told in ("Article 3, paragraph 1, point (a)", "kilns are swept", "sweeping takes a day", "two sweepings a year",
                 "retrieved", "paywalled", "CELEX 32099R0018 (verified: title agrees)", "84 %", "no date"):  # fmt: skip
        assert told in shown
    links = field(root, "1(a)", "references").xpath(".//a")
    assert [(a.get("href"), a.get("rel")) for a in links] == [("https://example.org/act", "noopener noreferrer external")]
    assert "no https address: http://example.org/plain" in shown
    note = field(root, "1.Verification", "footnotes")
    assert note.xpath(".//a/@href") == ["https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:32099R0018"]
    assert "an oven that burns lime" in words(note)


def test_dependencies_and_corrections_are_links_to_criteria() -> None:
    _, root = page_of(full())
    gates = field(root, "1.Verification", "dependencies")
    assert gates.xpath(".//a/@href") == ["#c:1(a)"]
    assert words(gates).startswith("Dependencies Applies if 1(a) is met. 1(a) is met 9 is not met")
    (correction,) = detail(root, "1.Verification").find_class("correction")
    assert "printed 1(c) , meant 1(a) crossref; decided by rule" in words(correction)
    assert "Gates 1.Verification" in words(detail(root, "1(a)"))


def test_links_within_the_page_lead_somewhere() -> None:
    _, root = page_of(full())
    targets = {e.get("id") for e in root.xpath("//*[@id]")}
    links = root.xpath("//a[starts-with(@href, '#')]/@href")
    assert len(links) > 20
    assert {unquote(link[1:]) for link in links} <= targets


def test_history_review_and_record() -> None:
    _, root = page_of(full())
    assert "two numbers disagree" in words(root.get_element_by_id("review"))
    assert "Round 1 60 % major 1(a) number 12 not in the answer" in words(root.get_element_by_id("odr"))
    assert "asked again, new answer taken" in words(detail(root, "1(a)"))
    record = words(root.get_element_by_id("record"))
    for told in ("CCM-77.1/SC", "Burning of lime", "ab" * 32, "3 model calls", "0.0123 USD", "1 paywalled, 2 retrieved"):
        assert told in record


def test_memory_of_another_form_is_passed_over() -> None:
    data = {**full(), "memory": {"odr": [{"rounds": "many"}, 7], "celex": [1], "graph": {"a": 1}}}
    _, root = page_of(data)
    assert "nothing to object to" in words(root.get_element_by_id("odr"))


def test_graph_draws_every_edge_and_criterion() -> None:
    _, root = page_of(full())
    graph = root.get_element_by_id("graph")
    assert len(graph.xpath(".//path[contains(@class, 'e ')]")) == len(full()["edges"])
    assert len(graph.find_class("box")) == 8 + 1
    assert len(graph.xpath(".//label")) == 6


@pytest.mark.parametrize("payload", PAYLOADS)
def test_planted_markup_stays_text(payload: str) -> None:
    data = planted(full(), payload, valid)
    assert json.dumps(data).count(json.dumps(payload)[1:-1]) > 100
    blocks = tuple(BlockText(i, f"block {payload}", 1, payload) for i in range(4))
    page, root = page_of(data, SourceText(blocks, True, "note", {"fn-2": payload}))
    extraction = Extraction.model_validate(data)
    row = index_row(UnitView(extraction, rebuilt(extraction, payload)), "lime/x.html")
    index = index_page([row], [payload])
    for text, tree in ((page, root), (index, html.document_fromstring(index))):
        assert payload in tree.text_content()
        assert len(tree.xpath("//script")) == text.lower().count("<script") == 2
        assert not tree.xpath("//img | //iframe | //object | //embed | //form | //b[.='bold'] | //base | //link")
        assert not tree.xpath("//@*[starts-with(name(), 'on')] | //@style | //@src | //@srcdoc | //*[name()='svg']/@onload")
        assert "49" not in tree.xpath("string(//title)")
        for href in tree.xpath("//@href"):
            assert href.startswith(("#", "https://", "lime/x.html", "../index.html")), href


@pytest.mark.parametrize("link", [
    "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,<b>",
    "//example.org/x", "http://example.org", "https://user:pass@example.org/", "https:///x", "vbscript:x",
    "file:///etc/passwd", "https://exa\\mple.org", "https://[::1",
])  # fmt: skip
def test_only_https_addresses_are_links(link: str) -> None:
    data = full()
    data["criteria"]["sub_criteria"][0]["sub_criteria"][0]["references"]["sources"][1]["link"] = link
    _, root = page_of(data)
    assert field(root, "1(a)", "references").xpath(".//a/@href") == ["https://example.org/act"]
    assert " ".join(link.split()) in words(field(root, "1(a)", "references"))


def test_policy_allows_only_the_own_script_and_style() -> None:
    for page in (page_of(full())[0], index_page([], [])):
        policy = html.document_fromstring(page).xpath("string(//meta[@http-equiv]/@content)")
        assert policy.startswith("default-src 'none'; ")
        for name in ("script", "style"):
            texts = re.findall(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)
            digests = [f"'sha256-{base64.b64encode(hashlib.sha256(t.encode()).digest()).decode()}'" for t in texts]
            assert f"{name}-src {' '.join(digests)};" in policy
        assert "unsafe" not in policy


def test_pages_ask_the_network_for_nothing() -> None:
    page, root = page_of(full())
    assert not root.xpath("//@src | //link | //@srcset | //@poster | //@background")
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest", page)


def test_characters_that_parsers_change_keep_their_number() -> None:
    text = "a\r\nb\0c\rd"
    _, root = page_of(full(), SourceText((BlockText(1, text),), True, "note"))
    (shown,) = root.xpath("//li[@data-index='1']/span[@class='t']")
    assert len(shown.text_content()) == len(text)


def test_alike_identifiers_get_elements_of_their_own() -> None:
    data = full()
    data["criteria"]["sub_criteria"] = [criterion("1", "one"), criterion("1", "other"), criterion("a b", "blank")]
    _, root = page_of(data)
    assert [e.get("id") for e in root.find_class("detail")] == ["c:ROOT", "c:1", "c:1~2", "c:a_b"]


def test_a_large_unit_is_written_in_a_page_of_bearable_size() -> None:
    page, root = page_of(large())
    assert len(root.find_class("detail")) == 311
    assert len(page) < 3_000_000


def test_deep_trees_are_written() -> None:
    data = full()
    node = criterion("deep.60", "leaf")
    for level in reversed(range(60)):
        node = criterion(f"deep.{level}", "step", evaluation_logic="AND", sub_criteria=[node])
    data["criteria"]["sub_criteria"] = [node]
    _, root = page_of(data)
    assert root.get_element_by_id("t-c:deep.60").get("aria-level") == "62"


def test_folder_names_do_not_come_from_texts(tmp_path: Path) -> None:
    row = index_row(
        UnitView(e := Extraction.model_validate(full()), rebuilt(e, "x")), 'lime/a "b"#?.html'
    )
    root = html.document_fromstring(index_page([row], []))
    assert root.xpath("//tbody//a/@href") == ["lime/a%20%22b%22%23%3F.html"]
