"""The packaged register: true to its sources, names and no titles."""

import json
from pathlib import Path

import pytest

from experiments.build_register import WORDS, build, render, subject
from regreact.legal.acts import NAMED_ACTS, numbered_acts
from regreact.legal.celex import parse
from regreact.legal.register import PATH, Register

ENTRIES = json.loads(PATH.read_text(encoding="utf-8"))


def test_every_title_leads_back_to_its_id() -> None:
    for celex, title in ENTRIES.items():
        first = next(numbered_acts(title))
        assert (first.start, first.celex) == (0, celex)


def test_subjects_are_a_few_words() -> None:
    for title in ENTRIES.values():
        assert len(title.partition(" on ")[2].split()) <= WORDS


def test_it_is_sorted_and_small() -> None:
    assert list(ENTRIES) == sorted(ENTRIES)
    assert PATH.stat().st_size < 30_000


def test_it_holds_acts_that_exist_only() -> None:
    assert not [i for i in ENTRIES if (act := parse(i)) is None or act.year > 2030]
    assert set(NAMED_ACTS.values()) <= set(ENTRIES)


def test_it_is_not_stale(data_root: Path) -> None:
    if not (data_root / "acts").is_dir():
        pytest.skip(f"real source absent: {data_root / 'acts'}")
    assert PATH.read_text(encoding="utf-8") == render(build(data_root)), "run experiments/build_register.py"


@pytest.mark.parametrize(
    ("title", "about"),
    [
        ("on the quality of lake water and repealing Directive 2001/3/EC", "quality of lake water"),
        ("laying down rules for the keeping of mills, amending Decision 2001/3/EC", "keeping of mills"),
        ("establishing best available techniques (BAT) conclusions, under Directive 2001/3/EU of the European Parliament and of the Council, for mills", "BAT conclusions for mills"),
        ("implementing Directive 2001/3/EC of the European Parliament and of the Council with regard to mill wheels", "mill wheels"),
        ("establishing a framework for Community action in the field of lake policy", "lake policy"),
        ("on mills, wheels and dams (recast)", "mills, wheels and dams"),
        ("on one two three four five six seven of the eight nine", "one two three four five six seven"),
    ],
)  # fmt: skip
def test_subject_of_a_title(title: str, about: str) -> None:
    assert subject(title) == about


def test_the_register_cannot_tell_that_an_act_does_not_exist() -> None:
    register = Register.packaged()
    assert register.lookup("32010L0075").state == "found"
    assert register.lookup("32010L7500").state == "unknown"


def test_search_by_all_words() -> None:
    register = Register.packaged()
    assert [w.celex for w in register.search(["combustion", "plants", "large"])] == ["32017D1442"]
    assert register.search(["combustion", "zebra"]) == []
    assert register.search([]) == []
