"""Questions to Cellar against a server that answers as documented; queries that no id or title can break out of."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.errors import ServiceAnswerError
from regreact.legal.cellar import RESULTS_JSON, Cellar, literal, lookup_query, search_query
from regreact.legal.titles import content_words, same_subject
from regreact.legal.web import WebClient
from regreact.legal.works import Work
from tests.stub_cellar import Stub, says, serving

WORKS = {
    "32010L0075": "Directive 2010/75/EU of 24 November 2010 on  industrial\nemissions",
    "32010L0075R(01)": "Corrigendum to Directive 2010/75/EU",
    "31998D0123": "",
    "32099D0001": "Commission Implementing Decision (EU) 2099/1 on techniques for lake mills",
    "52099DC0001": "Communication on lake mills",
}


def cellar(stub: Stub) -> Cellar:
    return Cellar(WebClient(stub.url, rate=1000, retries=0))


def test_a_work_that_exists() -> None:
    with serving(WORKS) as stub:
        work = cellar(stub).lookup("32010L0075")
    assert work == Work(
        "32010L0075", "Directive 2010/75/EU of 24 November 2010 on industrial emissions", "Directive", date="2010-11-24"
    )


def test_absence_is_an_answer() -> None:
    with serving(WORKS) as stub:
        assert cellar(stub).lookup("32010L7500") is None


def test_a_correction_and_a_work_without_title() -> None:
    with serving(WORKS) as stub:
        asked = cellar(stub)
        correction, bare = asked.lookup("32010L0075R(01)"), asked.lookup("31998D0123")
    assert correction is not None
    assert correction.corrigendum
    assert bare == Work("31998D0123", "", "Decision", date="2010-11-24")


def test_consolidated_versions_of_an_act() -> None:
    linked = ["02010L0075-20240804", "02010L0075-20110106", "02003L0087-20240301", "02010L0075-20241399", "32010L0075R(01)"]
    with serving(WORKS, versions={"32010L0075": linked}) as stub:
        assert cellar(stub).versions("32010L0075") == ["2011-01-06", "2024-08-04"]
        assert cellar(stub).versions("32099D0001") == []


def test_search_finds_acts_by_the_words_of_a_title() -> None:
    with serving(WORKS) as stub:
        asked = cellar(stub)
        assert [w.celex for w in asked.search("conclusions on the techniques for lake mills")] == ["32099D0001"]
        assert asked.search("the of and 12") == []
        assert len(stub.queries) == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "no SPARQL result"),
        (b"{", "no SPARQL result"),
        (b"[]", "no SPARQL result"),
        (b'{"boolean": true}', "no SPARQL result"),
        (json.dumps({"results": {"bindings": [{"title": "x"}]}}).encode(), "no SPARQL result"),
        (b"\xff\xfe", "no SPARQL result"),
    ],
)
def test_a_malformed_answer_is_no_absence(body: bytes, message: str) -> None:
    with serving(script=[says(200, body, RESULTS_JSON)]) as stub, pytest.raises(ServiceAnswerError, match=message):
        cellar(stub).lookup("32010L0075")


def test_an_incomplete_answer_is_no_absence() -> None:
    """Virtuoso answers a query that it had no time for with what it has, and says so in a header."""
    nothing = json.dumps({"results": {"bindings": []}}).encode()
    with serving(script=[says(200, nothing, RESULTS_JSON, X_SQL_State="S1TAT")]) as stub:
        with pytest.raises(ServiceAnswerError, match="incomplete"):
            cellar(stub).lookup("32010L0075")


_ONE_LITERAL = re.compile(r'"(?:[^"\\\n\r]|\\[tbnrf\\"\'])*"')


@given(st.text())
def test_no_text_breaks_out_of_a_literal(text: str) -> None:
    assert _ONE_LITERAL.fullmatch(literal(text))


@pytest.mark.parametrize("attack", ['x" . ?s ?p ?o . #', "x\\", 'x\\" }', 'x\n} DROP GRAPH <y> {', "x' OR '1"])
def test_an_id_stays_one_literal(attack: str) -> None:
    query = lookup_query(attack)
    rest = query.replace(literal(attack), '"…"')
    assert rest == lookup_query("…")
    with serving(WORKS) as stub:
        assert cellar(stub).lookup(attack) is None


@given(st.text())
def test_a_search_holds_words_only(title: str) -> None:
    words = content_words(title)
    if words:
        assert re.search(r"""bif:contains "'\w+\*?'(?: AND '\w+\*?')*" \.""", search_query(words))


@pytest.mark.parametrize("words", [[], ["a' OR 'b"], ['a"'], [""]])
def test_a_search_refuses_what_are_no_words(words: list[str]) -> None:
    with pytest.raises(ValueError, match="no words"):
        search_query(words)


@pytest.mark.parametrize("language", ["en", "EN", "ENGL", "E> .", ""])
def test_languages_are_three_capitals(language: str) -> None:
    with pytest.raises(ValueError, match="language"):
        lookup_query("32010L0075", language)


@pytest.mark.parametrize(
    ("name", "title", "same"),
    [
        ("conclusions for waste treatment", "Decision on conclusions for the treatment of waste", "yes"),
        ("the quality of bathing water", "the labelling of tyres", "no"),
        ("the production of cement", "the production of chlorine", "open"),  # one word of two says nothing
        ("best available techniques (BAT) conclusions for glass", "BAT conclusions for leather", "open"),
        ("Annexes VII and VIII to that Directive", "waste equipment", "open"),
        ("lakes", "mills", "open"),
        ("the quality of bathing water", "", "open"),
    ],
)
def test_subjects(name: str, title: str, same: str) -> None:
    assert same_subject(name, title) == same
