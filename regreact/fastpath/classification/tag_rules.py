"""Words that earn a criterion a tag: the table behind `AssignTags`.

Follows section 5 of the annotation guidelines with R6, R7, D3 to D9, D13, C2 to C4 and C9, and appendix D.5 of
arXiv 2604.12054. Rules for unnumbered paragraphs (`regreact.fastpath.cues`) name one type; here several tags may hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.fastpath.wording import read_sentences
from regreact.schema import Tag


@dataclass(frozen=True, slots=True)
class TagRule:
    """Words that earn a tag.

    Attributes:
        name: Name of the rule.
        tag: The tag.
        pattern: The words, matched without regard to case in the masked text.
        source: Paper section or guideline that the rule follows.
        example: A criterion that the rule tags.
        weak: The tag counts only if nothing else, inherited tags included, tags the criterion.
        confidence: How often a careful annotator agrees.
        instead_of: Tags of other rules that these words rule out.
    """

    name: str
    tag: Tag
    pattern: re.Pattern[str]
    source: str
    example: str
    weak: bool = False
    confidence: float = 0.9
    instead_of: frozenset[Tag] = frozenset()


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that matched the characters [start, end)."""

    rule: TagRule
    start: int
    end: int


def _rule(
    tag: Tag,
    name: str,
    source: str,
    pattern: str,
    example: str,
    *,
    weak: bool = False,
    confidence: float = 0.9,
    instead_of: tuple[Tag, ...] = (),
) -> TagRule:
    compiled = re.compile(pattern, re.IGNORECASE)
    return TagRule(name, tag, compiled, source, example, weak, confidence, frozenset(instead_of))


_OTHERS = (
    r"(?:third[- ]part(?:y|ies)|authorit(?:y|ies)|inspectors?|bod(?:y|ies)|certifiers?|auditors?|verifiers?|regulators?)"
)
_PLAN = (
    r"(?:plans?|programmes?|strateg(?:y|ies)|polic(?:y|ies)|instruments?|agreements?|contracts?"
    r"|financing schemes?|roadmaps?)"
)
_RECORD = r"(?:dossiers?|manuals?|registers?|logs?|log ?books?|records?|files?|charters?|handbooks?)"
_STUDY = (
    r"(?:assessments?|analys[ei]s|stud(?:y|ies)|surveys?|investigations?|evaluations?|(?<!technical )screenings?(?! criteria)|modelling"
    r"|comparisons?|comparative calculations?|simulations?)"
)
_RULES_OF_OTHERS = (
    r"(?:criteri(?:a|on)|requirements?|conditions|rules|limits?|standards?|thresholds?|targets?"
    r"|classes|class|definition|guidelines?|practices|norms|laws?|legislation|principles|stage|regulations?"
    r"|directives?|conventions?|articles?|annex(?:es)?|sections?|appendix|protocol|code of conduct|ISO|EN|IEC|ecolabel)"
)
_ACT = (
    r"(?:Directives?|Regulations?|Decisions?|Recommendations?|Articles?|Annex(?:es)?|Sections?|Appendix|Convention"
    r"|Protocol|Treaty|Table|Chapter|ISO|EN|IEC|CEN|HD)"
)
_DOCUMENT = (
    r"(?:standards?|guidelines?|guidance|criteria|requirements?|rules|procedures?|protocols?|principles?|practices?"
    r"|techniques?|methodolog(?:y|ies)|methods?|strateg(?:y|ies)|objectives|recommendations?|norms|tests?"
    r"|reports|publications|specifications|conclusions|permits?|licen[cs]e|plans?|programmes?)"
)

VERIFICATION: tuple[TagRule, ...] = (
    _rule(
        "Verification", "verified", "guidelines 5",
        r"(?<!can )\b(?:is|are|be|been|being|and|or|data|products?|that) (?:\w+ly )?"
        r"(?:verified|certified|audited|validated|attested|accredited)\b(?! (?:data|from)\b)|\battests\b",
        "Yearly tonnage is verified by a third party.",
    ),
    _rule(
        "Verification", "verified assessment", "guidelines 5",
        r"\bverified (?:\w+ ){0,2}(?:assessment|proof)\b|\bcertified (?:according|by|under|using|against)\b",
        "The harbour has been subject to a verified flood assessment.",
    ),
    _rule(
        "Verification", "checked by others", "guidelines 5",
        r"\b(?:checked|inspected|approved|controlled|authorised|licensed|reviewed|verified|certified)\b[^.;]{0,40}\bby\b"
        rf"(?![^.;]{{0,20}}management body)[^.;]{{0,50}}\b{_OTHERS}\b|\bapproved inspector\b"
        rf"|\b(?:{_OTHERS}|laborator(?:y|ies)) (?:\w+ly )?(?:verif(?:y|ies)|checks?|tests?|inspects?|audits?|certif(?:y|ies)|confirms?)\b",
        "Walls are inspected yearly by a licensed body.",
    ),
    _rule(
        "Verification", "certification by others", "guidelines 5",
        rf"\b{_OTHERS} (?:certification|verification|validation|audit)\b|\b(?:certification|audit) by\b"
        r"|\bverification\b[^.;]{0,80}\bcarried out by\b",
        "The system requires third-party certification.",
    ),
    _rule(
        "Verification", "permit, label or certificate", "D7",
        r"\b(?:received|obtained|holds?|has|have|granted|awarded(?: with)?|covered by|undergoes) (?:at least )?(?:an?|the|all)?"
        r" ?(?:\w+ ){0,4}(?:permits?|licen[cs]es?|ecolabel|label|certificat(?:e|ion)|type[- ]approval)\b"
        r"|\bpermit obtained from\b|\bhas a proof of\b"
        r"|\bperformance certificate\b",
        "The mill has received the necessary permits.",
    ),
)

METHODOLOGY: tuple[TagRule, ...] = (
    _rule(
        "Methodology", "test of others", "guidelines 5; D6; C9",
        r"\b(?:compl(?:y|ies|ying|iant|iance)|conform(?:s|ing)?|fulfil(?:s|ling|led)?|satisf(?:y|ies|ying)|respects?(?! (?:of|to)\b)|match(?:es|ing)?"
        rf"|meet(?:s|ing)?)\b[^.;]{{0,140}}?\b{_RULES_OF_OTHERS}\b",
        "Rinsing water meets the conditions of Annex XX.",
        confidence=0.92,
    ),
    _rule(
        "Methodology", "duty by law", "guidelines 5",
        r"\bcompl(?:y|ies) with\b[^.;]{0,60}\bobligations?\b",
        "The mill complies with its record-keeping obligations.",
    ),
    _rule(
        "Methodology", "requirements met", "guidelines 5",
        rf"\b(?:requirements|criteria|conditions|standards|obligations)\b[^.;]{{0,120}}\b(?:are|is) (?:met|fulfilled|complied with|followed)\b",
        "Noise requirements of Directive 2099/1/EU are met.",
    ),
    _rule(
        "Methodology", "under an act", "guidelines 5",
        r"\b(?:in accordance|in line|in compliance|in conformity|in analogy|according|pursuant|consistent(?:ly)?|aligned"
        rf"|in relation)\b (?:with|to)\b[^.;]{{0,80}}?\b{_ACT}\b(?! (?:law|legislation))",
        "Filters are emptied in accordance with Directive 2099/1/EU.",
        confidence=0.85,
    ),
    _rule(
        "Methodology", "under a standard", "guidelines 5; D8",
        r"\b(?:in accordance with|in line with|according to|pursuant to|consistent(?:ly)? with|aligned with|based on"
        rf"|(?<!in )\bline with|in compliance with|on the basis of|follows?|in relation to)\b[^.;,]{{0,120}}?\b{_DOCUMENT}\b"
        r"|\bconsistent with [^.;]{0,90}?\b(?:plans|strategies|objectives|guidelines)\b",
        "Complaints are handled in accordance with high service standards.",
        confidence=0.85,
    ),
    _rule(
        "Methodology", "calculation", "guidelines 5",
        r"\b(?:is|are|be|been|being|has been|either|shall be) (?:\w+ly )?"
        r"(?:calculated|computed|measured|quantified|estimated|counted|determined|worked out|expressed|applied across|monitored based)\b"
        r"(?! against)|\b(?:performed|carried out|conducted),? (?:at least )?(?:by )?using\b(?! (?:one|either|any)\b)|\bcalculated (?:in accordance|using|by|according|based|from|with)\b|\b(?:(?:determined|worked out|measured) (?:using|with|following)|determined (?:by|based))\b|\bin the test of\b",
        "Heat losses are calculated using ISO 99999.",
    ),
    _rule(
        "Methodology", "measures taken", "R6",
        r"\bmeasures\b[^.;]{0,60}\b(?:is|are|have been|has been|being) (?:\w+ly )?(?:taken|in place|implemented|undertaken|deployed|applied)\b"
        r"|\b(?:takes?|implements?|deploys?) (?:\w+ ){0,3}measures\b",
        "Measures are taken to keep dust inside the hall.",
    ),
    _rule(
        "Methodology", "technique or equipment", "guidelines 5",
        r"(?<!that )(?<!which )\b(?:deploys|implements|has implemented|applies|adopts|uses|employs|installs)\b"
        r"[^.;]{0,70}\b(?:techniques?|technolog(?:y|ies)|practices|methods?|systems?|equipment|procedures?|tools?|treatment|models?|projections|methodology|segregation)\b",
        "The mill applies quiet grinding techniques.",
        confidence=0.85,
    ),
    _rule(
        "Methodology", "equipment in place", "guidelines 5",
        r"\b(?:systems?|equipment|cover|techniques?|devices?|meters?|sensors?|filters?|detection|controls|detectors?|openings|measures)\b"
        r"[^.;]{0,110}(?<!that )(?<!which )\b(?:is|are|has been|have been) (?:\w+ly )?"
        r"(?:installed|in place|put in place|applied|adopted|deployed|fitted|implemented|used)\b|\b(?:is|are) fitted with\b"
        r"|\b(?:have|has) [\w ]{0,30}installed\b|\bleak detection\b|\bmeasures include\b"
        r"|\b(?:implements?|has implemented)\b[^.;]{0,60}\bsolutions\b"
        r"|\binclude(?:s)? metering\b|\bhas an? (?:[\w-]+ ){0,3}(?:system|procedure)\b|\bis equipped with\b",
        "Measuring equipment is installed at the gate.",
        confidence=0.85,
    ),
    _rule(
        "Methodology", "limit set by others", "R6; D6",
        r"\bBAT-AEL|\bwithin the [\w -]*(?:levels|ranges|limits)\b[^.;]{0,30}\bconclusions\b|\b(?:emissions? (?:levels|limit values)|thresholds?|limits?|targets?|rates?|standards?|requirements?|margins?|class(?:es)?"
        r"|categor(?:y|ies)|practices|list)\b[^.;]{0,80}\b(?:set|laid down|specified|defined|established|associated with|described|listed"
        rf"|provided|referred to|contained)\b[^.;]{{0,70}}\b(?:{_ACT}|by|conclusions|convention|requirements|best available techniques)\b",
        "Soot stays below the limits laid down in Annex XX.",
        confidence=0.85,
    ),
    _rule(
        "Methodology", "margin to a limit of others", "D6",
        r"\b(?:below|above|less than|lower than|relative to)\b[^.;]{0,60}\b(?:requirements|limit of|type limit|reference (?:line|value)|standard)\b",
        "The ferry stays 5 % below the index requirements of 2099.",
        confidence=0.8,
    ),
    _rule(
        "Methodology", "taken into account", "D8",
        r"\btak(?:es?|en|ing) into account\b(?=[^.;]{0,120}\b(?:strateg|guidelines?|guidance|science|results|plans?|projections|standards?|practices))"
        r"|\bresults of\b[^.;]{0,200}\btaken into account\b",
        "The mill takes into account the national lake strategy.",
    ),
    _rule(
        "Methodology", "certificate under a standard", "D6",
        r"\bcertif\w+ (?:to|under|according to|in accordance with)\b[^.;]{0,30}\b(?:ISO|EN|IEC)\b",
        "The office is certified to ISO 99999.",
    ),
    _rule(
        "Methodology", "demonstrated by a method", "guidelines 5",
        r"\bdemonstrat(?:es?|ed)\b[^.;]{0,60}\bby reporting\b|\bdemonstrated by (?:proof|means)\b|\bproof of (?:compliance|alignment)\b"
        r"|\bwith reference to\b[^.;]{0,40}\b(?:ISO|EN|standards?)\b",
        "Compliance is demonstrated by reporting on indicator 9.",
    ),
    _rule(
        "Methodology", "way of counting", "guidelines 5",
        r"\b(?:is|are) not considered as a\b|\bis to be (?:calculated|counted|applied)\b",
        "Fines are not considered as a contribution to the fund.",
    ),
    _rule(
        "Methodology", "support to others' criteria", "C9",
        r"\bto meet (?:those|the|their)(?: respective| relevant)?[^.;]{0,40}\b(?:criteria|requirements|targets)\b"
        r"|\bcontribut\w+ to the targets\b[^.;]{0,80}\bDirective\b",
        "The advice helps mills to meet their respective criteria.",
    ),
    _rule(
        "Methodology", "practices of the baseline", "guidelines 5",
        r"^\s*the (?:management |most recent )?(?:business-as-usual )?practices\b(?![^;]*following)",
        "the grinding practices as documented in the latest log;",
    ),
    _rule(
        "Methodology", "choice of an approach", "D3",
        r"\bensured by choosing\b",
        "Quiet is ensured by choosing the most ambitious of these approaches:",
    ),
    _rule(
        "Methodology", "measurement reported", "paper D.5",
        r"\bmeasurements? of\b[^.;]{0,60}\b(?:is|are) reported\b",
        "Physical measurement of dust is reported.",
    ),
    _rule(
        "Methodology", "class supplied by an act", "D6",
        rf"\b(?:as defined|defined|listed|set out|laid down|referred to|classified|identified|specified|as described|recognised)\b"
        rf"[^.;]{{0,40}}\b(?:in|on|by|under|within)\b[^.;]{{0,30}}\b(?:{_ACT}|list|survey)\b"
        r"|\bto the [^.;]{0,20}\bConvention\b",
        "Sands listed in Annex XX are sieved.",
        weak=True, confidence=0.75,
    ),
)

COMMITMENT: tuple[TagRule, ...] = (
    _rule(
        "Commitment", "plan in place", "guidelines 5",
        rf"\b(?:{_PLAN}|management systems?)\b[^.;:]{{0,130}}(?<!that )\b(?:is|are|has been|have been) (?:\w+ly )?"
        r"(?:in place|presented|brought up to date|kept up to date|signed|set up|established|developed|issued|drawn up|adopted|prepared|implemented|reviewed|updated|followed by|defined)\b",
        "A monitoring plan is in place.",
    ),
    _rule(
        "Commitment", "content of a plan", "guidelines 5; D8",
        rf"\b{_PLAN}\b[^.;,]{{0,60}}\b(?:contains?|covers?|includes?|provides?|sets?|defines?|ensures?|follows|identif(?:y|ies)|engages|adheres|pursue)\b",
        "The quarry plan covers at least eight years.",
    ),
    _rule(
        "Commitment", "operator has a plan", "guidelines 5",
        rf"\b(?:implements?|implemented|develops?|developed|establish(?:es|ed)?|has|adopts?|draws? up|covered by|subject to|there is)\b"
        rf" (?:an?|the|its)\b[^.;,]{{0,60}}?(?<!environmental )\b{_PLAN}\b",
        "The quarry is covered by a noise plan.",
        confidence=0.85,
    ),
    _rule(
        "Commitment", "stands in a plan", "C2",
        rf"\b(?:is|are|be|been) (?:\w+ )?(?:included|identified|integrated|defined|documented|described|addressed|foreseen|set out)\b[^.;]{{0,80}}\bin\b[^.;]{{0,60}}?"
        rf"(?<!forest )\b(?:{_PLAN}|permit conditions)\b",
        "The spring is included in a valley management plan.",
        confidence=0.8,
    ),
    _rule(
        "Commitment", "demonstrated by a plan", "C2",
        rf"\bdemonstrated by means of\b[^.;]{{0,40}}\b{_PLAN}\b|\bplan for\b",
        "The basin is part of the network, as demonstrated by means of a flood plan.",
    ),
    _rule(
        "Commitment", "declaration, guarantee, contract", "guidelines 5; D7",
        r"\b(?:commits?|committed|commitment|pledge[ds]?|guarantee[ds]?|declar(?:es?|ed)|(?:an?|the|that) declaration|declaration of|contractual (?:guarantee|obligation|term|arrangement)s?"
        r"|intention to|undertakes to|obligation (?:for|of) the|warranty|(?:sales|supply|transfer|service) (?:contract|agreement)|under an? [\w -]{0,30}(?:plan|agreement|contract) signed)\b",
        "The owner delivers a declaration on the origin of the sand.",
    ),
    _rule(
        "Commitment", "public disclosure", "D7",
        r"\bdisclos(?:es?|ed|ure)\b|\bpublicly available\b|\bavailable publicly\b|(?<!which )(?<!that )\b(?:is|are) published\b|\b(?:operator|owner|undertaking|insurer) publishes\b"
        r"|\bmade available,? [^.;]{0,60}(?:authorit|third parties|public)",
        "The mill publicly discloses its dust readings.",
    ),
    _rule(
        "Commitment", "information is provided", "D3",
        r"\b(?<!such )(?:detailed )?information\b[^.;:]{0,80}\b(?:is provided|are provided)\b|\bexplanation\b[^.;]{0,80}\bis provided\b"
        r"|\bhas reported\b|\bcommitted to report\b",
        "Information is provided on the sand, the water and the road.",
    ),
    _rule(
        "Commitment", "provisions in a plan", "C2",
        r"\bincludes? provisions? (?:to|for)\b",
        "The plan includes provisions to meet the criteria of Annex XX.",
        instead_of=("Methodology",),
    ),
    _rule(
        "Commitment", "risks addressed under a plan", "D8",
        r"\brisks?\b[^.;]*\bidentified and addressed\b[^.;]*\b(?:in line|in accordance|consistent) with [^.;]*\bplans?\b",
        "Risks for the lake are identified and addressed in line with a valley management plan.",
        instead_of=("Methodology",),
    ),
    _rule(
        "Commitment", "records and rules", "guidelines 5",
        rf"\b(?:keeps?|draws? up|maintains?|holds?|compiles?)\b (?:an? |the )?[^.;,]{{0,40}}\b{_RECORD}\b"
        rf"|\b{_RECORD}\b[^.;,]{{0,40}}\b(?:contains?|covers?|lists?|is kept|are kept|is drawn up)\b|\bregister\b[^.;]{{0,30}}\bopen to the public\b|\bprovides? rules\b|\bgovernance structure\b|\bdraws? up documentation\b|\bbinding targets\b",
        "The pool keeps records of every refill.",
    ),
)

ASSESSMENT: tuple[TagRule, ...] = (
    _rule(
        "Assessment", "study made", "guidelines 5",
        rf"\b{_STUDY}\b(?! (?:programme|plan|method))[^.;]{{0,260}}\b(?:is|are|was|were|has been|have been|is to be) (?:\w+ly )?"
        r"(?:performed|carried out|conducted|completed|undertaken|made|done|updated|published|repeated|renewed)\b"
        rf"|\b(?:an? |the )?[\w ]{{0,30}}\bstud(?:y|ies)\b[^.;,]{{0,40}}\b(?:draws? on|names?|covers?|shows?|compares?|identif(?:y|ies))\b",
        "A noise survey is carried out.",
    ),
    _rule(
        "Assessment", "based on a study", "guidelines 5",
        rf"\b(?:based on|on the basis of|through|by means of|by|subject to|subject of|supported by|includ(?:es|ing))\b (?:an?|the results of|its)?"
        rf" ?(?:[\w-]+ ){{0,6}}?{_STUDY}\b(?! (?:methods?|projections))|\bcost-benefit assessment\b",
        "The quarry spares springs, based on an assessment of its pumping.",
        confidence=0.85,
    ),
    _rule(
        "Assessment", "operator assesses", "guidelines 5",
        rf"\bconducts? an? (?:[\w-]+ ){{0,3}}(?:audit|{_STUDY})\b|\beffectiveness\b[^.;]{{0,60}}\b(?:is|are) monitored\b"
        r"|\b(?:assess(?:es|ed)|analys(?:es|ed)|evaluates|evaluated|surveys|mapped|compares)\b(?! (?:to be|at|as))",
        "The mill assesses its noise.",
    ),
    _rule(
        "Assessment", "demonstrates that", "guidelines 5",
        r"\b(?:demonstrates?|shows?|demonstrated)\b(?:,[^,]*,)? (?:that|one of)\b|\bprojected\b[^.;]{0,120}\bbaseline\b"
        r"|\bdemonstrated by\b[^.;]{0,80}\b(?:calculations?|tests|dynamics|evidence)\b",
        "The owner demonstrates that traffic has not grown.",
    ),
    _rule(
        "Assessment", "risks identified", "D8",
        r"\brisks?\b[^.;]{0,220}\bidentified\b|\bidentif(?:y|ies)\b[^.;]{0,60}\b(?:risks?|impacts?|needs)\b",
        "Risks for bathing water are identified and addressed.",
    ),
    _rule(
        "Assessment", "tracking by indicators", "C2; D8",
        r"\b(?:monitor(?:s|ed|ing)?|measur(?:ed|ing)|track(?:s|ing)?)\b[^.;]{0,120}\b(?:indicators?|KPIs?|effectiveness of the contribution)\b"
        r"|\b(?:indicators?|KPIs?)\b[^.;]{0,60}\bto (?:track|monitor)\b|\bperformance monitoring and assessment\b",
        "Noise is monitored against indicators.",
    ),
    _rule(
        "Assessment", "consultation", "guidelines 5",
        r"\b(?:stakeholder|public) consultations?\b|\bin consultation with\b|\bconsultations? (?:of|with)\b|\b(?:stakeholders|communities)\b[^.;]{0,40}\b(?:involved|engaged|consulted)\b"
        r"|\b(?:engages|consults|involves)\b[^.;]{0,40}\b(?:stakeholders|communities)\b",
        "Neighbours and other stakeholders are consulted.",
        confidence=0.8,
    ),
)

REPLACEMENT: tuple[TagRule, ...] = (
    _rule(
        "Replacement", "replaces what exists", "guidelines 5",
        r"\b(?:replaces?|takes? the place of)\b[^.;]{0,60}\b(?:existing|old|part)\b|\b(?:is|are) replaced\b(?! by)|\breplacement of (?:existing|old)\b|^\s*(?:installation|maintenance|repair)[\w, ]*\breplacement\b|\breplacing\b[^.;]{0,40}\b(?:existing|old)\b"
        r"|\bof the replaced\b",
        "The ferry replaces an existing one.",
    ),
    _rule(
        "Replacement", "withdrawn", "guidelines 5",
        r"^\s*(?:(?:is|are) )?permanently (?:withdrawn|removed|decommissioned)\b|\b(?:is|are) phased out\b",
        "permanently withdrawn from service within two years;",
    ),
)

TAG_RULES: tuple[TagRule, ...] = (*VERIFICATION, *METHODOLOGY, *COMMITMENT, *ASSESSMENT, *REPLACEMENT)

BACKGROUND_RULES: tuple[TagRule, ...] = (
    _rule(
        "BackgroundInformation", "not applicable", "guidelines 5",
        r"^\W*(?:N/A|not applicable)\b",
        "N/A",
    ),
    _rule(
        "BackgroundInformation", "exemption", "R4",
        r"^(?:[^,;:]|,\d)*\b(?:(?:is|are) not required to|(?:do|does) not apply(?: to)?"
        r"|no (?:additional |further )?[\w ]{0,60}(?:is|are) required|(?:is|are) exempt(?:ed)?)\b",
        "Mills below 20 kW are not required to keep a register.",
    ),
    _rule(
        "BackgroundInformation", "permission", "R8",
        r"^[^,;:]*(?:,[^,;:]*)?(?<!which )(?<!that )\bmay (?:also )?(?:include|serve|take into account|be (?:considered|carried out|performed|deemed|used|accounted|reduced))\b"
        r"(?!.*\b(?:provided that|under the condition|on condition)\b)",
        "The ferry service may include a night boat.",
    ),
    _rule(
        "BackgroundInformation", "act of the Commission or a State", "paper D.5",
        r"\b(?:the Commission|Member States?) (?:may|shall|will)\b",
        "The Commission may address an opinion to the owners.",
    ),
    _rule(
        "BackgroundInformation", "what the validator weighs", "paper D.5",
        r"\b(?:verifier|certifier|auditor)s? (?:takes? into account|considers?)\b",
        "The auditor takes into account the planned hours.",
    ),
    _rule(
        "BackgroundInformation", "definition", "guidelines 5; R19",
        r"^[^,;]{0,80}\b(?:means|(?:is|are) (?:defined|understood) as|the following (?:specifications|definitions) apply)\b|^note\b",
        "‘Clean load’ means a load without metal.",
    ),
)
"""Asked of the main clause of the first sentence; the first that matches makes the criterion background."""


@dataclass(frozen=True, slots=True)
class MaskRule:
    """Words that say nothing about the criterion's own tag and are hidden from the table."""

    name: str
    pattern: re.Pattern[str]
    source: str


def _mask(name: str, source: str, pattern: str) -> MaskRule:
    return MaskRule(name, re.compile(pattern, re.IGNORECASE), source)


_POINT = r"(?:\d+(?:\.\d+)*(?:\.?\s?\([a-z]+\))*|\([a-z]+\)(?:\([ivx]+\))*)"

MASK_RULES: tuple[MaskRule, ...] = (
    _mask("footnote marker", "guidelines 1", r"\(\d+\)"),
    _mask(
        "introduction of a list", "guidelines 5",
        r"\b(?:compl(?:y|ies|ying)|meets?|meeting|fulfils?|satisf(?:y|ies)|in accordance|designed to ful+il)\b(?: with)?[^.;:]{0,60}"
        r"\b(?:following|these (?:criteria|requirements|conditions)|specified below|of the criteria)\b[^.;:]{0,60}",
    ),
    _mask(
        "point of the unit itself", "guidelines 7",
        r"(?:\b(?:compl(?:y|ies|ying)|meet(?:s|ing)?|fulfils?)\b(?: with)?[^.;,]{0,60})?"
        rf"\b(?:criteri(?:a|on)|requirements?|conditions?|measures)?,? ?(?:as )?(?:specified|set out|set|referred to|described|laid down|determined)"
        rf" (?:in|under) (?:points? )?{_POINT}(?:(?:,| and| or| to) {_POINT})*(?: of this (?:sub)?section)?(?! of (?:Article|Annex|Section))\b",
    ),
    _mask(
        "definition of a plan by law", "D18",
        r",? as (?:set out|referred to|defined) (?:in|by) (?:the )?(?:national|FAO)[^.;]*",
    ),
    _mask("reason of a relative clause", "R7", r",? as documented in the (?:plan|log|register)(?: referred to in point [\d.]+)?|,? in which case\b[^.;]*"),
    _mask("what is verified", "guidelines 5", r"\bcompliance\b[^.;]*?(?=\b(?:is|are|may be|can be) (?:\w+ly )?(?:verified|checked|controlled|audited|shown))"),
    _mask("how it is verified", "D24", r"(?<=verified) in (?:line|accordance) with [^,.;]*"),
    _mask("time clause", "D9", r"\b(?:when|until (?:this|the|that)) [^,;.]*"),
    _mask("where clause", "guidelines 5", r", where (?![^,;.]*\b(?:compl|meet|fulfil))[^,;.]*,"
        r"|\bwhere the [^;.]{0,60}\bis (?:newly )?installed\b[^;.]{0,40}?(?= is| are)|\bmay take into account\b[^.;]*|\bcan be any\b[^.;]*"),
    _mask("equivalent", "guidelines 7", r"\bor (?:an )?equivalent\b(?! (?:\w+ ){0,3}(?:instrument|system|document|plan))[^.;,]*"),
    _mask("all measures below", "guidelines 5", r"\bfollowing measures\b[^:]*"),
    _mask("result of a study", "guidelines 5", r"\b(?:results?|outcome) of (?:this|that|the) [\w -]*\b(?:assessment|analysis|study) (?:is|are) published\b"),
    _mask("list below", "guidelines 5", r"\b(?:all |at least )?(?:of )?the following (?:[\w-]+ ){0,5}(?=:)|\bfollowing [\w-]+ (?:are|is) (?:met|ensured|fulfilled)"),
    _mask("example", "C8", r",? ?(?:for example|e\.g\.)[^.;]*"),
    _mask("aside", "guidelines 5", r"\([^()]*\)"),
    _mask(
        "quantity defined by an act", "D6",
        r"\b(?:emissions?(?: of CO2)?|consumption|output|values?|demand|potential|mass),? (?:as )?defined in [^.;]*?(?=,? (?:are|is|lower|not)\b)",
    ),
    _mask(
        "outcome for the environment under an act", "D6",
        r"\b(?:(?:good|favourable) (?:\w+ )?(?:status|potential)|conservation status|deterioration|deteriorate)\b[^.;]{0,120}?"
        r"\b(?:in accordance with|as defined in|pursuant to)\b[^.;]*?(?=[.;]|,? and (?:in line )?(?:with )?an? |$)",
    ),
    _mask("general law", "guidelines 7", r"\bin (?:accordance|line|compliance) with (?:the )?(?:applicable |relevant )?(?:Union and )?(?:national |Union )?(?:and local )?(?:laws?|legislation|provisions)\b"),
    _mask("regard to law", "D9", r"\bwith due regard to [^,]*,"),
    _mask("comparator of savings", "guidelines 6", r"\bcompared to\b[^.;,]*"),
)


def masked(text: str) -> str:
    """Return the text, equally long, with openings that gate and the words of `MASK_RULES` blanked.

    Example:
        >>> masked("Where ISO 9 is used, dust is low(1).").strip()
        'dust is low   .'
    """
    out = list(text)
    for sentence in read_sentences(text):
        for opening in sentence.gates:
            out[opening.start : opening.end] = " " * (opening.end - opening.start)
    for rule in MASK_RULES:
        for match in rule.pattern.finditer("".join(out)):
            out[match.start() : match.end()] = " " * (match.end() - match.start())
    return "".join(out)


def hits(words: str, rules: tuple[TagRule, ...] = TAG_RULES, start: int = 0) -> list[Hit]:
    """Return the first match of each rule at or after `start`, without rules that another one rules out."""
    found = [(r, m) for r in rules if (m := r.pattern.search(words, start)) is not None]
    ruled_out = frozenset[Tag]().union(*(r.instead_of for r, _ in found))
    return [Hit(r, m.start(), m.end()) for r, m in found if r.tag not in ruled_out]
