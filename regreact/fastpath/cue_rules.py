"""The words that tell what an unnumbered paragraph is for, as tables of named rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from regreact.screen import Screened

AnchorType = Literal[
    "Verification",
    "Methodology",
    "Commitment",
    "Assessment",
    "Replacement",
    "BackgroundInformation",
    "Requirement",
]
ANCHOR_TYPES: tuple[AnchorType, ...] = get_args(AnchorType)


@dataclass(frozen=True, slots=True)
class CueRule:
    """Words that tell what a paragraph is for.

    Attributes:
        name: Name of the rule.
        type: Type of a paragraph with these words.
        pattern: The words, matched without regard to case.
        source: Paper section or guideline that the rule follows.
        example: A paragraph that the rule decides.
        predicate: True if the words must be the predicate of the main clause: "which may include …" is none.
    """

    name: str
    type: AnchorType
    pattern: Screened
    source: str
    example: str
    predicate: bool = False


def _rule(name: str, type_: AnchorType, source: str, pattern: str, example: str, predicate: bool = False) -> CueRule:
    return CueRule(name, type_, Screened(pattern, re.IGNORECASE), source, example, predicate)


VALIDATOR = (
    r"\b(?:verifiers?|certifiers?|auditors?|inspectors?|assessors?|third part(?:y|ies)|laborator(?:y|ies)"
    r"|(?:certification|accreditation|verification|inspection|notified) bod(?:y|ies)"
    r"|(?:independent|accredited|external|authori[sz]ed|qualified|chartered)(?: [\w-]+){0,2}"
    r" (?:bod(?:y|ies)|experts?|engineers?|surveyors?|specialists?|institutes?|reviewers?|compan(?:y|ies)|firms?"
    r"|persons?|organi[sz]ations?)|(?:competent|supervisory|inspection) authorit(?:y|ies))\b"
)
# Who may be called independent: these words stand for the validator once it has been named.
_PERSON = (
    r"(?:"
    + VALIDATOR
    + r"|\b(?:experts?|engineers?|surveyors?|specialists?|reviewers?|bod(?:y|ies)|institutes?|divers?"
    r"|compan(?:y|ies)|firms?|persons?|organi[sz]ations?)\b)"
)
# What others do to a plan, a report or a register.
_CHECKED = (
    r"(?:\w+ly )?(?:verified|certified|audited|validated|(?:checked|controlled|inspected|examined|confirmed|tested|assessed"
    r"|reviewed|approved)(?: [^.,;]{1,60}?)? by (?:(?:an?|the) )?(?:accredited|independent|notified|external|authori[sz]ed"
    r"|third|competent)"
    r")"
)
_PAPERS = (
    r"(?:records?|register|log|log ?books?|reports?|certificates?|documents?|documentation|files?|results|readings|evidence"
    r"|invoices|receipts|minutes|data|copies)"
)
_ONLY_IF = r"(?:provided that|under the condition|on condition|only (?:where|if|when))"

# The verb, not the noun of "by means of", "by one of the following means:", "the means by which".
MEANS = (
    r"(?<!\bby )(?<!\bno )(?<!\ba )(?<!\bthe )(?<!\bof )(?<!\bany )(?<!\ball )(?<!\bsuch )(?<!\bother )(?<!\bthese )(?<!\bthose )"
    r"(?<!\bfollowing )(?<!\bwhich )\bmeans\b(?! (?:of|to|by|for|which|are|is|in)\b)(?!\s*[:;.])"
)

DECISIVE_RULES: tuple[CueRule, ...] = (
    _rule(
        "derogation",
        "Requirement",
        "D11",
        r"\bby way of derogation\b",
        "By way of derogation from this point, small kilns may instead be fitted with a filter.",
    ),
    _rule(
        "group check",
        "Verification",
        "D1",
        r"\bcompliance\b.{0,160}\bmay be (?:checked|verified|assessed)\b",
        "Compliance with these criteria may be checked at the level of the cooperative.",
    ),
    _rule(
        "note",
        "BackgroundInformation",
        "guidelines 5",
        r"^note\b",
        "Note: a lid is not considered as a part of the jar.",
    ),
    _rule(
        "conditional permission",
        "Methodology",
        "R8",
        r"\bmay (?:also |instead )?(?:be|use|take)\b.*" + _ONLY_IF,
        "Mixed glass may be stored in one bay under the condition that each load is labelled.",
        predicate=True,
    ),
    _rule(
        "independence of the validator",
        "Verification",
        "D1",
        VALIDATOR + r".{0,80}(?:\bconflict of interest\b|\bholds? no \w+|\btak(?:es?|en) no part\b"
        r"|\bindependent of\b)|" + _PERSON + r".{0,60}(?:\bconflicts? of interests?\b|\btook no part\b"
        r"|\b(?:has|have|holds?|without|maintains?) (?:(?:no|any|neither)\b )?(?:[\w-]+,? ){0,6}(?:interests?|stakes?|shares?"
        r"|ties?|links?|connections?|relations?(?:hips?)?|dealings|bonds?) (?:in|with|to)\b"
        r"|\b(?:is|are|was|were|has|have) not (?:been )?(?:involved|employed|engaged|connected|related|linked"
        r"|bound|tied|taken (?:any )?part|advised)\b|\b(?:is|are) (?:independent (?:of|from)|unconnected (?:with|to))\b)",
        "The auditor does not have any conflict of interest with the owner of the quarry.",
    ),
    _rule(
        "what the Commission or Member States do",
        "BackgroundInformation",
        "paper D.5",
        r"\b(?:the Commission|Member States?)\b.{0,20}\b(?:may|shall|will)\b",
        "On the basis of the reports, the Commission may address an opinion to the operators.",
    ),
    _rule(
        "what the validator weighs",
        "BackgroundInformation",
        "paper D.5",
        r"(?:^|, )(?:an?|the) (?:(?:independent|accredited) )?(?:third[- ]party )?(?:"
        + VALIDATOR
        + r"|third party)(?: in particular)? (?:takes? into account|considers?|looks? at|may)\b",
        "In the audit, the verifier takes into account the planned kiln hours.",
    ),
    _rule(
        "audits together",
        "BackgroundInformation",
        "D1",
        r"\b(?:audits?|verifications?|inspections?|checks|controls) may (?:also )?(?:be (?:combined|merged|joined)\b"
        r"|(?:be (?:performed|carried out|conducted|done|made|held)|take place|coincide)\b.{0,40}?"
        r"\b(?:together|jointly|alongside|in combination|at the same time|(?:on|at|during) the same|with (?:an?|any) other)\b)"
        r"|\baudits may be (?:performed|carried out)\b(?! by\b)",
        "In order to save effort, audits may be performed together with a label audit.",
    ),
    _rule(
        "exemption on conditions",
        "Assessment",
        "R8",
        r"\bno (?:additional|further|separate|new) (?:assessment|analysis|study|survey).{0,60}\bis (?:required|needed|necessary)\b"
        r".{0,20}\b(?:provided|on condition|on the condition|under the condition|as long as)\b",
        "Where a map exists, no further study of noise is required, provided that the noise found has been reduced.",
    ),
    _rule(
        "exemption",
        "BackgroundInformation",
        "R4",
        r"\b(?:is|are) not required\b|\b(?:do|does) not apply\b|\bno additional .{0,60}\bis required\b"
        r"|\b(?:is|are) exempt(?:ed)?\b|\b(?:is|are) not (?:obliged|bound) to\b|\bneed not\b"
        r"|\b(?:is|are) (?:excepted|excluded) from (?:this|these|that|the) (?:requirement|criteri|obligation|duty)"
        r"|\b(?:requirement|obligation|duty)\b.{0,60}\bis waived\b",
        "Workshops below 20 m2 are not required to keep a register.",
    ),
    _rule(
        "specifications",
        "Methodology",
        "R19",
        r"\bthe following specifications apply\b",
        "For the purposes of this Section, the following specifications apply:",
    ),
    _rule(
        "scope note",
        "BackgroundInformation",
        "guidelines 5",
        r"\b(?:is|are) (?:excluded from|included in|covered by|part of) this (?:point|activity|Section)\b",
        "Any work listed in Section 9.9 is excluded from this point.",
    ),
    _rule(
        "what does not count",
        "Methodology",
        "guidelines 5, Methodology",
        r"\b(?:is|are) not (?:considered(?: as)?|counted as) a\b|\b(?:do|does) not count as\b",
        "Fines paid to the town are not considered as a contribution to the fund.",
    ),
    _rule(
        "excluded by a test of others",
        "Methodology",
        "D6",
        r"\bnot (?:meet|comply|fulfil)\b.{0,160}\b(?:is|are) not (?:considered )?compliant\b",
        "Meters that do not meet the requirements of Annex XX are not compliant.",
    ),
    _rule(
        "excluded instances",
        "Requirement",
        "R6",
        r"\b(?:is|are) not (?:considered (?:as |to be )?)?(?:compliant|complying|fulfilling|eligible)\b"
        r"|\b(?:do|does) not qualify\b",
        "Kilns that burn waste oil are not considered as fulfilling the criteria.",
    ),
    _rule(
        "definition",
        "BackgroundInformation",
        "guidelines 5; R19",
        MEANS + r"|\b(?:(?:is|are) (?:defined|understood) as|shall mean|refers? to"
        r"|(?:is|are) (?:taken to mean|to be understood as|deemed to be)|(?<!not )counts? as|denotes?|stands? for"
        r"|ha(?:s|ve) the (?:same )?meaning|the following definitions apply)\b"
        r"|\bwithin the meaning of (?:this|these|points?)\b.{0,40}\b(?:is|are|includes?|comprises?)\b",
        "For the purpose of this Section, ‘clean load’ means a load without metal.",
    ),
    _rule(
        "recommendation",
        "BackgroundInformation",
        "guidelines 5",
        r"\b(?:is|are) (?:preferably|recommended|encouraged)\b",
        "Sludge is preferably dried in summer.",
    ),
    _rule(
        "permission",
        "BackgroundInformation",
        "R8",
        r"\bmay (?:also |instead )?(?:take into account|use|include"
        r"|be (?:considered|accounted|used|included|taken|identified|reduced|performed))\b",
        "Lower fees may be considered as a reward.",
        predicate=True,
    ),
    _rule(
        "proof verified by others",
        "Verification",
        "paper D.5",
        r"\bdemonstrated\b.{0,80}\bverified by\b",
        "Compliance is demonstrated by a published study verified by an independent third party.",
    ),
)
"""Words that decide by themselves, in this order, wherever they stand in the first sentence."""

REQUIREMENT_RULES: tuple[CueRule, ...] = (
    _rule(
        "validated by others",
        "Verification",
        "guidelines 5, Verification",
        r"\b(?:is|are|be|being|been|and|or) (?:verified|certified|audited|validated)\b"
        r"|\b(?:controlled|checked|inspected|approved) by\b"
        r"|\b(?:is|are|be|been) \w+(?: (?:(?!\band (?:is|are|be)\b)[^.,;]){0,60})? by (?:(?:an?|the) )?(?:accredited|independent|notified|external"
        r"|authori[sz]ed|third[ -]|competent|" + VALIDATOR + r")",
        "The yearly tonnage is verified by an independent third party.",
    ),
    _rule(
        "validators act",
        "Verification",
        "guidelines 5, Verification",
        r"(?:"
        + VALIDATOR
        + r"|\baudit)(?: (?:who|that|which|of|from|appointed|chosen)\b[^.;]{1,60}?)? (?:\w+ly )?(?:confirms?"
        r"|verif(?:y|ies)|checks?|certif(?:y|ies)|attests?|inspects?|tests?|audits?|reviews?|examines?|validates?"
        r"|controls?|approves?|assess(?:es)?)\b",
        "An accredited verifier confirms the yearly tonnage.",
    ),
    _rule(
        "outcome of the validation",
        "Verification",
        "guidelines 5, Verification",
        r"\b(?:verification includes|audit report|the (?:certifier|verifier|auditor) (?:issues|publishes))\b",
        "As a result, the certifier issues an audit report.",
    ),
    _rule(
        "how an assessment is done",
        "Methodology",
        "guidelines 5, Methodology",
        r"^(?:the|this|that) (?:[\w-]+ ){0,5}(?:assessment|analysis|study|survey|inspection|calculation|measurement"
        r"|sampling)(?: of \w+)?"
        r" (?:is (?:based|proportionate|performed|carried out|conducted|done)|looks|covers|extends|follows|relies"
        r"|uses)\b",
        "The study of springs is based on recent data.",
    ),
    _rule(
        "what a certificate says",
        "Verification",
        "guidelines 5, Verification",
        r"^(?:the|that|this|those|these|such an?) (?:(?!and\b|or\b|of\b)[\w-]+ ){0,3}(?:certificates?|certifications?|verification"
        r"|audits?|audit reports?|attestations?|test reports?)"
        r" (?!plan|programme|scheme|of\b|(?:reports? )?(?:is|are) (?:kept|retained|stored|archived|preserved|filed|published|disclosed)\b)",
        "The certificate covers all kinds of glaze.",
    ),
    _rule(
        "calculation",
        "Methodology",
        "guidelines 5, Methodology",
        r"\b(?:is|are|be) (?:\w+ )?"
        r"(?:(?:calculated|computed|measured|metered|quantified|estimated|counted|expressed|worked out|averaged)\b"
        r"|determined (?:using|by|from|with|based|on|in accordance|in line|according|pursuant|following|at|over|under|for|as|per|every"
        r"|once|annually|yearly|monthly)"
        r"|(?:established|derived|obtained|ascertained|deduced) (?:from|using|by means of|on the basis of)"
        r"|(?:taken|read|drawn) (?:from|off) (?:[\w-]+ ){0,3}(?:records?|data|measurements?|statistics|tables?|readings?"
        r"|registers?|reports?|invoices|bills|meters?|maps?|instruments?)\b)",
        "Heat losses are calculated using ISO 99999.",
    ),
    _rule(
        "proof of compliance",
        "Methodology",
        "guidelines 5, Methodology",
        r"\bproof of compliance\b|\bcompliance with .{0,60}\bis demonstrated\b",
        "Use of the label is a proof of compliance with the requirement on dust.",
    ),
    _rule(
        "test set by others",
        "Methodology",
        "guidelines 5, Methodology; D6",
        r"\b(?:compl(?:y|ies)|compliance with (?:normative|regulatory|legal)|meets?|fulfils?|conforms?"
        r"|satisf(?:y|ies))\b.{0,60}"
        r"\b(?:criteri(?:a|on)|requirements?|conditions|rules|limits?|obligations?|standards?|Regulation"
        r"|Directive|Article|Section|Annex|Appendix|ISO|EN)\b",
        "Rinsing water meets the conditions laid down in Annex XX.",
    ),
    _rule(
        "limits set by others",
        "Methodology",
        "R6",
        r"\b(?:levels|limit values|rates|targets)\b.{0,80}\b(?:associated with|set (?:out|in|by)|laid down)\b"
        r"|\b(?:described|specified|set out) in (?:the )?BAT",
        "Emissions are below the emission limit values laid down in Annex XX.",
    ),
    _rule(
        "under a standard",
        "Methodology",
        "guidelines 5, Methodology",
        r"\b(?:in accordance with|in line with|based on|following|according to)\b.{0,50}"
        r"\b(?:standards?|guidelines?|criteria|best practices?|ISO|EN|techniques?"
        r"|methodolog(?:y|ies)|BAT)\b",
        "Complaints are handled in accordance with high service standards.",
    ),
    _rule(
        "follows a document",
        "Methodology",
        "guidelines 5, Methodology",
        r"\bfollows?\b.{0,60}\b(?:handbook|manual|code|guidelines?|standards?|methods?|procedures?|EN|ISO)\b",
        "Cleaning follows the Handbook for Kilns.",
    ),
    _rule(
        "strategy of others",
        "Methodology",
        "D8",
        r"\btakes? into account\b",
        "The activity takes into account the national lake strategy for setting its targets.",
    ),
    _rule(
        "measures and techniques",
        "Methodology",
        "R6",
        r"\bmeasures are (?:taken|in place|implemented)\b|\b(?:deploys?|implement(?:s|ed)?|applies|adopts?"
        r"|uses?)\b.{0,40}\b(?:techniques?|practices|methods?|systems?|equipment|procedures)\b",
        "Measures are taken to keep dust inside the hall.",
    ),
    _rule(
        "kinds of measure",
        "Methodology",
        "R6",
        r"\bmeasures include\b",
        "Mitigation measures include, where relevant, the following:",
    ),
    _rule(
        "reference values",
        "Methodology",
        "guidelines 5, Methodology",
        r"\bvalues? to be (?:considered|used|applied)\b",
        "The target values to be considered are:",
    ),
    _rule(
        "way of doing it",
        "Methodology",
        "guidelines 5, Methodology",
        r"\bby (?:carrying out|applying|using|means of)\b",
        "The operator finds leaks by carrying out yearly campaigns.",
    ),
    _rule(
        "limited by a ratio",
        "Methodology",
        "guidelines 5, Methodology",
        r"\blimited by\b.{0,40}\bratio\b",
        "The share of compliant kilns is limited by the renewal ratio.",
    ),
    _rule(
        "assessment",
        "Assessment",
        "guidelines 5, Assessment",
        r"\b(?:assess(?:es|ed|ments?)?|analys(?:is|es|ed)|stud(?:y|ies)|evaluat(?:es?|ed|ion)|mass balance"
        r"|survey(?:s|ed)?\b(?! (?:plan|programme|scheme))|consult(?:s|ed|ations?)|investigat(?:ion|es|ed)|compar(?:ative|ison|es?|ed)(?! to\b)"
        r"|demonstrates? that)\b",
        "The quarry has no lasting effect on springs, based on an assessment of its pumping.",
    ),
    _rule(
        "risks identified",
        "Assessment",
        "D8",
        r"\brisks?\b.{0,120}\bidentified\b|\bidentif(?:y|ies)\b.{0,40}\brisks?\b",
        "Risks for bathing water are identified and addressed.",
    ),
    _rule(
        "monitoring against indicators",
        "Assessment",
        "D8",
        r"\bmonitor(?:s|ed|ing)?\b.{0,60}\bindicators?\b|\beffectiveness of\b.{0,80}\bmonitored\b",
        "Noise is monitored against indicators.",
    ),
    _rule(
        "plan or programme",
        "Commitment",
        "guidelines 5, Commitment; C2",
        r"\b(?:plans?|programmes?|strategy|policy|instrument|agreement|contract|protocol)\b.{0,40}\b(?:contains?"
        rf"|covers?|includes?|provides?|(?:is|are|has)\b(?! (?:been )?(?:{_CHECKED})\b)|sets?|establish(?:es|ed)|reviewed(?! by (?:an? |the )?(?:independent|accredited|external|third|competent))|updated|states?|specif(?:y|ies)"
        r"|lists?|describes?|names?|identif(?:y|ies)|indicates?|lays? down|defines?|addresses|details)\b"
        r"|\b(?:draws? up|prepares?|concludes?|signs?|enters? into|adopts?|drafts?) (?:an? |the )?(?:[\w-]+ ){0,4}"
        r"(?:plans?|programmes?|strategy|policy|agreements?|contracts?|protocols?)\b"
        r"|\b(?:included|identified|integrated|defined|documented|described|written)\b.{0,80}"
        r"\b(?:plans?|programmes?|agreement|contracts?)\b",
        "The quarry plan covers at least eight years.",
    ),
    _rule(
        "declaration, guarantee, disclosure",
        "Commitment",
        "guidelines 5, Commitment; D7",
        r"\b(?:declar(?:es?|ed|ation)|commits?|commitment|guarantees?|discloses?|contractual"
        r"|(?:publicly|made) available|made public|(?:is|are) published|publishes)\b",
        "The owner delivers a declaration on the origin of the sand.",
    ),
    _rule(
        "records",
        "Commitment",
        "guidelines 5, Commitment",
        rf"\bkept on file\b|\b(?:keeps?|kept|maintains?|retains?|archives?|stores?) (?:\w+ ){{0,3}}{_PAPERS}\b"
        rf"|\b{_PAPERS}(?: (?:of|on|for|from|about) [^.,;]{{1,100}}?)? (?:is|are) (?:\w+ly )?(?:kept|retained|stored|archived|preserved"
        r"|filed|held|maintained)\b|\b(?:is|are) (?:entered|recorded|noted|logged|written down) in (?:an?|the) (?:[\w-]+ ){0,3}"
        r"(?:register|log|log ?book|ledger|journal|diary|file)\b",
        "The weights are kept on file for six years.",
    ),
    _rule(
        "replacement",
        "Replacement",
        "guidelines 5, Replacement",
        r"\breplaces?\b.{0,60}\b(?:existing|old)\b"
        r"|\b(?:is|are) (?:permanently )?(?:withdrawn|removed|phased out|replaced|decommissioned|scrapped"
        r"|taken out of (?:service|use|operation))\b",
        "The new ferry replaces an existing one of the same size.",
    ),
)
"""Words of duty; the one that stands first in the sentence names the paragraph."""
