"""Rule summaries: full sentences, conditions first, with every number, source and bracket."""

from __future__ import annotations

from typing import Any

import pytest
from criteria_outline import (
    ROOT,
    SAMPLES,
    UNIT,
    criteria,
    gold_criteria,
    gold_facts,
    gold_header,
    gold_trees,
    limits,
    sample_units,
    values,
)

from regreact.fastpath.assembly import summarise_rules
from regreact.fastpath.summaries.clauses import ALWAYS, WHEN_LONG, CutRule, shorten
from regreact.fastpath.summaries.facts import time_words
from regreact.fastpath.summaries.verbs import with_duty
from regreact.schema import (
    Deadline,
    Dependencies,
    EffectiveFrom,
    EffectiveUntil,
    Recurring,
    References,
    ReferenceSource,
    TemporalItem,
    Threshold,
    Window,
)
from regreact.sources.model import Unit
from signatures.types import CorrectionValue, CriterionFacts


def summarised(outline: str, **facts: Any) -> dict[str, str]:
    """Return the summaries; `facts` holds what is known of criterion 1, or of several ones by id in `of`."""
    of: dict[str, dict[str, Any]] = {**facts.pop("of", {}), **({"1": facts} if facts else {})}
    known = [CriterionFacts(criterion_id=i, **fields) for i, fields in of.items()]
    return values(summarise_rules(unit=UNIT, activity=[], criteria=criteria(outline), facts=known))


def gated_by(criterion_id: str, status: str) -> Dependencies:
    return Dependencies.model_validate(
        {
            "condition_summary": "x",
            "min_conditions_to_meet": 1,
            "clauses": [{"criterion_id": criterion_id, "status": status}],
        }
    )


@pytest.mark.parametrize("rule", (*ALWAYS, *WHEN_LONG), ids=lambda rule: rule.name)
def test_every_cut_shortens_or_mends_its_example(rule: CutRule) -> None:
    assert rule.pattern.search(rule.example)
    assert rule.pattern.search(rule.pattern.sub(rule.instead, rule.example)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Noise, such as that of saws, is low.", "Noise is low."),
        ("The kiln (of any kind) is old.", "The kiln is old."),
        ("Waste, including ash, is stored.", "Waste is stored."),
        ("The hall is closed in order to keep dust inside.", "The hall is closed."),
    ],
)
def test_asides_are_cut_from_long_texts_only(text: str, expected: str) -> None:
    assert shorten(text) == text
    rest = " It has walls of brick, a roof of slate and a floor of oak." * 5
    assert shorten(text + rest).startswith(expected)


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("dust is swept", "dust must be swept"),
        ("the mill does not run at night", "the mill must not run at night"),
        ("walls are not painted", "walls must not be painted"),
        ("the mill has a roof", "the mill must have a roof"),
        ("the mill complies with ISO 99999", "the mill must comply with ISO 99999"),
        ("operators meet the limits", "operators must meet the limits"),
        ("the mill identifies and reduces noise", "the mill must identify and reduce noise"),
        ("sand that is wet is dried", "sand that is wet must be dried"),
        ("the mill shall rest", "the mill must rest"),
        ("the use of nets is allowed", "the use of nets must be allowed"),
        ("the mill openly discloses its readings", "the mill must openly disclose its readings"),
        ("no leaks occur", "no leaks may occur"),
        ("the auditor checks the dust", "the auditor must check the dust"),
        ("regular checks of dust are made", "regular checks of dust must be made"),
        ("measures that cause no noise are taken", "measures that cause no noise must be taken"),
    ],
)
def test_the_main_verb_becomes_a_duty(clause: str, expected: str) -> None:
    assert with_duty(clause) == expected


def test_the_condition_stands_first() -> None:
    found = summarised("1 | 1. Where the kiln is old, its walls are insulated.")
    assert found["1"] == "Where the kiln is old, its walls must be insulated."


def test_a_case_behind_its_value_comes_first() -> None:
    outline = """
    1 | Losses are lower than:
      1(a) | 2 % of heat, where the plant is small;
      1(b) | 1 % of heat, where the plant is large.
    """
    assert summarised(outline)["1(a)"].startswith("Where the plant is small, ")
    assert "2 % of heat" in summarised(outline)["1(a)"]


def test_footnote_markers_and_numbers_of_criteria_are_left_out() -> None:
    assert summarised("1 | 1.1. Dust(12) is swept.")["1"] == "Dust must be swept."


def test_a_second_sentence_is_kept_while_there_is_room() -> None:
    assert summarised("1 | Dust is swept. Noise is low.")["1"] == "Dust must be swept. Noise must be low."
    long = "1 | Dust is swept. " + "Noise is low. " * 60
    assert len(summarised(long)["1"]) < 520


def test_limits_that_the_sentence_leaves_out_are_added() -> None:
    dust = limits(None, ("Dust emissions", "<", 5, "mg/m3"))
    added = summarised("1 | Dust is low.", threshold=dust)["1"]
    assert added == "Dust must be low. The limit is dust emissions below 5 mg/m3."
    assert summarised("1 | Dust is below 5 mg/m3.", threshold=dust)["1"] == "Dust must be below 5 mg/m3."
    both = limits("OR", ("Dust", "<=", 5, "mg/m3"), ("Soot", "<=", 0.7, "mg/m3"))
    assert "dust at most 5 mg/m3 or soot at most 0.7 mg/m3" in summarised("1 | Air is clean.", threshold=both)["1"]


def test_a_number_in_words_is_stated() -> None:
    gates = limits(None, ("Gates", ">=", 3, "gates"))
    assert summarised("1 | The yard has three gates.", threshold=gates)["1"] == "The yard must have three gates."


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (Deadline(date="2031-12-31"), "by 31 December 2031"),
        (EffectiveFrom(date="2031-01-01"), "from 1 January 2031"),
        (EffectiveUntil(date="2031-12-31"), "until 31 December 2031"),
        (Window(start="2031-01-01", end="2032-12-31"), "from 1 January 2031 to 31 December 2032"),
        (Recurring(interval_value=2, interval_unit="years"), "every 2 years"),
    ],
)
def test_dates_that_the_sentence_leaves_out_are_added(item: TemporalItem, words: str) -> None:
    assert time_words(item) == words
    threshold = Threshold.model_validate({"temporal": {"logic": None, "items": [item.model_dump()]}})
    assert words in summarised("1 | Dust is swept.", threshold=threshold)["1"]


def test_a_date_that_the_sentence_states_is_not_repeated() -> None:
    threshold = Threshold.model_validate(
        {"temporal": {"logic": None, "items": [{"type": "deadline", "date": "2031-12-31"}]}}
    )
    found = summarised("1 | By 31 December 2031, dust is swept.", threshold=threshold)["1"]
    assert found == "By 31 December 2031, dust must be swept."


def test_sources_that_the_sentence_leaves_out_are_named() -> None:
    sources = tuple(
        ReferenceSource(text=t, type="must_be_fetched", celex_id=None) for t in ("ISO 99998", "Directive 2099/1/EU")
    )
    references = References(logic="AND", sources=sources)
    text = "1 | Dust is measured using ISO 99998."
    assert summarised(text, references=references)["1"].endswith("The source is Directive 2099/1/EU.")


def test_inherited_limits_and_corrections_stand_in_brackets() -> None:
    dust = limits(None, ("Dust", "<=", 5, "mg/m3"))
    fix = CorrectionValue.model_validate({"from": "1(ii)", "to": "2(b)"})
    text = "1 | The dust level referred to in point 1(ii) is certified."
    found = summarised(text, threshold=dust, threshold_from="2(b)", corrections=(fix,))["1"]
    assert found == (
        "The dust level referred to in point 2(b) must be certified. The limit is dust at most 5 mg/m3."
        " [THRESHOLD_FROM:2(b)] [CORR FROM:1(ii) TO:2(b) REASON:crossref]"
    )


def test_a_gate_that_the_text_does_not_state_comes_first() -> None:
    chosen, not_met = gated_by("2", "Affirmation"), gated_by("2", "Negation")
    assert summarised("1 | Dust is swept.", dependencies=chosen)["1"] == "Where 2 applies, dust must be swept."
    assert summarised("1 | Dust is swept.", dependencies=not_met)["1"] == "Unless 2 applies, dust must be swept."
    stated = "1 | Where point 2 is met, dust is swept."
    assert summarised(stated, dependencies=chosen)["1"] == "Where point 2 is met, dust must be swept."


def test_background_lays_down_no_duty() -> None:
    found = summarised("1 | The ferry service may include a night boat.", tags=("BackgroundInformation",))
    assert found["1"] == "The ferry service may include a night boat."


def test_items_go_on_with_the_words_of_their_chapeau() -> None:
    outline = """
    1 | The mill:
      1(a) | uses quiet saws;
      1(b) | has a closed yard;
    2 | The owner ensures:
      2(a) | clean water and dry sand;
    3 | The following substances are not added:
      3(a) | arsenic or lead;
    """
    found = summarised(outline)
    assert found["1(a)"] == "The mill must use quiet saws."
    assert found["1(b)"] == "The mill must have a closed yard."
    assert found["2(a)"] == "The owner must ensure clean water and dry sand."
    assert found["3(a)"] == "Arsenic or lead must not be added."


def test_an_item_whose_verb_is_not_known_stays_a_clause() -> None:
    outline = "1 | The following applies:\n  1(a) | the hull glides over at least 3 m;"
    assert summarised(outline)["1(a)"] == "The hull glides over at least 3 m."


def test_a_period_ends_where_a_clause_follows_without_a_comma() -> None:
    found = summarised("1 | Until 31 December 2031 the ferry burns a mix of oils.")
    assert found["1"] == "Until 31 December 2031, the ferry must burn a mix of oils."


def test_a_noun_phrase_that_opens_a_list_goes_on_with_its_own_chapeau() -> None:
    outline = """
    1 | The log contains the following:
      1(a) | a table of jars, covering:
        1(a)(i) | lids;
        1(a)(ii) | where the glass comes from;
    """
    found = summarised(outline, of={"1(a)(ii)": {"tags": ("Commitment",)}})
    assert found["1(a)"] == "The log must contain a table of jars, covering both 1(a)(i) and 1(a)(ii)."
    assert found["1(a)(ii)"] == "The documents required must cover where the glass comes from."


def test_dates_behind_the_words_for_a_list_stay() -> None:
    outline = "1 | The owner keeps two of the following until 31 December 2031:\n" + "\n".join(
        f"  1({letter}) | a log of {what};" for letter, what in (("a", "jars"), ("b", "lids"), ("c", "loads"))
    )
    found = summarised(outline, evaluation_logic="N_OF_K")
    assert found["1"] == "The owner must keep at least 2 of 1(a), 1(b) and 1(c) until 31 December 2031."
    assert found["1(a)"] == "The owner must keep a log of jars."


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("Verification", "verification"),
        ("Methodology", "must follow or apply"),
        ("Commitment", "documents required"),
        ("Assessment", "assessment work"),
        ("Replacement", "must consist in"),
    ],
)
def test_a_noun_phrase_is_framed_by_its_tag(tag: str, words: str) -> None:
    outline = "1 | The following applies:\n  1(a) | jars and lids of glass;"
    found = summarised(outline, of={"1(a)": {"tags": (tag,)}, "1": {"tags": (tag,)}})["1(a)"]
    assert words in found
    assert "jars and lids of glass" in found


THREE = "1 | The kiln meets {chapeau}:\n  1(a) | dust is low;\n  1(b) | noise is low;\n  1(c) | the yard is closed."


@pytest.mark.parametrize(
    ("logic", "chapeau", "words"),
    [
        ("AND", "all of the following", "all of 1(a), 1(b) and 1(c)"),
        ("OR", "one of the following", "at least one of 1(a), 1(b) and 1(c)"),
        ("N_OF_K", "at least two of the following", "at least 2 of 1(a), 1(b) and 1(c)"),
    ],
)
def test_a_chapeau_says_how_its_children_combine(logic: str, chapeau: str, words: str) -> None:
    found = summarised(THREE.format(chapeau=chapeau), evaluation_logic=logic)["1"]
    assert found == f"The kiln must meet {words}."


def test_two_children_are_both_or_either() -> None:
    outline = "1 | The kiln meets the following:\n  1(a) | dust is low;\n  1(b) | noise is low."
    assert summarised(outline, evaluation_logic="AND")["1"] == "The kiln must meet both 1(a) and 1(b)."
    assert summarised(outline, evaluation_logic="OR")["1"] == "The kiln must meet either 1(a) or 1(b)."


def test_a_conditional_chapeau_states_its_condition_and_an_earlier_duty() -> None:
    outline = """
    1 | Dust is swept. Where the kiln is old, one of the following is used:
      1(a) | a wet broom;
      1(b) | a cover.
    """
    found = summarised(outline, evaluation_logic="OR")["1"]
    assert found.startswith("Dust must be swept. Where the kiln is old, ")
    assert "either 1(a) or 1(b)" in found


def test_root_headings_and_containers_name_what_must_be_met() -> None:
    outline = """
    1 | # 1. Quiet
      1(a-b)
        1(a) | Dust is swept.
        1(b) | Noise is low.
      1(c) | The yard is closed.
    2 | Lamps are off at night.
    """
    found = summarised(outline, of={"1": {"evaluation_logic": "OR"}})
    assert found["ROOT"] == "The activity must meet both 1 and 2."
    assert found["1"] == "Quiet: either 1(a-b) or 1(c) must be met."
    assert found["1(a-b)"] == "Both 1(a) and 1(b) must be met together as one pathway."


def test_background_is_not_among_what_must_be_met() -> None:
    outline = "1 | Dust is swept.\n2 | Noise is low.\n2.BackgroundInformation | The mill may be a museum."
    found = summarised(outline, of={"2.BackgroundInformation": {"tags": ("BackgroundInformation",)}})
    assert found["ROOT"] == "The activity must meet both 1 and 2."


@pytest.mark.parametrize("text", ["", "1.", "(1)", ";", "N/A", "Where the kiln is old:"])
def test_a_summary_is_never_empty(text: str) -> None:
    assert len(summarised(f"1 | {text}")["1"]) > 3


def _check(trees: list[dict[str, Any]], units: dict[tuple[str, str], Unit]) -> None:
    written = printed = 0
    for tree in trees:
        views = gold_criteria(tree, units[tree["source"], tree["unit"]])
        texts = {v.criterion_id: v.text for v in views}
        found = values(summarise_rules(unit=gold_header(tree), activity=[], criteria=views, facts=gold_facts(tree)))
        for i, summary in found.items():
            assert summary[0] == summary[0].upper(), (tree["unit"], i, summary)
            assert summary[-1] in ".]", (tree["unit"], i, summary)
            if texts[i] and not i.endswith(")"):
                written, printed = written + len(summary), printed + len(texts[i])
    # Items, which repeat what their chapeau says, aside: longer by a fifth at most, limits and sources included.
    assert written < 1.2 * printed


def test_samples_get_full_sentences() -> None:
    _check(gold_trees(SAMPLES / "gold"), sample_units())


def test_gold_units_get_full_sentences(real_units: dict[tuple[str, str], Unit]) -> None:
    _check(gold_trees(ROOT / "data/gold"), real_units)
