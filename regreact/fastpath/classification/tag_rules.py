"""Words that earn a criterion a tag: the table behind `AssignTags`.

Follows section 5 of the annotation guidelines with R6, R7, D3 to D9, D13, C2 to C4 and C9, and appendix D.5 of
arXiv 2604.12054. Rules for unnumbered paragraphs (`regreact.fastpath.cues`) name one type; here several tags may hold.
"""

from __future__ import annotations

from regreact.fastpath.classification.methodology import METHODOLOGY
from regreact.fastpath.classification.situations import SUBORDINATE_MAY
from regreact.fastpath.classification.tag_model import TagRule, tag_rule
from regreact.fastpath.classification.tag_words import OTHERS, PAPERS, PLAN, RECORD, STUDY
from regreact.fastpath.cue_rules import MEANS, VALIDATOR

VERIFICATION: tuple[TagRule, ...] = (
    tag_rule(
        "Verification",
        "verified",
        "guidelines 5",
        r"(?<!can )\b(?:is|are|be|been|being|and|or|data|products?|that) (?:\w+ly )?"
        r"(?:verified|certified|audited|validated|attested|accredited)\b(?! (?:data|from)\b)|\battests\b",
        "Yearly tonnage is verified by a third party.",
    ),
    tag_rule(
        "Verification",
        "verified assessment",
        "guidelines 5",
        r"\bverified (?:\w+ ){0,2}(?:assessment|proof)\b|\bcertified (?:according|by|under|using|against|to (?:ISO|EN|IEC))\b",
        "The harbour has a verified proof of its flood cover.",
    ),
    tag_rule(
        "Verification",
        "checked by others",
        "guidelines 5",
        r"\b(?:checked|inspected|approved|controlled|authorised|licensed|reviewed|verified"
        r"|certified)\b[^.;]{0,40}\bby\b"
        rf"(?![^.;]{{0,20}}management body)[^.;]{{0,50}}\b{OTHERS}\b|\bapproved inspector\b"
        rf"|\b(?:{OTHERS}|laborator(?:y|ies)) (?:\w+ly )?(?:verif(?:y|ies)|checks?|tests?|inspects?|audits?"
        rf"|certif(?:y|ies)|confirms?)\b"
        r"|\b(?:checked|inspected|tested|confirmed|examined|reviewed|assessed|measured|controlled|supervised|surveyed|witnessed"
        r"|monitored|evaluated|calibrated|sampled)\b[^.;,]{0,50}?\bby (?:(?:an?|the|any) )?(?:[\w-]+ ){0,2}?"
        rf"(?:{VALIDATOR}|(?:[\w-]+ ){{1,3}}(?:who|which|that) (?:is|are) independent\b)",
        "Walls are inspected yearly by a licensed body.",
    ),
    tag_rule(
        "Verification",
        "certification by others",
        "guidelines 5",
        rf"\b{OTHERS} (?:certification|verification|validation|audit)\b|\b(?:certification|audit) by\b"
        r"|\bverification\b[^.;]{0,80}\bcarried out by\b",
        "The system requires third-party certification.",
    ),
    tag_rule(
        "Verification",
        "permit, label or certificate",
        "D7",
        r"\b(?:received|obtained|holds?|has|have|bears?|carr(?:y|ies)|displays?|granted|awarded(?: with)?|covered by|undergoes)"
        r" (?:at least )?(?:an?|the|all)?"
        r" ?(?:[\w-]+ ){0,4}(?:permits?|licen[cs]es?|ecolabel|label|certificat(?:e|ion)|type[- ]approval)\b"
        r"|\b(?:permit|licen[cs]e|label|certificate)s? (?:is|are|has been|have been) (?:\w+ly )?(?:issued|granted|awarded|delivered"
        r"|obtained)\b"
        r"|\bpermit obtained from\b|\bhas a proof of\b"
        r"|\bperformance certificate\b",
        "The mill has received the necessary permits.",
    ),
    tag_rule(
        "Verification",
        "opinion of an authority",
        "D7",
        rf"\b(?:Commission|{OTHERS}) (?:has |have )?(?:given|gives?|issued|issues?|delivered|delivers?|granted|grants?)"
        r" (?:its|their|an?|the) (?:[\w-]+ ){0,2}(?:opinion|approval|consent|authorisation|clearance|permission)\b",
        "The harbour authority has given its consent to the pier.",
    ),
)

COMMITMENT: tuple[TagRule, ...] = (
    tag_rule(
        "Commitment",
        "plan in place",
        "guidelines 5",
        rf"\b(?:{PLAN}|management systems?)\b[^.;:]{{0,130}}(?<!that )\b(?:is|are|has been|have been) (?:\w+ly )?"
        r"(?:in (?:place|force|effect)|presented|brought up to date|kept up to date|signed|set up|established|developed|issued"
        r"|drawn up|adopted|prepared|implemented|reviewed|updated|followed by|defined)\b",
        "A monitoring plan is in place.",
    ),
    tag_rule(
        "Commitment",
        "content of a plan",
        "guidelines 5; D8",
        rf"\b{PLAN}\b[^.;,]{{0,60}}\b(?:contains?|covers?|includes?|provides?|sets?|defines?|ensures?|follows"
        rf"|identif(?:y|ies)|engages|adheres|pursue|makes|states?|specif(?:y|ies)|names|lists|describes?|lays? down|prescribes?"
        rf"|stipulates?|governs?)\b",
        "The quarry plan covers at least eight years.",
    ),
    tag_rule(
        "Commitment",
        "operator has a plan",
        "guidelines 5",
        rf"\b(?:implements?|implemented|develops?|developed|establish(?:es|ed)?|has|adopts?|draws? up|covered by"
        rf"|subject to|there is)\b"
        rf" (?:an?|the|its)\b[^.;,]{{0,60}}?(?<!environmental )\b{PLAN}\b"
        r"|\b(?:has|have) (?:(?!(?:been|no|not|with|to|on|in|of|by|for|under|from)\b)[\w-]+ ){0,5}"
        r"(?:plans|programmes|strategies|policies|agreements|contracts)\b"
        rf"|\b(?:run|operated|managed|worked|organised|carried out|conducted|maintained|handled) under an?"
        rf" (?:[\w-]+ ){{0,5}}{PLAN}\b"
        rf"|\b(?:has|have) (?:set up|(?:put )?in place)\b[^.;]{{0,80}}\b(?:{PLAN}|funds?)\b",
        "The quarry is covered by a noise plan.",
        confidence=0.85,
    ),
    tag_rule(
        "Commitment",
        "stands in a plan",
        "C2",
        rf"(?:\b(?:is|are|be|been)|\band(?= included| integrated| documented)) (?:\w+ )?"
        rf"(?:included|identified|integrated|defined|documented|described|addressed"
        rf"|foreseen|set out)\b[^.;]{{0,80}}\bin\b[^.;]{{0,60}}?"
        rf"(?<!forest )\b(?:{PLAN}|permit conditions)\b",
        "The spring is included in a valley management plan.",
        confidence=0.8,
    ),
    tag_rule(
        "Commitment",
        "demonstrated by a plan",
        "C2",
        rf"\bdemonstrated by means of\b[^.;]{{0,40}}\b{PLAN}\b|\bplan for\b",
        "The basin is part of the network, as demonstrated by means of a flood plan.",
    ),
    tag_rule(
        "Commitment",
        "declaration, guarantee, contract",
        "guidelines 5; D7",
        r"\b(?:commits?|committed|commitment|pledge[ds]?|guarantee[ds]?|declar(?:es?|ed)|(?:an?|the|that) declaration"
        r"|declaration of|contractual (?:guarantee|obligation|term|arrangement)s?"
        r"|(?:through|by|under|by means of) (?:[\w-]+ ){0,3}contractual agreements?"
        r"|agreed (?:upon |on )?with"
        r"|intention to|undertakes to|obligation (?:for|of) the|warranty|(?:sales|supply|transfer"
        r"|service) (?:contract|agreement)|under an? [\w -]{0,30}(?:plan|agreement|contract) signed)\b",
        "The owner delivers a declaration on the origin of the sand.",
    ),
    tag_rule(
        "Commitment",
        "public disclosure",
        "D7",
        r"\bdisclos(?:es?|ed|ure)\b(?! (?:only )?to (?:the |its |their |all )?(?:[\w-]+ )?"
        r"(?:investors?|clients?|customers?|buyers?|users?|tenants?)\b(?![^.;]*\bpublic\b))"
        r"|\bpublicly available\b|\bavailable publicly\b|(?<!which )(?<!that )\b(?:is"
        r"|are) published\b|\b(?:operator|owner|undertaking|insurer) publishes\b"
        r"|\bmade available,? [^.;]{0,60}(?:authorit|third parties|public)",
        "The mill publicly discloses its dust readings.",
    ),
    tag_rule(
        "Commitment",
        "information is provided",
        "D3",
        r"\b(?<!such )(?:detailed )?information\b[^.;:]{0,80}\b(?:is provided|are provided)\b"
        r"|\bexplanation\b[^.;]{0,80}\bis provided\b"
        r"|\bhas reported\b|\bcommitted to report\b",
        "Information is provided on the sand, the water and the road.",
    ),
    tag_rule(
        "Commitment",
        "provisions in a plan",
        "C2",
        r"\bincludes? provisions? (?:to|for)\b",
        "The plan includes provisions to meet the criteria of Annex XX.",
        instead_of=("Methodology",),
    ),
    tag_rule(
        "Commitment",
        "risks addressed under a plan",
        "D8",
        r"\brisks?\b[^.;]*\bidentified and addressed\b[^.;]*\b(?:in line|in accordance"
        r"|consistent) with [^.;]*\bplans?\b",
        "Risks for the lake are identified and addressed in line with a valley management plan.",
        instead_of=("Methodology",),
    ),
    tag_rule(
        "Commitment",
        "records and rules",
        "guidelines 5",
        rf"\b(?:keeps?|draws? up|maintains?|holds?|compiles?)\b (?:an? |the )?[^.;,]{{0,40}}\b{RECORD}\b"
        rf"|\b{RECORD}\b[^.;,]{{0,40}}\b(?:contains?|covers?|lists?|(?:is|are) (?:in place|drawn up|set up|updated|kept))\b"
        rf"|\b{PAPERS}(?: (?:of|on|for|from|about) [^.;,]{{1,100}}?)? (?:is|are) (?:\w+ly )?(?:kept|retained|archived|preserved|filed)\b"
        rf"|\b(?:is|are) (?:entered|recorded|noted|logged|written down) in (?:an?|the) (?:[\w-]+ ){{0,3}}?{RECORD}\b"
        rf"|\bregister\b[^.;]{{0,30}}\bopen to the public\b|\bprovides? rules\b|\bgovernance structure\b"
        rf"|\bdraws? up documentation\b|\bbinding targets\b",
        "The pool keeps records of every refill.",
    ),
)

ASSESSMENT: tuple[TagRule, ...] = (
    tag_rule(
        "Assessment",
        "study made",
        "guidelines 5",
        rf"\b{STUDY}\b(?! (?:programme|plan|method))[^.;]{{0,260}}\b(?:is|are|was|were|has been|have been"
        rf"|is to be) (?:\w+ly )?"
        r"(?:performed|carried out|conducted|completed|undertaken|made|done|updated|published|repeated|renewed|discussed)\b"
        rf"|\b(?:an? |the )?[\w ]{{0,30}}\bstud(?:y|ies)\b[^.;,]{{0,40}}\b(?:draws? on|names?|covers?|shows?"
        rf"|compares?|identif(?:y|ies))\b",
        "A noise survey is carried out.",
    ),
    tag_rule(
        "Assessment",
        "based on a study",
        "guidelines 5",
        rf"\b(?:based on|on the basis of|through|by means of|by|subject to|subject of|supported by|includ(?:es"
        rf"|ing))\b (?:(?:an?|the results of|its) )?"
        rf"(?!as regards|with regard|with respect|in respect)(?:[\w-]+ ){{0,6}}?{STUDY}\b(?! (?:methods?|projections))"
        r"|\bcost-benefit assessment\b|\b(?:contains?|includes?) (?:an? |the )?(?:\w+ )?consideration of\b",
        "The quarry spares springs, based on an assessment of its pumping.",
        confidence=0.85,
    ),
    tag_rule(
        "Assessment",
        "operator assesses",
        "guidelines 5",
        r"\b(?:conducts?|performs?|carries out|undertakes|(?:has|have) (?:conducted|performed|carried out|undertaken))"
        rf" (?:an?|its) (?:[\w-]+ ){{0,5}}(?:audit|{STUDY})\b|\beffectiveness\b[^.;]{{0,60}}\b(?:is|are) monitored\b"
        r"|\b(?:assess(?:es|ed)|analys(?:es|ed)|evaluates|evaluated|surveys|mapped|compares)\b(?! (?:to be|at|as))"
        r"|\b(?:is|are|has been|have been|and) (?:\w+ly )?(?:surveyed|compared with|investigated)\b",
        "The mill assesses its noise.",
    ),
    tag_rule(
        "Assessment",
        "demonstrates that",
        "guidelines 5",
        r"\b(?:demonstrates?|shows?|demonstrated)\b(?:,[^,]*,)? (?:that|one of)\b|\bprojected\b[^.;]{0,120}\bbaseline\b"
        r"|\b(?:submits?|submitted|provides?|provided|presents?|presented|prepares?|prepared) (?:an?|the|its)"
        r" (?:[\w-]+ ){0,3}demonstration\b|\bdemonstrated by\b[^.;]{0,80}\b(?:calculations?|tests|dynamics|evidence)\b",
        "The owner demonstrates that traffic has not grown.",
    ),
    tag_rule(
        "Assessment",
        "risks identified",
        "D8",
        r"\brisks?\b[^.;]{0,220}\bidentified\b|\bidentif(?:y|ies)\b[^.;]{0,60}\b(?:risks?|impacts?|needs)\b",
        "Risks for bathing water are identified and addressed.",
    ),
    tag_rule(
        "Assessment",
        "tracking by indicators",
        "C2; D8",
        r"\b(?:monitor(?:s|ed|ing)?|measur(?:ed|ing)|track(?:s|ing)?)\b[^.;]{0,120}\b(?:indicators?|KPIs?"
        r"|effectiveness of the contribution)\b"
        r"|\b(?:indicators?|KPIs?)\b[^.;]{0,60}\bto (?:track|monitor)\b|\bperformance monitoring and assessment\b",
        "Noise is monitored against indicators.",
    ),
    tag_rule(
        "Assessment",
        "consultation",
        "guidelines 5",
        r"\b(?:stakeholder|public) consultations?\b|\bin consultation with\b|\bconsultations? (?:of|with)\b"
        r"|\b(?:stakeholders|communities)\b[^.;]{0,40}\b(?:involved|engaged|consulted)\b"
        r"|\b(?:engages|consults|involves)\b[^.;]{0,40}\b(?:stakeholders|communities)\b",
        "Neighbours and other stakeholders are consulted.",
        confidence=0.8,
    ),
)

REPLACEMENT: tuple[TagRule, ...] = (
    tag_rule(
        "Replacement",
        "replaces what exists",
        "guidelines 5",
        r"\b(?:replaces?|takes? the place of)\b[^.;]{0,60}\b(?:existing|old|part)\b|\b(?:is|are) replaced\b(?! by)"
        r"|\breplacement of (?:existing|old)\b|^\s*(?:installation|maintenance|repair)[\w, ]*\breplacement\b"
        r"|\breplacing\b[^.;]{0,40}\b(?:existing|old)\b"
        r"|\bof the replaced\b",
        "The ferry replaces an existing one.",
    ),
    tag_rule(
        "Replacement",
        "withdrawn",
        "guidelines 5",
        r"^\s*(?:(?:is|are) )?permanently (?:withdrawn|removed|decommissioned)\b|\b(?:is|are) phased out\b",
        "permanently withdrawn from service within two years;",
    ),
)

TAG_RULES: tuple[TagRule, ...] = (*VERIFICATION, *METHODOLOGY, *COMMITMENT, *ASSESSMENT, *REPLACEMENT)

BACKGROUND_RULES: tuple[TagRule, ...] = (
    tag_rule(
        "BackgroundInformation",
        "not applicable",
        "guidelines 5",
        r"^\W*(?:N/A|not applicable)\b",
        "N/A",
    ),
    tag_rule(
        "BackgroundInformation",
        "exemption",
        "R4",
        r"^(?:[^,;:]|,\d)*\b(?:(?:is|are) not required to|(?:do|does) not apply(?: to)?"
        r"|no (?:additional |further )?[\w ]{0,60}(?:is|are) required|(?:is|are) exempt(?:ed)?)\b",
        "Mills below 20 kW are not required to keep a register.",
    ),
    tag_rule(
        "BackgroundInformation",
        "permission",
        "R8",
        rf"^(?:(?!{SUBORDINATE_MAY})[^,;:])*(?:,(?:(?!{SUBORDINATE_MAY})[^,;:])*)?(?<!which )(?<!that )"
        r"\bmay (?:also )?(?:(?:include|serve|take into account"
        r"|be (?:considered|carried out|performed|deemed|used|accounted|reduced))\b"
        r"|(?:be (?!checked|verified|audited|certified|assessed|demonstrated|shown|proven|proved|done|obtained)"
        r"(?:[a-z]+ed|left|kept|built|run|put|set|sold)|remain|stay|continue)\b(?![^.;]*\b(?:if|where|when|only|unless|instead|by"
        r"|up to|no more|not more|at most|as long as)\b))"
        r"(?!.*\b(?:provided that|under the condition|on condition)\b)",
        "The ferry service may include a night boat.",
    ),
    tag_rule(
        "BackgroundInformation",
        "act of the Commission or a State",
        "paper D.5",
        r"\b(?:the Commission|Member States?) (?:may|shall|will)\b",
        "The Commission may address an opinion to the owners.",
    ),
    tag_rule(
        "BackgroundInformation",
        "what the validator weighs",
        "paper D.5",
        r"\b(?:verifier|certifier|auditor)s? (?:takes? into account|considers?)\b",
        "The auditor takes into account the planned hours.",
    ),
    tag_rule(
        "BackgroundInformation",
        "definition",
        "guidelines 5; R19",
        rf"^[^,;]{{0,80}}(?:{MEANS}|\b(?:(?:is|are) (?:defined|understood) as|the following (?:specifications"
        r"|definitions) apply)\b)|^note\b",
        "‘Clean load’ means a load without metal.",
    ),
)
"""Asked of the main clause of the first sentence; the first that matches makes the criterion background."""
