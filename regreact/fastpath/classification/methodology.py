"""Words that make a criterion `Methodology`: a method, standard, equipment or test of others that must be followed.

Follows section 5 of the annotation guidelines with R6, D3, D6, D8, C2, C4 and C9.
"""

from __future__ import annotations

from regreact.fastpath.classification.tag_model import TagRule, tag_rule
from regreact.fastpath.classification.tag_words import ACT, DOCUMENT, RULES_OF_OTHERS

METHODOLOGY: tuple[TagRule, ...] = (
    tag_rule(
        "Methodology",
        "test of others",
        "guidelines 5; D6; C9",
        r"\b(?:compl(?:y|ies|ying|iant|iance)|conform(?:s|ing)?|fulfil(?:s|ling|led)?|satisf(?:y|ies|ying)"
        r"|respects?(?! (?:of|to)\b)|match(?:es|ing)?"
        rf"|meet(?:s|ing)?)\b[^.;]{{0,140}}?\b{RULES_OF_OTHERS}\b",
        "Rinsing water meets the conditions of Annex XX.",
        confidence=0.92,
    ),
    tag_rule(
        "Methodology",
        "duty by law",
        "guidelines 5",
        r"\bcompl(?:y|ies) with\b[^.;]{0,60}\bobligations?\b",
        "The mill complies with its record-keeping obligations.",
    ),
    tag_rule(
        "Methodology",
        "requirements met",
        "guidelines 5",
        r"\b(?:requirements|criteria|conditions|standards|obligations)\b[^.;]{0,120}\b(?:are|is) (?:met|fulfilled"
        r"|complied with|followed)\b",
        "Noise requirements of Directive 2099/1/EU are met.",
    ),
    tag_rule(
        "Methodology",
        "under an act",
        "guidelines 5",
        r"\b(?:in accordance|in line|in compliance|in conformity|in analogy|according|pursuant|consistent(?:ly)?"
        r"|aligned"
        rf"|in relation)\b (?:with|to)\b[^.;]{{0,80}}?\b{ACT}\b(?! (?:law|legislation))",
        "Filters are emptied in accordance with Directive 2099/1/EU.",
        confidence=0.85,
    ),
    tag_rule(
        "Methodology",
        "under a standard",
        "guidelines 5; D8",
        r"\b(?:in accordance with|in line with|according to|pursuant to|consistent(?:ly)? with|aligned with|based on"
        rf"|(?<!in )\bline with|in compliance with|on the basis of|follows?"
        rf"|in relation to)\b[^.;,]{{0,120}}?\b{DOCUMENT}\b"
        r"|\bconsistent with [^.;]{0,90}?\b(?:plans|strategies|objectives|guidelines)\b",
        "Complaints are handled in accordance with high service standards.",
        confidence=0.85,
    ),
    tag_rule(
        "Methodology",
        "calculation",
        "guidelines 5",
        r"\b(?:is|are|be|been|being|has been|either|shall be) (?:\w+ly )?"
        r"(?:calculated|computed|measured|quantified|estimated|counted|determined|worked out|expressed|applied across"
        r"|monitored based)\b"
        r"(?! against)|\b(?:performed|carried out|conducted),? (?:at least )?(?:by )?using\b(?! (?:one|either|any)\b)"
        r"|\b(?:is|are|be) (?:(?:established|derived|obtained|ascertained|deduced) (?:from|using|by means of|on the basis of)"
        r" (?:[\w-]+ ){0,3}(?:meters?|readings?|measurements?|records?|data|samples?|tables?|factors?|statistics|registers?)\b)"
        r"|\bcalculated (?:in accordance|using|by|according|based|from|with)\b|\b(?:(?:determined|worked out"
        r"|measured) (?:using|with|following)|determined (?:by|based))\b|\bin the test of\b",
        "Heat losses are calculated using ISO 99999.",
    ),
    tag_rule(
        "Methodology",
        "measures taken",
        "R6",
        r"\bmeasures\b[^.;]{0,60}\b(?:is|are|have been|has been|being) (?:\w+ly )?(?:taken|in place|implemented"
        r"|undertaken|deployed|applied)\b"
        r"|\b(?:takes?(?! into)|implements?|deploys?|(?:has|have) (?:taken(?! into)|implemented|deployed))"
        r" (?:[\w-]+ ){0,3}measures\b|\bimplements (?:[\w-]+ ){0,4}improvements?\b",
        "Measures are taken to keep dust inside the hall.",
    ),
    tag_rule(
        "Methodology",
        "technique or equipment",
        "guidelines 5",
        r"(?<!that )(?<!which )\b(?:deploys|implements|has implemented|applies(?! to\b)|adopts|uses|employs"
        r"|installs)\b[^.;]{0,70}"
        r"\b(?:techniques?|technolog(?:y|ies)|practices|methods?|systems?|equipment|procedures?|tools?"
        r"|treatment|models?|projections|methodology|segregation)\b",
        "The mill applies quiet grinding techniques.",
        confidence=0.85,
    ),
    tag_rule(
        "Methodology",
        "equipment in place",
        "guidelines 5",
        r"\b(?:systems?|equipment|cover|techniques?|devices?|meters?|sensors?|filters?|detection|controls|detectors?"
        r"|openings|measures)\b"
        r"[^.;]{0,110}(?<!that )(?<!which )\b(?:is|are|has been|have been) (?:\w+ly )?"
        r"(?:installed|in place|put in place|applied|adopted|deployed|fitted|implemented|used)\b"
        r"|(?<!that )(?<!which )\b(?:is|are|has been|have been) (?:\w+ly )?(?:installed|fitted|mounted|retrofitted|equipped with)\b"
        r"|\binstallation of [^.;,]{1,80}\b(?:is|are|has been|have been) (?:completed|finished|brought to completion|carried out)\b"
        r"|\b(?:have|has) [\w ]{0,30}installed\b|\bleak detection\b|\bmeasures include\b"
        r"|\b(?:implements?|has implemented)\b[^.;]{0,60}\bsolutions\b"
        r"|\binclude(?:s)? metering\b|\bhas an? (?:[\w-]+ ){0,3}(?:system|procedure)\b",
        "Measuring equipment is installed at the gate.",
        confidence=0.85,
    ),
    tag_rule(
        "Methodology",
        "limit set by others",
        "R6; D6",
        r"\bBAT-AEL|\bwithin the [\w -]*(?:levels|ranges|limits)\b[^.;]{0,30}\bconclusions\b"
        r"|\b(?:emissions? (?:levels|limit values)|thresholds?|limits?|targets?|rates?|standards?|requirements?"
        r"|margins?|class(?:es)?"
        r"|categor(?:y|ies)|practices|list)\b[^.;]{0,80}\b(?:set|laid down|specified|defined|established"
        r"|associated with|described|listed"
        rf"|provided|referred to|contained)\b[^.;]{{0,70}}\b(?:{ACT}|by|conclusions|convention|requirements"
        rf"|best available techniques)\b",
        "Soot stays below the limits laid down in Annex XX.",
        confidence=0.85,
    ),
    tag_rule(
        "Methodology",
        "margin to a limit of others",
        "D6",
        r"\b(?:below|above|less than|lower than|relative to)\b[^.;]{0,60}\b(?:requirements|limit of|type limit"
        r"|reference (?:line|value)|standard)\b"
        r"|\b(?:exceeds?|goes? beyond|(?:stricter|more stringent) than)\b[^.;]{0,60}"
        rf"\b(?:requirements|limits?|standards?|rules)\b[^.;]{{0,40}}\b(?:{ACT}|laws?|legislation)\b",
        "The ferry stays 5 % below the index requirements of 2099.",
        confidence=0.8,
    ),
    tag_rule(
        "Methodology",
        "points of a checklist",
        "guidelines 5",
        r"\b(?:aspects|items|points|elements|steps|questions) (?:of|from|in|on) (?:the|an?) [^.;:]{0,80}"
        r"\b(?:checklist|code of practice|questionnaire)\b",
        "The points of the Tunnel Office checklist are gone through.",
    ),
    tag_rule(
        "Methodology",
        "taken into account",
        "D8",
        r"\btak(?:es?|en|ing) into account\b(?=[^.;]{0,120}\b(?:strateg|guidelines?|guidance|science|results|plans?"
        r"|projections|standards?|practices))"
        r"|\bresults of\b[^.;]{0,200}\btaken into account\b",
        "The mill takes into account the national lake strategy.",
    ),
    tag_rule(
        "Methodology",
        "certificate under a standard",
        "D6",
        r"\bcertif\w+ (?:to|under|according to|in accordance with|standards?|schemes?)\b[^.;]{0,30}"
        r"\b(?:ISO|EN|IEC)\b",
        "The office is certified to ISO 99999.",
    ),
    tag_rule(
        "Methodology",
        "demonstrated by a method",
        "guidelines 5",
        r"\bdemonstrat(?:es?|ed)\b[^.;]{0,60}\bby reporting\b|\bdemonstrated by (?:proof|means)\b"
        r"|\bproof of (?:compliance|alignment)\b"
        r"|\bwith reference to\b[^.;]{0,40}\b(?:ISO|EN|standards?)\b",
        "Compliance is demonstrated by reporting on indicator 9.",
    ),
    tag_rule(
        "Methodology",
        "way of counting",
        "guidelines 5",
        r"\b(?:is|are) not considered as a\b|\bis to be (?:calculated|counted|applied)\b",
        "Fines are not considered as a contribution to the fund.",
    ),
    tag_rule(
        "Methodology",
        "support to others' criteria",
        "C9",
        r"\bto meet (?:those|the|their)(?: respective| relevant)?[^.;]{0,40}\b(?:criteria|requirements|targets)\b"
        r"|\bcontribut\w+ to the targets\b[^.;]{0,80}\bDirective\b",
        "The advice helps mills to meet their respective criteria.",
    ),
    tag_rule(
        "Methodology",
        "practices of the baseline",
        "guidelines 5",
        r"^\s*the (?:[\w-]+ ){0,2}practices\b(?![^;]*following)",
        "the grinding practices as documented in the latest log;",
    ),
    tag_rule(
        "Methodology",
        "choice of an approach",
        "D3",
        r"\bensured by choosing\b",
        "Quiet is ensured by choosing the most ambitious of these approaches:",
    ),
    tag_rule(
        "Methodology",
        "measurement reported",
        "paper D.5",
        r"\bmeasurements? of\b[^.;]{0,60}\b(?:is|are) reported\b",
        "Physical measurement of dust is reported.",
    ),
    tag_rule(
        "Methodology",
        "class supplied by an act",
        "D6",
        rf"\b(?:as defined|defined|listed|set out|laid down|referred to|classified|identified|specified|as described"
        rf"|recognised|approved|authorised|registered|admitted)\b"
        rf"[^.;]{{0,40}}\b(?:in|on|by|under|within)\b[^.;]{{0,30}}\b(?:{ACT}|list|survey)\b"
        r"|\bto the [^.;]{0,20}\bConvention\b",
        "Sands listed in Annex XX are sieved.",
        weak=True,
        confidence=0.75,
    ),
)
