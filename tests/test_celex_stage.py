"""Stages 4 and 6 verify their CELEX ids: answers, edges, review and memory afterwards; by register, service, model."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import dspy
import pytest
import stamina

from regreact import corpus
from regreact.answers import Answer
from regreact.config import Settings, load
from regreact.digests import config_hash
from regreact.errors import ConfigError
from regreact.legal.authority import CellarAuthority
from regreact.legal.cellar import Cellar
from regreact.legal.register import Register
from regreact.legal.web import WebClient
from regreact.legal.works import Work
from regreact.odr import Outcome
from regreact.program import RegReAct
from regreact.runner import Extractor
from regreact.schema import Extraction
from regreact.sources.model import Block, Unit
from regreact.stages.celex import CelexVerifier
from signatures.types import AnsweredReferences, AnsweredSource, CelexEntry
from tests.lm import Reply, scripted
from tests.stub_cellar import Stub, answer, late, says, serving

TEXT = "1. The mill complies with Annex I to Directive 2010/75/EU and with Directive 2031/5/EU(1)."
NOTE = "Regulation (EC) No 338/97 on wheels."
UNIT = Unit(
    "X-1/SC", "Lake mills", "", "SC", "x", "0" * 64, "html", (Block(0, "p", 0, None, TEXT, footnotes=("fn-1",)),), {"fn-1": NOTE}
)
EUR_LEX = "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:"


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    with stamina.set_testing(True, attempts=2, cap=True):
        yield


def references(first: str | None, second: str | None) -> Reply:
    """A model's answer to stage 4."""
    cited = [("Annex I to Directive 2010/75/EU", first), ("Directive 2031/5/EU", second)]
    sources = [
        {"text": t, "type": "must_be_fetched", "celex_id": c, "link": f"{EUR_LEX}{c}", "link_status": "generated"}
        for t, c in cited
    ]
    return {"answers": [{"criterion_id": "1", "references": {"logic": "AND", "sources": sources}}]}


def footnotes(celex: str | None) -> Reply:
    """A model's answer to stage 6."""
    items = [{"kind": "EU Legal Act", "title": "Regulation (EC) No 338/97", "celex_id": celex, "type": "citation_only"}]
    return {"answers": [{"id": "fn-1", "footnote": {"categories": ["Legal Reference"], "items": items}}]}


def settings(*overrides: str) -> Settings:
    return load(["fastpath=off", "odr=off", "lm=compatible", "lm.reasoning=false", *overrides])


def stage4_and_6(chosen: Settings, replies: list[Reply]) -> tuple[dict[str, object], list[str]]:
    """Run stages 4 and 6 alone with a model's replies; return what they give, and the prompts."""
    structure = RegReAct(load()).flow.run({"unit": UNIT, "activity_memory": None, "official": None}, ["structure"])
    lm, engine = scripted(replies)
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        state = RegReAct(chosen).flow.run(structure, only=["references", "footnotes"])
    return state, engine.prompts


def entries(state: dict[str, object], stage: str) -> dict[str, CelexEntry]:
    return state[stage].memory.celex_entries()  # type: ignore[attr-defined]


def sources(state: dict[str, object]) -> list[tuple[str | None, str | None]]:
    value = state["references"].value("ExtractReferences", "1")  # type: ignore[attr-defined]
    return [(s.celex_id, s.link) for s in value.sources]


def test_a_corrected_id_replaces_the_wrong_one() -> None:
    replies = [references("32010R0075", "32031L0005"), {"answers": [mend("0", "32010L0075")]}, footnotes("31997R0338")]
    state, prompts = stage4_and_6(settings(), replies)
    assert sources(state) == [
        ("32010L0075", f"{EUR_LEX}32010L0075"), ("32031L0005", f"{EUR_LEX}32031L0005"),
    ]  # fmt: skip
    assert "wrong_type" in prompts[1]
    assert "32010R0075" in prompts[1]
    found = entries(state, "references")
    assert {i: (e.status, e.celex_id) for i, e in found.items()} == {
        "32010R0075": ("corrected", "32010L0075"), "32031L0005": ("unverified", "32031L0005"),
    }  # fmt: skip
    assert [(a.celex_id, a.proposed_by, a.error) for a in found["32010R0075"].attempts] == [
        ("32010R0075", "answer", "wrong_type"), ("32010L0075", "lm", None),
    ]  # fmt: skip
    targets = [e.target for e in state["references"].edges]  # type: ignore[attr-defined]
    assert targets == ["celex:32010L0075", "celex:32031L0005"]


def mend(failure: str, celex_id: str) -> dict[str, object]:
    return {"id": failure, "celex_id": celex_id, "reason": "a directive is cited"}


def test_a_model_that_guesses_is_not_believed() -> None:
    """Three wrong proposals, each a real act; the id is flagged and stays."""
    guesses: list[Reply] = [{"answers": [mend("0", i)]} for i in ("32009L0125", "32020R0852", "32008L0098")]
    replies = [references("32010R0075", None), *guesses, footnotes(None)]
    state, _ = stage4_and_6(settings(), replies)
    assert sources(state)[0][0] == "32010R0075"
    (issue,) = state["references"].outcomes["ExtractReferences"].issues  # type: ignore[attr-defined]
    assert (issue.item_id, issue.severity, issue.observer) == ("1", "major", "celex_exists")
    assert "32010R0075 for 'Annex I to Directive 2010/75/EU'" in issue.description


def test_a_model_that_says_nothing_usable() -> None:
    replies = [references("32010R0075", None), *["no fields here"] * 6, footnotes(None)]
    lm, _ = scripted(replies)
    structure = RegReAct(load()).flow.run({"unit": UNIT, "activity_memory": None, "official": None}, ["structure"])
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter(use_json_adapter_fallback=False)):
        state = RegReAct(settings()).flow.run(structure, only=["references"])
    assert state["references"].memory.celex_entries()["32010R0075"].status == "flagged"


def test_solver_first_then_model() -> None:
    """With `fastpath=first` the model is asked only for what no rule mends: here nothing."""
    verifier = CelexVerifier(settings("fastpath=first"))
    lm, engine = scripted([])
    with dspy.context(lm=lm):
        checked = verifier("ExtractReferences", UNIT, {"criteria": []}, answered("32010R0075"))
    assert [e.celex_id for e in checked.entries] == ["32010L0075"]
    assert engine.prompts == []


def answered(celex: str, citation: str = "Annex I to Directive 2010/75/EU") -> Outcome:
    """An outcome of stage 4 with one source."""
    source = AnsweredSource(text=citation, type="must_be_fetched", celex_id=celex)
    return Outcome({"1": Answer("1", AnsweredReferences(sources=(source,)), 0.9, (), "lm")})


@pytest.mark.parametrize("celex", ["32010L75", "CELEX:32010L0075", "02010L0075-20240804"])
def test_a_malformed_id_does_not_spoil_the_reply(celex: str) -> None:
    replies = [references(celex, None), {"answers": [mend("0", "32010L0075")]}, footnotes("338/97")]
    replies += [{"answers": [mend("0", "31997R0338")]}]
    state, _ = stage4_and_6(settings(), replies)
    assert sources(state)[0] == ("32010L0075", f"{EUR_LEX}32010L0075")
    value = state["footnotes"].value("ProcessFootnotes", "fn-1")  # type: ignore[attr-defined]
    assert value.items[0].celex_id == "31997R0338"
    assert entries(state, "footnotes")["338/97"].status == "corrected"


@pytest.mark.parametrize("mode", ["register", "off"])
def test_what_is_no_id_is_left_out_of_the_answer(mode: str) -> None:
    verifier = CelexVerifier(load([f"celex={mode}"]))
    checked = verifier("ExtractReferences", UNIT, {"criteria": []}, answered("see there", "another instrument"))
    source = checked.outcome.value("1").sources[0]
    assert (type(source).__name__, source.celex_id) == ("ReferenceSource", None)
    assert [e.status for e in checked.entries] == (["flagged"] if mode == "register" else [])
    assert [i.observer for i in checked.outcome.issues if i.observer == "celex_exists"] == (
        ["celex_exists"] if mode == "register" else []
    )


def extract(stub: Stub, *overrides: str, unit: Unit = UNIT) -> Extraction:
    chosen = load(["celex=cellar", f"celex.base_url={stub.url}", "celex.rate=20", "celex.retries=1", *overrides])
    return Extractor(chosen).extract(unit)


WORKS = {
    "32010L0075": "Directive 2010/75/EU of 24 November 2010 on emissions",
    "31997R0338": "Council Regulation (EC) No 338/97 of 9 December 1996 on wheels",
}


def test_the_service_is_asked_once_for_each_id_and_flags_reach_the_review() -> None:
    with serving(WORKS) as stub:
        extraction = extract(stub)
        assert len(stub.queries) == 3
    celex = extraction.memory["celex"]
    assert {i: (e["status"], e["authority"]) for i, e in celex.items()} == {
        "31997R0338": ("verified", "cellar"), "32010L0075": ("verified", "cellar"), "32031L0005": ("flagged", None),
    }  # fmt: skip
    assert celex["32010L0075"]["title"] == WORKS["32010L0075"]
    assert [a["error"] for a in celex["32031L0005"]["attempts"]] == ["not_existing"]
    (item,) = [r for r in extraction.review if r.stage == "s4"]
    assert (item.criterion_id, item.severity) == ("1", "major")
    assert "no work has the id 32031L0005" in item.reason
    assert Extraction.model_validate(extraction.to_json()) == extraction


def test_a_service_that_is_down_is_asked_no_more(caplog: pytest.LogCaptureFixture) -> None:
    with serving(script=[says(503)] * 9) as stub, caplog.at_level(logging.WARNING, "regreact"):
        extraction = extract(stub)
        assert len(stub.queries) == 2
    celex = extraction.memory["celex"]
    assert {i: (e["status"], e["authority"]) for i, e in celex.items()} == {
        "31997R0338": ("verified", "register"), "32010L0075": ("verified", "register"), "32031L0005": ("unverified", None),
    }  # fmt: skip
    assert "status 503" in celex["32031L0005"]["reason"]
    assert extraction.review == ()
    (record,) = (r for r in caplog.records if r.name.startswith("regreact"))
    assert "packaged register" in record.message


def test_a_malformed_answer_concerns_one_id_only() -> None:
    with serving(WORKS, [answer, says(200, b"{}", "application/json")]) as stub:
        celex = extract(stub).memory["celex"]
    assert [celex[i]["status"] for i in ("32010L0075", "32031L0005", "31997R0338")] == ["verified", "unverified", "verified"]
    assert [celex[i]["authority"] for i in ("32010L0075", "31997R0338")] == ["cellar", "cellar"]


def test_threads_ask_once() -> None:
    with serving(WORKS, [late(0.1)]) as stub:
        authority = CellarAuthority(Cellar(WebClient(stub.url, rate=1000, retries=0)), Register([]))
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(authority.lookup, ["32010L0075"] * 8))
        assert {f.state for f in found} == {"found"}
        assert len(stub.queries) == 1
        assert authority.__deepcopy__({}) is authority


def test_a_search_falls_back_to_the_register() -> None:
    with serving(script=[says(400)]) as stub:
        register = Register([Work("32099L0001", "Directive (EU) 2099/1 on lake mills")])
        authority = CellarAuthority(Cellar(WebClient(stub.url, rate=1000, retries=0)), register)
        assert [w.celex for w in authority.search(["lake", "mills"])] == ["32099L0001"]


def test_off_leaves_ids_alone() -> None:
    verifier = CelexVerifier(load(["celex=off"]))
    checked = verifier("ExtractReferences", UNIT, {"criteria": []}, answered("32010R0075"))
    assert checked.outcome.value("1").sources[0].celex_id == "32010R0075"
    assert checked.entries == ()


def test_off_and_register_need_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr("socket.socket.connect", refuse)
    for mode in ("register", "off"):
        Extractor(load([f"celex={mode}"])).extract(UNIT)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("celex.base_url=http://publications.europa.eu", "https"),
        ("celex.rate=0", "celex.rate"),
        ("celex.mode=eurlex", "celex.mode"),
        ("celex.url=x", "base_url"),
    ],
)
def test_settings_are_checked(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load([override])


def test_who_is_asked_is_part_of_the_configuration_hash() -> None:
    hashes = {config_hash(load([f"celex={mode}"])) for mode in ("register", "cellar", "off")}
    assert len(hashes) == 3
    assert config_hash(load(["celex.rate=1"])) == config_hash(load())


def test_the_samples_are_extracted_without_any_flag() -> None:
    units = [u for d in corpus.load("samples").documents for u in d.units]
    states: set[str] = set()
    for _, result, _ in Extractor(load()).stream(units):
        assert isinstance(result, Extraction)
        states |= {e["status"] for e in result.memory["celex"].values()}
    assert states <= {"verified", "unverified"}
