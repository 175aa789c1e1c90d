"""An invented Compass dump; the expected units are written out."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from regreact.errors import SourceFormatError
from regreact.sources.compass import read_compass
from regreact.sources.model import Document

NOTE = (
    "<sup><span class='popover-tooltip'>(7)</span><span class='popover-tooltip-content'>Mill Act.</span></sup>"
)
DUMP: dict[str, Any] = {
    "activities": [{"name": "Windmills", "reference": "1.1", "sector": "Mills"}],
    "matches": [
        {
            "activity": "Windmills",
            "objective": "mitigation",
            "substantial_contribution_criteria": [f"<p>It turns{NOTE}:</p><ol type='a'><li>left</li></ol>"],
            "dnsh": [{"objective": "water", "criteria": ["<p>N/A </p>"]}],
            "activity_description": f"<p>Milling of grain{NOTE}.</p><p>Code A1.</p>",
            "contribution_description": "<p>Enabling.</p>",
        }
    ],
}


def read_dump(content: object, name: str = "taxonomy-9.8.7.json") -> Document:
    return read_compass(Path(name), json.dumps(content).encode(), "0" * 64)


def changed(**match: object) -> dict[str, Any]:
    content = copy.deepcopy(DUMP)
    content["matches"][0].update(match)
    return content


def test_a_match_gives_a_unit_for_each_section() -> None:
    document = read_dump(DUMP)
    assert (document.document, document.format) == ("compass-9.8.7", "compass-json")
    assert [unit.key for unit in document.units] == ["CCM-1.1/SC", "CCM-1.1/DNSH.water"]
    unit = document.units[0]
    assert [(b.tag, b.marker, b.text) for b in unit.blocks] == [("p", None, "It turns(7):"), ("li", "a", "left")]
    assert unit.footnotes == {"fn-7": "Mill Act."}
    assert (unit.activity, unit.objective) == ("Windmills", "mitigation")
    assert unit.description == "Milling of grain.\nCode A1.\nEnabling."


def test_not_applicable_is_a_section_with_one_block() -> None:
    assert [b.text for b in read_dump(DUMP).units[1].blocks] == ["N/A"]


def test_a_file_name_without_version_gives_the_document_its_stem() -> None:
    assert read_dump(DUMP, "mills.json").document == "mills"


@pytest.mark.parametrize(
    ("match", "key", "problem"),
    [
        ({"activity": "Watermills"}, "CCM-?", "the activity is not listed"),
        ({"objective": "peace"}, "peace-1.1", "the objective is not listed"),
        ({"substantial_contribution_criteria": [" "]}, "CCM-1.1/SC", "the section is empty"),
        ({"dnsh": [{"objective": "peace", "criteria": ["<p>x</p>"]}]}, "CCM-1.1/DNSH.peace", "not one of the six"),
        ({"dnsh": [{"objective": "water", "criteria": ["<p>x</p>"]}] * 2}, "CCM-1.1/DNSH.water", "a second section"),
    ],
)
def test_a_bad_section_is_a_failure_and_the_others_stay(match: dict[str, object], key: str, problem: str) -> None:
    content = changed(**match)
    content["activities"].append({"name": "Kilns", "reference": "1.2"})
    content["matches"].append({**DUMP["matches"][0], "activity": "Kilns"})
    document = read_dump(content)
    (failure,) = document.failures
    assert failure.key == key
    assert problem in failure.problem
    assert failure.place.startswith("matches[0]")
    assert {"CCM-1.2/SC", "CCM-1.2/DNSH.water"} <= {unit.key for unit in document.units}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ([1, 2], "another shape"),
        ({"summary": "x"}, "another shape"),
        ({"activities": [], "matches": []}, "activities: "),
        (changed(dnsh="none"), r"matches\.0\.dnsh: "),
        (changed(substantial_contribution_criteria=[]), r"matches\.0\.substantial_contribution_criteria: "),
    ],
)
def test_json_of_another_shape_is_refused_with_the_place(content: object, problem: str) -> None:
    with pytest.raises(SourceFormatError, match=problem):
        read_dump(content)


@pytest.mark.parametrize("data", [b'{"activities": [', b"\xff\xfe{", b"[" * 100_000])
def test_broken_json_is_refused(data: bytes) -> None:
    with pytest.raises(SourceFormatError, match="not valid JSON"):
        read_compass(Path("x.json"), data, "0")
