"""The verification loop: wrong ids put right, those that cannot be are flagged, and every step is kept."""

from collections.abc import Mapping, Sequence

import pytest

from regreact.answers import CelexRepair
from regreact.legal.celex import parse
from regreact.legal.identity import compare, read_citation
from regreact.legal.register import Register
from regreact.legal.repair import repair_celex
from regreact.legal.verification import ATTEMPTS, Claim, Proposal, verify
from regreact.legal.works import Authority, Finding, Work
from signatures.types import CelexEntry, CelexFailure


class World:
    """An authority that knows all works there are; counts what it is asked."""

    def __init__(self, works: Mapping[str, str], down: bool = False) -> None:
        self.works = {i: Work(i, title, act.type if (act := parse(i)) else None) for i, title in works.items()}
        self.down = down
        self.asked: list[str] = []

    def lookup(self, celex_id: str) -> Finding:
        self.asked.append(celex_id)
        if self.down:
            return Finding("unknown", reason="the service is down")
        work = self.works.get(celex_id)
        return Finding("found" if work else "absent", work, "cellar")

    def search(self, words: Sequence[str]) -> list[Work]:
        return [w for w in self.works.values() if all(word in w.title.lower() for word in words)]


def by_rule(failures: Sequence[CelexFailure], attempt: int) -> dict[str, Proposal]:
    return {a.id: Proposal(a.value, "rule") for a in repair_celex(failures)}


def check(citation: str, celex_id: str, authority: Authority, printed: frozenset[str] = frozenset()) -> CelexEntry:
    claim = Claim(celex_id, citation)
    return verify([claim], authority, by_rule, printed)[claim]


# Citation, wrong id, what is wrong with it, right id: found by rule in the packaged register, without network.
WRONG = [
    # another type
    ("Directive 2010/75/EU", "32010R0075", "wrong_type", "32010L0075"),
    ("Regulation (EU) 2019/631", "32019L0631", "wrong_type", "32019R0631"),
    ("Decision 2000/532/EC", "32000L0532", "wrong_type", "32000D0532"),
    ("Recommendation 2013/179/EU", "32013R0179", "wrong_type", "32013H0179"),
    ("Commission Recommendation 2013/179/EU", "32013D0179", "wrong_type", "32013H0179"),
    ("Commission Implementing Decision (EU) 2017/1442", "32017R1442", "wrong_type", "32017D1442"),
    # the year
    ("Directive 98/70/EC", "32098L0070", "wrong_year", "31998L0070"),
    ("Article 6(3) of Directive 92/43/EEC", "32092L0043", "wrong_year", "31992L0043"),
    ("Council Regulation (EC) No 338/97", "32097R0338", "wrong_year", "31997R0338"),
    ("Directive 2008/98/EC", "32009L0098", "wrong_year", "32008L0098"),
    ("Directive 2003/87/EC", "31903L0087", "wrong_year", "32003L0087"),
    # the number
    ("Directive 2012/27/EU", "32012L0072", "wrong_number", "32012L0027"),
    ("Directive 2009/128/EC", "32009L0125", "wrong_number", "32009L0128"),  # exists, but is another act
    ("Regulation (EU) 2020/852", "32020R8520", "wrong_number", "32020R0852"),
    # padding, sector, order of the parts
    ("Recommendation 2013/179/EU", "32013H179", "wrong_padding", "32013H0179"),
    ("Annex I to Directive 2010/75/EU", "32010L75", "wrong_padding", "32010L0075"),
    ("Directive 92/43/EEC", "31992L043", "wrong_padding", "31992L0043"),
    ("Article 13 of that Directive", "32010L75", "wrong_padding", "32010L0075"),
    ("Regulation (EU) 2018/1999", "2018R1999", "wrong_padding", "32018R1999"),
    ("Regulation (EU) 2018/1999", "CELEX: 32018R1999", "wrong_padding", "32018R1999"),
    ("Regulation (EU) 2018/1999", "3R20181999", "wrong_padding", "32018R1999"),
    ("Directive 2010/75/EU", "32010L000075", "unreadable", "32010L0075"),
    ("Directive 2010/75", "n/a", "unreadable", "32010L0075"),
    # number and year exchanged
    ("Regulation (EC) No 1907/2006", "31907R2006", "swapped_order", "32006R1907"),
    ("Regulation (EC) No 338/97", "30338R1997", "swapped_order", "31997R0338"),
    ("Directive 2009/125/EC", "30125L2009", "swapped_order", "32009L0125"),
    ("Regulation (EU) No 1257/2013", "31257R2013", "swapped_order", "32013R1257"),
    # versions and corrections
    ("Directive 2010/75/EU", "32010L0075R(01)", "other_version", "32010L0075"),
    ("Directive 2010/75/EU", "02010L0075-20240804", "other_version", "32010L0075"),
    ("Annex III to that Directive", "02010L0075-20240804", "other_version", "32010L0075"),
    # Euratom
    ("Directive 2011/70/Euratom", "32011R0070", "wrong_type", "32011L0070"),
    ("Council Directive 2013/59/Euratom", "32013L0095", "wrong_number", "32013L0059"),
    ("Council Regulation (Euratom) No 2587/1999", "32587R1999", "swapped_order", "31999R2587"),
    ("Recommendation 2006/851/Euratom", "32006D0851", "wrong_type", "32006H0851"),
    # by name and by subject
    ("Waste Framework Directive", "32008L0056", "wrong_number", "32008L0098"),
    ("Regulation on the labelling of tyres", "32020L0740", "wrong_type", "32020R0740"),
    ("BAT conclusions for large combustion plants", "32010L0075", "other_act", "32017D1442"),
    # several slips at once, and a work that is no act
    ("Directive 98/70/EC", "32070R0098", "other_act", "31998L0070"),
    ("Directive 2010/75/EU", "52011DC0571", "other_act", "32010L0075"),
    ("Regulation (EU) No 582/2011 implementing Regulation (EC) No 595/2009", "32009R0595", "other_act", "32011R0582"),
]  # fmt: skip


@pytest.mark.parametrize(("citation", "wrong", "error", "right"), WRONG)
def test_a_wrong_id_is_put_right(citation: str, wrong: str, error: str, right: str) -> None:
    entry = check(citation, wrong, Register.packaged())
    assert (entry.status, entry.celex_id, entry.answered, entry.authority) == ("corrected", right, wrong, "register")
    first, *others = entry.attempts
    assert (first.celex_id, first.proposed_by, first.error) == (wrong, "answer", error)
    assert first.finding
    assert (others[-1].celex_id, others[-1].error) == (right, None)
    assert entry.title.startswith(("Directive", "Regulation", "Decision", "Recommendation", "Implementing", "Co"))


TITLES = {
    "31991L0271": "Council Directive 91/271/EEC on lake mills and waste",
    "32010L0075": "Directive 2010/75/EU on engine emissions",
    "32010L0076": "Directive 2009/1/EC on something else",
    "32020R0740": "Regulation (EU) 2020/740 on the labelling of wheels",
    "32017D0001": "Implementing Decision (EU) 2017/1 on conclusions for tall water mills",
    "32021D0002": "Implementing Decision (EU) 2021/2 on conclusions for tall water mills",
}


@pytest.mark.parametrize(
    ("citation", "celex_id", "error", "says"),
    [
        # nothing of this number exists
        ("Directive 2010/750/EU", "32010L0750", "not_existing", "no work has the id 32010L0750"),
        ("that Directive", "32010L7500", "not_existing", "no work has the id"),
        # a slip leads to an act that exists, but nothing says that it is meant
        ("Article 3 of that Directive", "32091L0271", "not_existing", "could be 31991L0271"),
        ("that Directive", "32010R0075", "wrong_type", "could be 32010L0075"),
        # two acts fit the subject
        ("conclusions for tall water mills", "32010L0075", "other_act", "could be 32017D0001, 32021D0002"),
        # the number leads to one act, the subject to another
        ("Directive 2010/75/EU on the labelling of wheels", "32010L0075", "other_act", "could be 32020R0740"),
        # the work that has the id is called otherwise
        ("Directive 2010/76/EU", "32010L0076", "other_act", "the work's title names 32009L0001"),
        ("another instrument", "ISO 14040", "unreadable", "no CELEX id"),
    ],
)  # fmt: skip
def test_what_cannot_be_proved_is_flagged(citation: str, celex_id: str, error: str, says: str) -> None:
    entry = check(citation, celex_id, World(TITLES))
    assert (entry.status, entry.celex_id) == ("flagged", celex_id)
    assert entry.attempts[0].error == error
    assert says in entry.reason


def test_the_section_tells_which_act_is_meant() -> None:
    world = World(TITLES)
    printed = frozenset({"31991L0271"})
    assert check("Article 3 of that Directive", "32091L0271", world, printed).celex_id == "31991L0271"
    assert check("that Directive", "31991L0271", world, printed).status == "verified"
    assert check("that Directive", "31991L0271", world).status == "unverified"


def test_a_title_search_is_the_last_resort() -> None:
    entry = check("conclusions for tall water mills", "32099D0001", World({"32017D0001": TITLES["32017D0001"]}))
    assert (entry.status, entry.celex_id) == ("corrected", "32017D0001")
    assert [a.proposed_by for a in entry.attempts][-1] == "search"


def test_the_century_of_an_act_named_by_subject() -> None:
    entry = check("Directive on lake mills", "32091L0271", World(TITLES))
    assert (entry.status, entry.celex_id) == ("corrected", "31991L0271")
    assert entry.reason == "its title names the subject that the citation names"


@pytest.mark.parametrize(
    ("citation", "celex_id"),
    [
        ("Directive 2010/75/EU", "32010L0075"),
        ("Annex I to Directive 2010/75/EU", "32010L0075"),
        ("Directives 2009/1/EC and 2010/75/EU", "32010L0075"),
        ("Industrial Emissions Directive", "32010L0075"),
        ("the rules on engine emissions", "32010L0075"),
        ("Regulation (EU) 2020/740", "32020R0740"),
    ],
)
def test_a_right_id_is_verified(citation: str, celex_id: str) -> None:
    world = World(TITLES)
    entry = check(citation, celex_id, world)
    assert (entry.status, entry.celex_id, entry.title) == ("verified", celex_id, TITLES[celex_id])
    assert world.asked == [celex_id]
    assert len(entry.attempts) == 1


def test_nobody_can_tell() -> None:
    unknown = check("Directive 2031/1/EU", "32031L0001", Register.packaged())
    assert (unknown.status, unknown.authority) == ("unverified", None)
    assert "not in the packaged register" in unknown.reason
    down = check("Directive 2010/75/EU", "32010L0075", World(TITLES, down=True))
    assert (down.status, down.reason) == ("unverified", "the service is down")


def test_what_the_citation_contradicts_is_flagged_even_if_nobody_can_be_asked() -> None:
    entry = check("Directive (EU) 2031/1", "32031R0001", World({}, down=True))
    assert (entry.status, entry.celex_id) == ("flagged", "32031R0001")
    assert entry.reason.endswith("could be 32031L0001")


def test_there_are_three_attempts() -> None:
    """A repairer that always proposes something else is not followed for ever, nor believed."""
    proposed = iter(["32010L0075", "32020R0740", "31991L0271", "32017D0001"])

    def guess(failures: Sequence[CelexFailure], attempt: int) -> dict[str, Proposal]:
        return {f.id: Proposal(CelexRepair(next(proposed), "a guess"), "lm") for f in failures}

    claim = Claim("32012L9999", "Directive 2012/9999/EU")
    entry = verify([claim], World(TITLES), guess)[claim]
    assert entry.status == "flagged"
    assert [a.celex_id for a in entry.attempts] == ["32012L9999", "32010L0075", "32020R0740", "31991L0271"]
    assert len(entry.attempts) == 1 + ATTEMPTS
    assert next(proposed) == "32017D0001"


def test_the_same_id_is_not_tried_twice() -> None:
    def again(failures: Sequence[CelexFailure], attempt: int) -> dict[str, Proposal]:
        return {f.id: Proposal(CelexRepair(f.tried[0], "once more"), "lm") for f in failures}

    claim = Claim("32012L9999", "Directive 2012/9999/EU")
    world = World(TITLES)
    entry = verify([claim], world, again)[claim]
    assert (entry.status, world.asked) == ("flagged", ["32012L9999"])


def test_one_question_for_all_failures_of_an_attempt() -> None:
    sizes: list[int] = []

    def counting(failures: Sequence[CelexFailure], attempt: int) -> dict[str, Proposal]:
        sizes.append(len(failures))
        return by_rule(failures, attempt)

    claims = [Claim("32010R0075", "Directive 2010/75/EU"), Claim("32091L0271", "Directive 91/271/EEC"), Claim("x", "y")]
    found = verify(claims, World(TITLES), counting)
    assert [found[c].status for c in claims] == ["corrected", "corrected", "flagged"]
    assert sizes == [3, 1, 1]


def test_a_later_act_in_a_title_is_not_the_act_cited() -> None:
    assert compare("32009R0595", read_citation("Regulation (EU) No 582/2011 implementing Regulation (EC) No 595/2009"))
    assert compare("32009L0147", read_citation("Directives 92/43/EEC and 2009/147/EC")) is None
