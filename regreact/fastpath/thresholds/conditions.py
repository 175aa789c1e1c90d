"""Numbers that say to whom or to what a rule applies, and numbers of a method (threshold-versus-condition test, D.2).

A rule sees the clause before the comparison words and the sentence behind the amount.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.fastpath.thresholds.reading import READ

_ANY = re.compile("")
# Words for the size of a subject; emissions, efficiency and the like are performance, never size.
_SIZE = (
    r"capacit(?:y|ies)|sizes?|areas?|mass|weight|powers?|inputs?|outputs?|lengths?|distances?|population|"
    r"number of \w+|surface|heights?|depths?|volumes?|employees|inhabitants|flow rate|inflow|tonnage|displacement|"
    r"turnover|diameters?|voltages?|loads?|life ?spans?|lifetimes?|buildings?|establishments?|plants?|installations?|"
    r"units?|facilities|vehicles?|vessels?|ships?|centres?|systems?|holdings?|storage|sites?"
)
_OPENER = r"(?:where|if|in cases where|in(?: the)? cases? of|in the case|for|when|unless|as regards|with regard to)"
# Predicates that free their subject from a duty (ruling R4): what is said of the subject tells who it is
_EXEMPTS = (
    r"(?:(?:is|are|shall be|may be) (?:\w+ )?(?:exempt(?:ed)?|excused|released|relieved|dispensed|"
    r"excluded from (?:this|these|that|the) (?:\w+ )?(?:scope|requirements?|obligations?|dut(?:y|ies)|points?|rules?|"
    r"provisions?|criteri(?:on|a))|(?:outside|not covered by|not subject to|not bound by|not obliged|not required))|"
    r"(?:need|needs) not|(?:do|does) not (?:have|need) to|(?:do|does) not fall (?:under|within))\b"
)
# What may stand in front of a case: "By way of derogation from point 1, where …"
_ASIDE = r"^\W*(?:(?:by way of|in) derogation|notwithstanding|without prejudice|subject|in addition)\b[^,;]*,\s"
_FINITE = (
    r"(?:is|are|does|do|shall|must|may|can|cannot|will|achieves?|attains?|leads?|reduces?|emits?|consists?|derives?|"
    r"provides?|ensures?|uses)"
)


@dataclass(frozen=True, slots=True)
class ConditionRule:
    """A wording in which a number decides nothing.

    Attributes:
        before: Must be found in the clause before the comparison words.
        after: Must match at the end of the amount.
        duty: True if the rule also holds where the comparison states a duty ("is above").
        example: A sentence whose number is skipped.
    """

    name: str
    before: re.Pattern[str]
    after: re.Pattern[str]
    duty: bool
    example: str


RULES = (
    ConditionRule(
        "no duty",
        re.compile(r"\bnot (?:required|necessary|needed|obligatory) that\b[^.;]*$", re.I),
        _ANY,
        True,
        "It is not required that losses are lower than 5 %.",
    ),
    ConditionRule(
        "size of the subject",
        re.compile(
            rf"\b(?:with|having|of|for|whose|in|to|serving|employing|covering|from)\s(?:an?\s|the\s|its\s|their\s)?"
            rf"(?:[\w()-]+\s){{0,6}}?(?:{_SIZE})(?:\s(?:for|of)\s[a-z]+)?\s*"
            r"(?:of|that is|which is|that are|that|is|are)?\s*$",
            re.I,
        ),
        _ANY,
        False,
        "Mills with a rated thermal input above 50 MW apply the method.",
    ),
    ConditionRule(
        "rated size of the subject",
        re.compile(
            rf"\b(?:rated|nominal|installed|technically permissible)\s(?:[\w-]+\s){{0,3}}?(?:{_SIZE})\s*(?:of)?\s*$",
            re.I,
        ),
        _ANY,
        False,
        "Motors with 2 poles and a rated power above 75 kW are tested.",
    ),
    ConditionRule(
        "size in brackets",
        re.compile(r"\((?:with|having|of|i\.e\. with)\b[^)]*$", re.I),
        _ANY,
        False,
        "A large mill (with a rated output of over 290 kW) is monitored.",
    ),
    ConditionRule(
        "fronted clause",
        re.compile(
            rf"(?:^|[:.]\s|\band\s|\bthat\s|{_ASIDE})\s*{_OPENER}\s+\w(?:[^,;:]|,\s(?:or|and|of|as|whether|either)\b)*$", re.I
        ),
        re.compile(r"[^.;:]*?,\s*\w"),
        True,
        "Where the pond holds more than 500 m3, its dam is inspected.",
    ),
    ConditionRule(
        "later member of a fronted clause",
        re.compile(rf"^\s*{_OPENER}\b[^;:]*\band {_OPENER}\b[^,;:]*$", re.I),
        re.compile(r"[^.;:]*?,\s*\w"),
        True,
        "For mills above 5 MW and for kilns above 2 MW, the method is applied.",
    ),
    ConditionRule(
        "case of a value",
        re.compile(r"^[^.;:]*$"),
        re.compile(r"[^.;:]{0,80}(?<!\d):\s*(?:\[?\d|at (?:most|least)\b|no[t]? (?:more|less|higher|lower|over|above)\b)"),
        False,
        "Boats of up to 12 passengers: 40 g/km;",
    ),
    ConditionRule(
        "exempted subject",
        re.compile(rf"^(?:(?!\b{_FINITE}\s)(?!(?<!that )(?<!which )\b(?:has|have)\s)[^;:])*$", re.I),
        re.compile(rf"(?:[^.;:,]|,(?=\d)|,[^.;:,]+,)*?(?<!\band )(?<!\bbut )\b{_EXEMPTS}", re.I),
        True,
        "Mills grinding less than 3 t per day are not required to keep a register.",
    ),
    ConditionRule(
        "scope of a rule",
        re.compile(
            r"\b(?:(?:appl(?:y|ies)|applicable)\s(?:only\s|solely\s|exclusively\s)?(?:to|for|in|with regard to)|"
            r"(?:waived|compulsory|mandatory|binding|obligatory|(?:not|no\b.{3,60} (?:is|are)) (?:required|necessary|"
            r"needed))\s(?:only\s)?(?:for|on|in|of|from)|concerns?(?:\sonly)?)\b[^,;:]*$",
            re.I,
        ),
        _ANY,
        True,
        "Points 1 and 2 do not apply to mills with fewer than 8 employees.",
    ),
    ConditionRule(
        "exception",
        re.compile(
            r"\b(?:except(?:ing)?(?: for| in| where)?|with the exception of|other than|apart from|excluding)\b[^,;:]*$",
            re.I,
        ),
        _ANY,
        False,
        "Except for boats shorter than 9 m, boats have a holding tank.",
    ),
    ConditionRule(
        "definition",
        re.compile(
            r"^\W*[‘“'\"][^’”'\"]+[’”'\"]\s(?:\([^)]*\)\s)?means\b|"
            r"^(?:for the purposes? of [^,;]*,\s)?[^,;:]{2,60}?(?<!\bby)(?<!\bsuch)(?<!\bthis)\smeans\s(?!of\b|to\b|that\b)",
            re.I,
        ),
        _ANY,
        True,
        "‘Small mill’ means a mill that employs fewer than 10 people.",
    ),
    ConditionRule(
        "if-clause",
        re.compile(r"(?:^|[\s,])(?:if|unless|in the event that|in cases where)\s(?!they|it\b)[^,;:]*$", re.I),
        _ANY,
        True,
        "The mill is closed if its losses exceed 8 %.",
    ),
    ConditionRule(
        "attribute of the subject",
        re.compile(r"\b(?:with|having)\s[^,;]*$", re.I),
        re.compile(r"[^,;.]{0,60}?\s(?:may|shall|must)\s"),
        False,
        "Member States with a share of slag above 60 % may count it.",
    ),
    ConditionRule(
        "kind of thing",
        re.compile(r"\bfor (?:[\w-]+ ){1,5}(?:that|which) (?:\w+ ){1,2}$", re.I),
        _ANY,
        False,
        "Information is published for ores that contain more than 2 % of lead.",
    ),
    ConditionRule(
        "relative clause in the subject",
        re.compile(r"\b(?:that|which|whose) (?:is|are|has|have)\s*$", re.I),
        re.compile(r"\s*(?:is|are|shall|must|may|do|does)\b"),
        True,
        "Mills that are older than 15 years are replaced.",
    ),
    ConditionRule(
        "relative clause on an object",
        re.compile(r"\bthat (?:were|was|have been|has been) \w+ed\b[^,;]*$", re.I),
        _ANY,
        False,
        "It buys no ores that were stored for a period of at least 18 months.",
    ),
    ConditionRule(
        "grain",
        re.compile(r"\b(?:particles?|\w*plastics?|fibres?|grains?|parts?)\s*$", re.I),
        _ANY,
        False,
        "Filters remove at least 75 % of grains > 5 μm.",
    ),
    ConditionRule(
        "rating by others",
        re.compile(r"\b(?:assigned|counted as|deemed|considered as|treated as|scored)\b[^.;,]*$", re.I),
        _ANY,
        False,
        "It applies all practices that are assigned the maximum value of 5.",
    ),
    ConditionRule(
        "test conditions",
        re.compile(
            r"\b(?:tolerance(?: level)?|reference (?:pressure|temperature)|(?:leaching )?tests? (?:with|at)|"
            r"test conditions?|measured at|tested at)\b(?:[^.;,]|,(?=\d))*$",
            re.I,
        ),
        _ANY,
        True,
        "Lead content after a leaching test with L/S = 10 l/kg is reported.",
    ),
)
_OPENED = re.compile(rf"\s*{_OPENER}\b", re.I)
_WITH = re.compile(r"\b(?:with|having)\s(?:an?\s)?(?:[\w-]+\s){0,3}[\w-]+\s*(?:of)?\s*$", re.I)
_OTHER = re.compile(rf"[\d{READ}]")
# "in rows which lie at a distance of": a place that an item of a list prescribes
_RELATIVE_ITEM = re.compile(r"^[^,;]+?\s(?:which|that)\s(?:lie|lies|stand|stands|run|runs|is|are|has|have)\b[^,;]*$")
_ITEM_ENDS = re.compile(r"(?:\s(?:from|of|per|above|below|to)\s(?:(?!\b(?:is|are|shall|must|may|do|does)\b)[^.;,]){2,60})?[\s.;,]*")
_SUBJECT_VERB = re.compile(
    r"\s*(?:are|is|shall|must|may|can|will|do|does|need|comply|complies|apply|applies|undergo|fall|falls|have|has|"
    r"uses?|carry|carries|keeps?|reduce|replace|reports?|meet|employ|appoint|draw up|publish|measure|monitor|"
    r"implement|install|submit|obtain|hold|treat|collect|recover|recycle|set up)\b"
)
# "a strip of at least 8 m is left along the bank": what must be there, not what a rule applies to
_EXISTS = re.compile(
    r"\s*(?:is|are|has been|have been) (?:kept|maintained|left|preserved|provided|installed|established|created|planted|set aside|"
    r"in place|available|observed|ensured|guaranteed|used|applied|chosen|achieved|attained|reached|met|respected|"
    r"given|granted|concluded|signed|agreed|offered|secured|prescribed)\b(?! (?:only|unless)\b)(?<!installed(?= with))(?<!used(?= with))(?<!provided(?= with))"
)
# "In mills with over 50 employees a council is heard": a case in front that no comma closes
_FRONT = re.compile(r"^\W*(?:in|on|at|for|within|with regard to)\s(?!\d)[^,;:]*$", re.I)
_MAIN_CLAUSE = re.compile(r"\s+(?:an?|the|no|all|each|every|its|their|it|there|they|point|points)\s")
_HAS_VERB = re.compile(
    r"\b(?:is|are|has|have|does|do|shall|must|may|can|cannot|will|covers?|achieves?|attains?|leads?|reduces?|"
    r"uses?|emits?|consists?|derives?|converts?|closes?|contains?|complies|comply|operated|limits?|provides?|ensures?)\b"
)
# What follows says that things beyond the number fail: "switchgear with a GWP above 10 is not compliant"
EXCLUDED = re.compile(
    r"\b(?:is|are|do|does|shall|will) not (?:be )?"
    r"(?:compliant|qualify|eligible|comply|count|allowed|permitted|accepted|admitted|used|bought|purchased|procured|"
    r"sold|installed|deployed|let in|taken in)\b|"
    r"\b(?:is|are) (?:excluded(?! from (?:this|these|that|the)\b)|prohibited|non-compliant|ineligible)\b",
    re.I,
)
# "No pump with a power above 5 kW is used": what goes beyond the number must not be
NONE_SUCH = re.compile(r"^\W*(?:no|none of the)\s(?:[\w-]+\s){1,6}$", re.I)
PREDICATE = re.compile(r"\b(?:is|are|may be|shall be|must be|will be) \w+")
# A chapeau whose items are what must not be
EXCLUDING_CHAPEAU = re.compile(
    r"\b(?:does|do|is|are|may|shall|must) not (?:\w+ )*?"
    r"(?:lead to|include|contain|involve|use|built|compliant|result)\b[^.:]*:\s*$|"
    r"\bnot compliant:\s*$|\b(?:excluded|prohibited)\b[^.:]*:\s*$",
    re.I,
)


# Rules that do not hold where things beyond the number fail: there the size of the subject is the test
_OF_SUBJECT = (
    "size of the subject",
    "rated size of the subject",
    "kind of thing",
    "grain",
    "relative clause in the subject",
    "attribute of the subject",
)


# "Where no quay lies within 60 km of the berth, the waste is burnt": a distance or time in a case
IN_A_CASE = re.compile(rf"(?:^|{_ASIDE})\W*(?:where|if|when|unless|in cases where)\s[^,;:]*$", re.I)
MAIN_CLAUSE_AFTER = re.compile(
    r"[^.;:,]*,\s(?!(?:and|or|but|which|in|by|as|at|with|without|unless|where|if|provided|including|such|whichever|whatever)\b)\w"
)


def condition(before: str, after: str, unit: str, *, finite: bool, excluded: bool) -> str | None:
    """Return the name of the rule by which a number is no limit, None if it may be one.

    Args:
        before: Clause before the comparison words, with read amounts in it.
        after: Sentence behind the amount.
        unit: Unit of the amount as printed; a subject has no size in percent or CO2.
        finite: Whether the comparison states a duty.
        excluded: Whether things beyond the number are said to fail.
    """
    last = not (_OPENED.match(before) or _OTHER.search(before)) and _ITEM_ENDS.fullmatch(after) and (
        (_WITH.search(before) and not _HAS_VERB.search(before))
        or (_RELATIVE_ITEM.match(before) and len(_HAS_VERB.findall(before)) <= 1)
    )
    for rule in RULES:
        if last and rule.name in _OF_SUBJECT:
            continue  # "pumps with a rated power of at least 5 kW;": there is nothing else to test
        if (finite and not rule.duty) or (rule.name in _OF_SUBJECT and (excluded or "CO2" in unit)):
            continue
        if rule.before.search(before) and rule.after.match(after):
            return rule.name
    if finite or excluded or not before.strip(" ,") or _HAS_VERB.search(before):
        return None
    if _FRONT.match(before) and _MAIN_CLAUSE.match(after):
        return "case in front"
    inside_subject = unit != "%" and _SUBJECT_VERB.match(after) and not _EXISTS.match(after)
    return "inside the subject" if inside_subject else None
