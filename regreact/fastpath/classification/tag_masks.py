"""Words of a criterion that say nothing about its own tag: they are blanked before the tag rules are asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.fastpath.classification.tag_words import STUDY
from regreact.fastpath.wording import read_sentences
from regreact.remember import remembered
from regreact.screen import Screened


@dataclass(frozen=True, slots=True)
class MaskRule:
    """Words that say nothing about the criterion's own tag and are hidden from the table."""

    name: str
    pattern: Screened
    source: str


def _mask(name: str, source: str, pattern: str) -> MaskRule:
    return MaskRule(name, Screened(pattern, re.IGNORECASE), source)


_POINT = r"(?:\d+(?:\.\d+)*(?:\.?\s?\([a-z]+\))*|\([a-z]+\)(?:\([ivx]+\))*)"

# "the following limits", "the conditions which are set out hereafter", "these values:".
_TESTS = r"(?:criteri(?:a|on)|requirements?|conditions?|limits?|limit values|values|standards|thresholds?|rules|levels|targets)"
_LISTED_BELOW = (
    rf"(?:following(?: [\w-]+){{0,3}}? {_TESTS}\b|these (?:[\w-]+ ){{0,3}}?{_TESTS}(?=[^.;:]*:)"
    rf"|{_TESTS}(?:,? (?:which|that) (?:are|is))?(?: [\w-]+){{0,3}}? (?:below|here(?:in)?after|hereunder|underneath)\b(?! \d)"
    r"|of the following\b(?= (?:is|are|appl|hold)|,|\s*:))"
)
_MET_ACTIVE = (
    r"\b(?:compl(?:y|ies|ying)|meet(?:s|ing)?|fulfil(?:s|ling)?|satisf(?:y|ies|ying)|respects?|observes?|attains?"
    r"|keeps? to|conforms? to)"
)
_MET_PASSIVE = r"(?:met|fulfilled|satisfied|complied with|observed|respected|kept(?: to)?|followed|attained|ensured)"

MASK_RULES: tuple[MaskRule, ...] = (
    _mask("footnote marker", "guidelines 1", r"\(\d+\)"),
    _mask(
        "introduction of a list",
        "guidelines 5",
        r"\b(?:compl(?:y|ies|ying)|meets?|meeting|fulfils?|satisf(?:y|ies)|in accordance"
        r"|designed to ful+il)\b(?: with)?[^.;:]{0,60}"
        r"\b(?:following|these (?:criteria|requirements|conditions)|specified below|of the criteria)\b[^.;:]{0,60}",
    ),
    _mask(
        "choice from a list below",
        "guidelines 5",
        rf"(?:{_MET_ACTIVE}\b(?: with)?[^.;:]{{0,60}}\b{_LISTED_BELOW}[^.;:]*"
        rf"|(?:\b(?:out of|of|among) )?(?:(?:the|these|all|both|each|any) )*(?:|(?<![\w-])(?:[\w-]+ ){{1,4}}?){_LISTED_BELOW}[^.;:]*?"
        rf"\b(?:is|are|be|being)\b(?: \w+){{0,3}}? {_MET_PASSIVE}\b)(?=[^.;]*:(?: *\(\d+\))?\s*$)",
    ),
    _mask(
        "point of the unit itself",
        "guidelines 7",
        r"(?:\b(?:compl(?:y|ies|ying)|meet(?:s|ing)?|fulfils?)\b(?: with)?"
        r"(?:(?!\b(?:legislation|laws?)\b)[^.;,]){0,60})?"
        rf"\b(?:criteri(?:a|on)|requirements?|conditions?|measures)?,? ?(?:as )?(?:specified|set out|set|referred to"
        rf"|described|laid down|determined)"
        rf" (?:in|under) (?:points? )?{_POINT}(?:(?:,| and| or"
        rf"| to) {_POINT})*(?: of this (?:sub)?section)?(?! of (?:Article|Annex|Section))\b",
    ),
    _mask(
        "test of a point of the unit",
        "guidelines 7",
        rf"{_MET_ACTIVE}(?: with| to)? (?:(?:the|both|each|all|any|of|these|same) )*(?:[\w-]+ ){{0,3}}?{_TESTS}"
        rf" (?:in|of|under|from) points? {_POINT}(?! of (?:Article|Annex|Section))",
    ),
    _mask(
        "definition of a plan by law",
        "D18",
        r",? as (?:set out|referred to|defined) (?:in|by) (?:the )?(?:national|FAO)[^.;]*",
    ),
    _mask(
        "reason of a relative clause",
        "R7",
        r",? as documented in the (?:plan|log|register)(?: referred to in point [\d.]+)?"
        r"|,? in which case\b[^.;]*",
    ),
    _mask(
        "what is verified",
        "guidelines 5",
        r"\bcompliance\b[^.;]*?(?=\b(?:is|are|may be|can be) (?:\w+ly )?(?:verified|checked|controlled|audited"
        r"|shown))",
    ),
    _mask("how it is verified", "D24", r"(?<=verified) in (?:line|accordance) with [^,.;]*"),
    _mask(
        "procedure of an authority",
        "D7",
        r"(?:(?<=\bnotified to the Commission)|(?<=\bopinion)(?: on (?:it|them))?)"
        r" (?:in accordance with|pursuant to|under) [^,.;]*?(?=[,.;]| and (?:included|is|are|has|have)\b|$)",
    ),
    _mask(
        "rules by which a permit or label is given",
        "D7",
        r"(?:(?<=\bpermit)|(?<=\bpermits)|(?<=\blicen[cs]e)|(?<=\blicen[cs]es)|(?<=\bapproval)|(?<=\bauthorisation)|(?<=label))"
        r" (?:in (?:accordance|conformity|line) with|pursuant to|under) [^,.;]*"
        r"|\b(?:which|that) (?:is|are|has been|have been) (?:awarded|granted|issued|given|delivered) (?:in (?:accordance|conformity|line)"
        r" with|pursuant to|under|according to) [^,.;]*"
        r"|(?<=\b(?:awarded|granted)) (?:in (?:accordance|conformity|line) with|pursuant to) [^,.;]*",
    ),
    _mask(
        "class by its permit",
        "R11",
        r"\b(?:for|to) which (?:an?|the|its|their) (?:[\w-]+ ){0,3}(?:permits?|licen[cs]es?|approvals?|authorisations?)"
        r" (?:is|are|was|were|has been|have been) (?:granted|issued|given|obtained|delivered)[^,.;:]*?"
        r"(?= (?:comply|complies|meet|meets|have|has|are|is|use|uses|must)\b|[,.;:]|$)",
    ),
    _mask(
        "study named before",
        "D3",
        rf"\b(?:the|this|that) (?:[\w-]+ ){{0,3}}?{STUDY}(?= (?:is|are) (?:performed|carried out|conducted|done),?"
        r" (?:at least,? )?(?:by )?using\b)",
    ),
    _mask(
        "what a quantity leaves out",
        "D6",
        r"\bthis excludes\b[^.;]*|, excluding\b[^.;,]*"
        r"|(?:, |^(?:\d[\d.]* )?)[^.;,]{1,80}\b(?:not )?being (?:not )?(?:counted|included|excluded|deducted|added|reckoned|disregarded|considered"
        r"|taken (?:together|into account)|left (?:aside|out(?: of account)?))\b[^.;,]*",
    ),
    _mask("time clause", "D9", r"\b(?:when|until (?:this|the|that)) [^,;.]*"),
    _mask(
        "where clause",
        "guidelines 5",
        r", where (?![^,;.]*\b(?:compl|meet|fulfil))[^,;.]*,"
        r"|\bwhere the [^;.]{0,60}\bis (?:newly )?installed\b[^;.]{0,40}?(?= is| are)|\bmay take into account\b[^.;]*"
        r"|\bcan be any\b[^.;]*",
    ),
    _mask(
        "equivalent",
        "guidelines 7",
        r"\bor (?:an )?equivalent\b(?! (?:\w+ ){0,3}(?:instrument|system|document|plan))[^.;,]*",
    ),
    _mask("all measures below", "guidelines 5", r"\bfollowing measures\b[^:]*"),
    _mask(
        "result of a study",
        "guidelines 5",
        r"\b(?:results?|outcome) of (?:this|that|the) [\w -]*\b(?:assessment|analysis|study) (?:is|are) published\b"
        rf"|\b{STUDY} (?:results?|findings|outcomes?|data)\b",
    ),
    _mask("conditions below", "guidelines 5", r"\bfollowing [\w-]+ (?:are|is) (?:met|ensured|fulfilled)"),
    _mask("example", "C8", r",? ?(?:for example|e\.g\.)[^.;]*"),
    _mask("aside", "guidelines 5", r"\([^()]*\)"),
    _mask(
        "quantity defined by an act",
        "D6",
        r"\b(?:emissions?(?: of CO2)?|consumption|output|values?|demand|potential"
        r"|mass),? (?:as )?defined in [^.;]*?(?=,? (?:are|is|lower|not)\b)",
    ),
    _mask(
        "outcome for the environment under an act",
        "D6",
        r"\b(?:(?:good|favourable) (?:\w+ )?(?:status|potential)|conservation status|deterioration"
        r"|deteriorate)\b[^.;]{0,120}?"
        r"\b(?:in accordance with|as defined in|pursuant to)\b[^.;]*?(?=[.;]|,? and (?:in line )?(?:with )?an? |$)",
    ),
    _mask(
        "general law",
        "guidelines 7",
        r"\bin (?:accordance|line|compliance) with (?:the )?(?:applicable |relevant )?(?:Union and )?(?:national "
        r"|Union )?(?:and local )?(?:laws?|legislation|provisions)\b",
    ),
    _mask("regard to law", "D9", r"\bwith due regard to [^,]*,"),
    _mask("comparator of savings", "guidelines 6", r"\bcompared to\b[^.;,]*"),
)


@remembered
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
    words = "".join(out)
    for rule in MASK_RULES:
        for match in rule.pattern.finditer(words):
            words = words[: match.start()] + " " * (match.end() - match.start()) + words[match.end() :]
    return words
