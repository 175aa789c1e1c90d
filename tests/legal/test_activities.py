"""Activity numbers joined by title, on invented documents and on the real ones."""

from __future__ import annotations

from regreact.legal.activities import match_activities, normal_title, official_numbers
from regreact.sources.model import Document, Unit


def document(**titles: str) -> Document:
    """A document whose activities have these titles, by key with `_` for `-` and `.`, e.g. `CCM_1_1`."""
    units = []
    for name, title in titles.items():
        annex, _, number = name.partition("_")
        key = f"{annex}-{number.replace('_', '.')}/SC"
        units.append(Unit(key, title, "", "SC", "d", "0", "html", ()))
    return Document("d", "0", "html", tuple(units))


def test_titles_are_compared_without_case_hyphens_and_punctuation() -> None:
    assert normal_title("Low-carbon mills,  wind & water") == normal_title("LOW CARBON MILLS, WIND WATER")


def test_the_number_follows_the_title_within_the_annex() -> None:
    compass = document(CCM_1_1="Windmills", CCA_1_1="Windmills", CCA_6_9="Mill-ponds")
    act = document(CCM_1_1="Windmills", CCA_1_1="Mill ponds", CCA_1_2="WINDMILLS")
    assert official_numbers(compass, [act]) == {"CCM-1.1": "CCM-1.1", "CCA-1.1": "CCA-1.2", "CCA-6.9": "CCA-1.1"}


def test_a_reworded_title_matches_if_no_equal_one_does() -> None:
    compass = document(CCM_6_1="Transport by sail boats, barges and small ferries")
    act = document(CCM_6_4="Transport by sail boats, barges and ferries", CCM_6_1="Transport by mules")
    assert official_numbers(compass, [act]) == {"CCM-6.1": "CCM-6.4"}


def test_what_no_act_has_is_reported() -> None:
    match = match_activities(document(CCM_1_1="Windmills", CCM_1_2="Kilns"), [document(CCM_1_1="Windmills")])
    assert match.numbers == {"CCM-1.1": "CCM-1.1"}
    assert match.unmatched == ("CCM-1.2",)


def test_each_official_activity_is_matched_once() -> None:
    match = match_activities(document(CCM_1_1="Windmills", CCM_1_2="Windmills"), [document(CCM_3_1="Windmills")])
    assert (match.numbers, match.unmatched) == ({"CCM-1.1": "CCM-3.1"}, ("CCM-1.2",))


def test_the_first_of_several_acts_counts() -> None:
    acts = [document(CCM_1_1="Windmills"), document(CCM_1_9="Windmills", CCM_1_1="Kilns")]
    assert official_numbers(document(CCM_2_2="Windmills"), acts) == {"CCM-2.2": "CCM-1.1"}


def test_eight_compass_numbers_differ_from_the_official_ones(compass: Document, formex_climate: Document) -> None:
    match = match_activities(compass, [formex_climate])
    assert match.unmatched == ()
    assert len(match.numbers) == 183
    assert {own: official for own, official in match.numbers.items() if own != official} == {
        "CCA-6.18": "CCA-6.15",
        "CCA-6.19": "CCA-6.16",
        "CCA-6.20": "CCA-6.17",
        "CCA-8.3": "CCA-8.2",
        "CCA-8.4": "CCA-8.3",
        "CCA-9.1": "CCA-9.2",
        "CCA-9.4": "CCA-9.1",
        "CCA-11.1": "CCA-11",
    }
