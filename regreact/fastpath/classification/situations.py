"""Words and subjects that make a criterion Mandatory or Conditional: the tables behind `ClassifyApplicability`.

Follows section 4 of the annotation guidelines with R4, R8, D2, D10 and C5, and appendix D.4 of arXiv 2604.12054.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.schema import Applicability
from regreact.screen import Screened


@dataclass(frozen=True, slots=True)
class WordRule:
    """Words in the first sentence that decide.

    Attributes:
        name: Name of the rule.
        value: What a criterion with these words is.
        pattern: The words, matched without regard to case in the main clause.
        confidence: How often a careful annotator agrees.
        source: Paper section or guideline that the rule follows.
        example: A criterion that the rule decides.
    """

    name: str
    value: Applicability
    pattern: Screened
    confidence: float
    source: str
    example: str


def _rule(name: str, value: Applicability, confidence: float, source: str, pattern: str, example: str) -> WordRule:
    return WordRule(name, value, Screened(pattern, re.IGNORECASE), confidence, source, example)


# "so that dust may settle", "the gate by which it may be left": the permission is no predicate of the sentence.
_NO_VERB_YET = r"(?:(?!\b(?:is|are|was|were|has|have)\b)[^,;:])*?"
SUBORDINATE_MAY = (
    r"(?:\b(?:in order that|so that|such that|lest|for fear that|(?:what|which|who|where|when|how)(?:so)?ever)\b"
    rf"{_NO_VERB_YET}\bmay\b"
    r"|\b(?:at|by|for|from|in|into|of|on|over|through|to|under|upon|with|within) (?:which|whom)\b"
    rf"{_NO_VERB_YET}\bmay\b(?=[^;:]*?\b(?:is|are|has|have|does|do|compl(?:y|ies)|meets?)\b))"
)

WORD_RULES: tuple[WordRule, ...] = (
    _rule(
        "unless shown",
        "Mandatory",
        0.85,
        "C5",
        r"\bunless\b.{0,60}\b(?:different|otherwise|demonstrat|prov(?:en|ed|ide)|show|justif|evidence|assess|grant"
        r"|agree)",
        "Sand is not washed, unless it can be demonstrated that the water is reused.",
    ),
    _rule(
        "unless the asset is",
        "Conditional",
        0.8,
        "C5",
        r"\bunless (?:the|an?|its|it is|they are)\b.{0,80}\b(?:is|are|has|have)\b",
        "The mill does not run at night, unless the mill is electric.",
    ),
    _rule(
        "exemption",
        "Conditional",
        0.93,
        "R4",
        r"\b(?:is|are) not (?:required|obliged) to\b|\b(?:is|are) excluded from (?:the scope of )?(?:this|these|the)"
        r" (?:point|paragraph|criteri(?:on|a)|requirement|obligation|section)s?\b"
        r"|^[^,;:]*\b(?:do|does|shall) not apply\b"
        r"|\bno (?:additional |further )?[\w ]{0,60}\b(?:is|are) required\b|\b(?:is|are) exempt(?:ed)?\b",
        "Mills below 20 kW are not required to keep a register.",
    ),
    _rule(
        "permission",
        "Conditional",
        0.93,
        "paper D.4, discretionary acts; R8",
        rf"^(?:(?!\b(?:shall|must|where|if)\b|{SUBORDINATE_MAY})[^;:])*(?<!\bwhich )(?<!\bthat )(?<!\bwho )(?<!\bas )"
        r"\b(?:(?-i:may) (?!not\b|come\b|affect\b|cause\b|compromise\b|result\b|lead\b|occur\b|contain\b|pose\b"
        r"|have\b|otherwise\b)"
        r"|it is possible (?:to|for [^,;:.]{1,60} to)\b)",
        "Glass and metal may be stored in one bay.",
    ),
    _rule(
        "recommendation",
        "Conditional",
        0.7,
        "guidelines 4, discretionary acts",
        r"\b(?:is|are) (?:preferably|recommended|encouraged)\b",
        "Sludge is preferably dried in summer.",
    ),
    _rule(
        "excluded class",
        "Conditional",
        0.7,
        "D10",
        r"^(?!(?:the|these|those) (?:(?:economic )?activity|activities|following|elements|criteria)\b)"
        r"[^;:]* (?:that|which|whose|with|without|above|below|[a-z]{3,}(?:ing|ed))\b[^;:]*"
        r"(?<!\bthat )(?<!\bwhich )(?<!\bthey )"
        r"\b(?:(?:is|are) not (?:considered (?:as |to be )?)?(?:compliant|complying|fulfilling|eligible)"
        r"|(?:do|does) not qualify)\b",
        "Kilns that burn waste oil are not compliant.",
    ),
    _rule(
        "possible means of proof",
        "Conditional",
        0.8,
        "R8",
        r"\bis (?:a |considered (?:a |as )?)?(?:proof|evidence) of compliance\b",
        "Use of the label is a proof of compliance with the dust rule.",
    ),
    _rule(
        "allowed only where",
        "Conditional",
        0.8,
        "D10",
        r"\b(?:allowed|permitted|takes? place|possible) only (?:where|if|when)\b",
        "Blasting is allowed only where the plan names it.",
    ),
    _rule(
        "effect of an exception",
        "Conditional",
        0.8,
        "guidelines 4",
        r"\b(?:do|does) not (?:result in|lead to|constitute) non-compliance\b",
        "Losses through flood do not result in non-compliance, provided that they are reported.",
    ),
    _rule(
        "further means of proof",
        "Conditional",
        0.75,
        "R8",
        r"\bcan (?:also |alternatively )?be (?:demonstrated|proven|shown)\b",
        "Tightness can also be demonstrated through a pressure log.",
    ),
    _rule(
        "situation after the duty",
        "Conditional",
        0.8,
        "guidelines 4",
        r"^(?!.*\bnot\b|.*\b(?:is|are) \w+ed and\b).*(?<![,(])(?<!except)\s(?:where|if|when)"
        r" (?!applicable|relevant|appropriate|available|feasible|possible|necessary)"
        r"(?:[^,;]*\b(?:deviates?|exceeds?|falls?|occurs?|arises?|changes?|requires?)\b|[^;.]{0,120}\brequires? so\b)",
        "Corrective action is taken where the readings deviate from the target.",
    ),
    _rule(
        "if after the duty",
        "Conditional",
        0.75,
        "guidelines 4",
        r"(?<![,(])(?<!and)(?<!except)\sif (?:the|it|they|those|these|that|its) [^,;.]*\b(?:is|are|has|have|can)\b",
        "The ferry uses half of the limit if the ferry is able to run on ammonia.",
    ),
    _rule(
        "fallback for a point",
        "Conditional",
        0.85,
        "D11",
        r"(?:\b(?:where|if|when|in so far as)\b[^;.]{0,80}\bnot (?:\w+ ){0,2}(?:feasible|possible|practicable|workable|available)\b"
        r"|\b(?:where|if|when)\b[^;.]{0,80}\bcannot\b)[^;.]{0,80}\bpoints? [\d(]",
        "wood from hedges, where it is not feasible to rely on point (a).",
    ),
    _rule(
        "alternatives of this unit",
        "Conditional",
        0.85,
        "D2; guidelines 8",
        r"^(?:the )?(?:[\w-]+ ){0,6}?(?:aircrafts?|vessels?|ships?|ferr(?:y|ies)|vehicles?|buildings?|facilit(?:y"
        r"|ies)|plants?"
        r"|installations?|products?|systems?|equipment|infrastructure)\b[^.,;]{0,60}\bpoints? \([a-z]+\)"
        r"(?: (?:or|and|to) \([a-z]+\))+(?=[^.;]*\b(?:is|are|has|have|complies|comply|meets?|keeps?|carries)\b)",
        "Ferries referred to in points (b) and (c) keep a log.",
    ),
)
"""Asked of the main clause of the first sentence, in this order."""

_SOME = (
    r"(?:recycling|recovery|refurbishment|remanufacturing|blending|blasting|dredging|combustion|incineration|drying)"
)


# Things that a class is made of; quantities ("dust emitted from 2031") are bound in time by a date, not divided by it.
_VERB = r"(?:is|are|was|were|has|have|had|does|do|may|shall|must|can|will|meets?|compl(?:y|ies))\b"
_THINGS = (
    rf"(?i:(?:(?!{_VERB}|(?:shares?|emissions?|amounts?|quantit(?:y|ies)|values?|consumption|contents?|proportion|number|losses"
    r"|intensity|concentration|demand|output|rate|average|level)\b)[\w’-]+ ){1,4}?)"
)
_MADE = (
    r"(?:(?!need|emitt|measur|consum|generat|report|calculat|record|requir|achiev|releas|discharg|us)[a-z]{3,}ed|built|rebuilt"
    r"|bought|sold|laid|taken over|put into (?:service|use|operation)|brought into (?:service|use|operation))"
)
_DATE = r"(?:\d{1,2} [A-Z][a-z]+ |(?:the year )?)\d{4}\b"
# The class is the subject of a sentence, not an item by itself.
_GOES_ON = r"(?= and \d|,? (?!(?:with|without|in|of|for|and|or|that|which|where|having|at)\b)[\w-]+ [\w-]+)"


@dataclass(frozen=True, slots=True)
class SubjectRule:
    """A subject that only some instances of an activity have, unless the activity's name speaks of it (D10).

    Attributes:
        name: Name of the rule.
        pattern: The subject at the start of the main clause.
        every: Words in the activity's name that make the subject one that every instance has.
        example: A criterion that the rule makes Conditional.
    """

    name: str
    pattern: re.Pattern[str]
    every: re.Pattern[str]
    example: str


SUBJECT_RULES: tuple[SubjectRule, ...] = (
    SubjectRule(
        "optional biomass",
        re.compile(r"(?:agricultural|forest)(?: based)? (?:biomass|bio-waste)\b", re.IGNORECASE),
        re.compile(r"\bbio", re.IGNORECASE),
        "Agricultural biomass used for the kilns meets the criteria of Annex XX.",
    ),
    SubjectRule(
        "optional process",
        re.compile(rf"(?:the )?{_SOME} (?:processes|operations|facilities|activities|plants)\b", re.IGNORECASE),
        re.compile(r"\brecycl|\brecover|\bwaste|\bblend|\bdredg", re.IGNORECASE),
        "Recycling processes meet the conditions of Annex XX.",
    ),
    SubjectRule(
        "branch of the activity",
        re.compile(r"activities in [a-z ]+ (?:take|use|meet|comply|follow)\b", re.IGNORECASE),
        re.compile(r"(?!)"),
        "Activities in bridge design take flood maps into account.",
    ),
    SubjectRule(
        "class of vehicles",
        re.compile(
            r"(?:the )?vehicles (?:of|designated as) categor(?:y|ies)\b(?:(?!\b(?:that|where|which)\b)[^.;:])*?"
            r"\b(?:have|has|are|is|comply|meet|carry|do|use)\b",
            re.IGNORECASE,
        ),
        re.compile(r"(?!)"),
        "Vehicles of category N7 carry a tracker.",
    ),
    SubjectRule(
        "kinds of structure",
        re.compile(
            r"(?:bridges|tunnels|dikes|dams|sluices|culverts)(?:, [a-z]+)*,? and [a-z]+ (?:are"
            r"|have)\b",
            re.IGNORECASE,
        ),
        re.compile(r"\b(?:bridge|tunnel|dike|dam|sluice)", re.IGNORECASE),
        "Tunnels, culverts and dams are inspected each year.",
    ),
    SubjectRule(
        "class by date",
        re.compile(
            r"(?:(?:The )?[A-Z]?[a-z -]+ (?:built|constructed|manufactured|commissioned|delivered|registered|opened)"
            r" (?:before|after|in the period|between|from|until|since)\b"
            r"(?=[^.;:]*\b(?:is|are|has|have|meet|meets|comply|complies)\b)"
            rf"|(?=[A-Z]){_THINGS}(?:(?i:newly |first |last ){{0,1}}{_MADE}|in (?:operation|service|use|place|existence))"
            rf"(?: (?!{_VERB})[\w-]+){{0,6}}? (?:(?:on or |or |not ){{0,1}}(?:before|after|since|from|until|by|between|as of|as from)"
            rf"|prior to|(?:no|not) (?:later|earlier) than|in the period) (?:the end of )?{_DATE}{_GOES_ON})"
        ),
        re.compile(r"(?!)"),
        "Mills built before 31 December 2030 are insulated.",
    ),
    SubjectRule(
        "class by size or age",
        re.compile(
            r"(?:(?:the )?(?:[a-z-]+ ){1,4}(?:that|which) (?:is|are|has|have) (?:[a-z]+ )?(?:an? )?"
            r"(?:(?:older|larger|smaller|longer|heavier|higher|wider|taller|younger|more|less) than\b|(?:above|below|over|under) \d)"
            rf"|(?-i:(?=[A-Z]){_THINGS})(?:(?:older|larger|smaller|longer|heavier|wider|taller|younger) than \d[\d ,.]*"
            rf" ?[^\W\d][\w-]*{_GOES_ON}))",
            re.IGNORECASE,
        ),
        re.compile(r"(?!)"),
        "Kilns that are older than 15 years are insulated.",
    ),
    SubjectRule(
        "newly built",
        re.compile(
            r"(?:in |at |on |for )?(?:newly (?:built|constructed|erected|opened|bought|purchased|commissioned|installed)"
            r"|(?<=in )(?:existing|older|renovated|refurbished)) (?!and\b|or\b|as\b)[a-z-]+",
            re.IGNORECASE,
        ),
        re.compile(r"\b(?:new|construct|build|erect|renovat|refurbish|retrofit|rebuil|moderni|existing|acqui)", re.IGNORECASE),
        "Newly built kilns are closed.",
    ),
    SubjectRule(
        "side activity",
        re.compile(r"(?:recreational|ancillary|accessory) [a-z ]+ (?:activities|are|is)\b", re.IGNORECASE),
        re.compile(r"\brecreation", re.IGNORECASE),
        "Recreational diving activities end at dusk.",
    ),
)
