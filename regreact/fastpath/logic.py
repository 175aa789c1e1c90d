"""Fast path of `signatures.classification`: how children combine, and joint pathways among alternatives.

The three questions are those of appendix D.1 of arXiv 2604.12054 and section 3 of the annotation guidelines: can
all children hold at once, is one enough, are all needed? `LOGIC_RULES` asks them in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from regreact.answers import Answer, LogicValue, solver
from regreact.fastpath.cues import sentences
from regreact.fastpath.structure.serving import content_words, serves
from regreact.fastpath.tree import CriterionIndex
from regreact.schema import Logic, Span
from signatures.types import CriterionFacts, CriterionView, UnitHeader

_ANCHORED = re.compile(r"\.[A-Z][A-Za-z]+(?:-\d+)?$")
_NUMBER_WORDS = {w: n for n, w in enumerate("one two three four five six seven eight nine ten".split(), start=1)}
_LABEL = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.\s+|^\d{1,2}(?:\.\d{1,2})+\s+(?=[A-Z])|^\([a-z]{1,5}\)\s+")
_FOOTNOTES = re.compile(r"\s?\(\d{1,3}\)")

# "of the following", "of the criteria specified below", "of the conditions:".
_ANNOUNCED = r"(?:\s+of)?(?:\s+the)?(?:\s+[\w-]+){0,3}?\s*(?:\bfollowing\b|\b(?:specified|listed|set out) below\b|:\s*$)"
_COUNT = re.compile(
    r"\b(?:at least |a minimum of )?(two|three|four|five|six|seven|eight|nine|ten|[2-9])(?: or more)?" + _ANNOUNCED,
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:all|both|each)\b" + _ANNOUNCED, re.IGNORECASE)
_ONE = re.compile(
    r"\b(?:ones?|any)(?: or (?:more|both|several|multiple))?" + _ANNOUNCED
    + r"|\beither(?: of)?" + _ANNOUNCED
    + r"|\bthe most \w+ of the following\b|\bin (?:the|any) following cases?\b|\blimited to the following cases?\b"
    r"|\bsuch as\s*:\s*$|\bincluding but not limited to\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|neither)\b(?:\W+[\w-]+){0,5}\W+(?:one|any|either)\b", re.IGNORECASE)
_OPTIONS = re.compile(r"\bmay be (?:checked|verified|assessed|carried out|demonstrated)\b[^.;]*:\s*$", re.IGNORECASE)
_ALTERNATIVELY = re.compile(r"^(?:alternatively|as an alternative|instead)\b", re.IGNORECASE)
_FALLBACK = re.compile(r"^(?:where|if)\b[^,]*\b(?:not yet|not (?:\w+ )*(?:feasible|possible|able))\b", re.IGNORECASE)

# Openings that say for which case an item counts.
_CASE = re.compile(r"^(?:for|in (?:the )?case of|where|until|from|as of|having|when|if)\b", re.IGNORECASE)
_FROM_UNTIL = re.compile(r"\b(?:until|from|as of|before|after) (?:\d{1,2} \w+ )?\d{4}\b", re.IGNORECASE)
_VALUE = re.compile(r"\d")
_LIMIT_END = re.compile(
    r"\b(?:lower|less|higher|greater|more) than\s*:\s*$|\b(?:equivalent|equals?|equal) to\s*:\s*$"
    r"|\b(?:is|are|exceed|least|most|below|above|of)\s*:\s*$"
    r"|\b(?:exceed|below|above|than|reach|meet)\b[^.;]*\bfollowing (?:\w+ )?(?:limits?|values?|thresholds?)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"\bprocess steps?\b|\bcombined total\b|\bappliances\b", re.IGNORECASE)
_OPPOSITES = frozenset(
    "not no other new existing before after until from below above less greater more than over under between lower"
    " higher equal inside outside union third countries least most unconnected".split()
)
_CASE_CLAUSE = re.compile(
    r"(?:for|in (?:the )?case of|where|having(?: a)?)\b([^,:]*(?:,\d[^,:]*)*)", re.IGNORECASE
)
_SIZE = re.compile(r"(?:below|above|between|over|than|exceeding|equal to) (\d[\d ,.]*)")
_WORD = re.compile(r"[a-z]+")
_CATEGORY = re.compile(r"^(?:for )?vehicles (?:of|designated as) categor", re.IGNORECASE)
_ALL_OTHER = re.compile(r"^for (?:all|any) other\b", re.IGNORECASE)
_SET_PER_KIND = re.compile(r"^for\b[^:]*, the (?:economic )?activity (?:complies with|meets) the following\b", re.IGNORECASE)
_DOCUMENT = re.compile(
    r"^(?:the )?(?:[\w-]+ ){0,3}(?:\([A-Z]+\) )?(?:conclusions|reference document|standards?|guidelines?|directive|regulation"
    r"|code|iso|en|bref)\b",
    re.IGNORECASE,
)
_DOCUMENTS_END = re.compile(r"\brelevant\b.*\bincluding\s*:\s*$|\b(?:ranges|levels|values)\b.*\bset out in\s*:\s*$", re.IGNORECASE)
_ACTIVITY_IS = re.compile(
    r"^the (?:economic )?activity (?:is|consists|manufactur|produc|install|construct|provid|develop|operat|repair|recycl"
    r"|generat|recover|treat|collect|convert|researches|sells|store)\w*\b",
    re.IGNORECASE,
)
_CRITERIA = re.compile(r"\bfollowing (?:\w+ )*(?:criteria|requirements?|conditions|elements|information|steps)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|no)\b", re.IGNORECASE)
_VERB_FIRST = re.compile(
    r"^(?:is|are|has|have|does|do|can|be|may|shall|compl(?:y|ies)|ensures?|provides?|meets?|promotes?|shows?|includes?"
    r"|favours?|identifies|defines?|explains?|monitors?|properly|demonstrates?|harvest|separate|remove)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(r"\b(?:is|are|has|have|does|do|compl(?:y|ies)|meets?|ensures?|includes?)\b")


@dataclass(frozen=True, slots=True)
class Family:
    """A criterion and the children that take part in its evaluation.

    Attributes:
        parent: The criterion.
        chapeau: Its announcing sentence without number and footnote markers.
        offset: Where that sentence begins in the text of the block.
        children: Children that can take part: without background and, unless there are no others, without
            anchored paragraphs.
        texts: Their texts without number, label and footnote markers.
        siblings_of: Logic of the criterion above, None if it is not decided or there is none.
    """

    parent: CriterionView
    chapeau: str
    offset: int
    children: tuple[CriterionView, ...]
    texts: tuple[str, ...]
    above: Logic | None


Decision = tuple[LogicValue, tuple[int, int] | None]
"""Logic and the characters of the announcing sentence that decided, None if the children did."""


@dataclass(frozen=True, slots=True)
class LogicRule:
    """One way to recognise how children combine.

    Attributes:
        name: Name of the rule.
        decide: Returns the decision, or None if the rule does not apply.
        confidence: How sure the rule is.
        source: Guideline or paper section that the rule follows.
        example: Chapeau and children that the rule decides.
    """

    name: str
    decide: Callable[[Family], Decision | None]
    confidence: float
    source: str
    example: tuple[str, tuple[str, ...]]


_OR = LogicValue("OR")
_AND = LogicValue("AND")


def _negated_choice(family: Family) -> Decision | None:
    match = _NEGATED.search(family.chapeau)
    return (_AND, match.span()) if match else None


def _count(family: Family) -> Decision | None:
    match = _COUNT.search(family.chapeau)
    if match is None:
        return None
    wanted = _NUMBER_WORDS.get(match[1].lower()) or int(match[1])
    if wanted >= len(family.children):
        return _AND, match.span()
    return LogicValue("N_OF_K", wanted), match.span()


def _all(family: Family) -> Decision | None:
    match = _ALL.search(family.chapeau)
    return (_AND, match.span()) if match else None


def _one(family: Family) -> Decision | None:
    match = _ONE.search(family.chapeau)
    return (_OR, match.span()) if match else None


def _options(family: Family) -> Decision | None:
    match = _OPTIONS.search(family.chapeau)
    return (_OR, match.span()) if match else None


def _alternatively(family: Family) -> Decision | None:
    second = family.texts[1:]
    return (_OR, None) if len(family.texts) == 2 and any(_ALTERNATIVELY.match(t) for t in second) else None


def _fallback(family: Family) -> Decision | None:
    return (_OR, None) if len(family.texts) == 2 and _FALLBACK.match(family.texts[1]) else None


def _kinds_of_vehicle(family: Family) -> Decision | None:
    return (_OR, None) if all(_CATEGORY.match(t) for t in family.texts) else None


def _times(family: Family) -> Decision | None:
    """Periods that follow each other, or a transitional alternative to an unlimited first item."""
    dated = [bool(_FROM_UNTIL.search(t[:60])) for t in family.texts]
    limited = [bool(re.match(r"until\b", t, re.IGNORECASE)) for t in family.texts]
    if all(dated) and (all(_CASE.match(t) for t in family.texts) or _LIMIT_END.search(family.chapeau)):
        return _OR, None
    return (_OR, None) if not limited[0] and all(limited[1:]) else None


def _values_per_case(family: Family) -> Decision | None:
    """A limit stated once with a value for each class, size or product (conditional tiering, ruling R17)."""
    if not _LIMIT_END.search(family.chapeau) or not all(_VALUE.search(t) for t in family.texts):
        return None
    if _TOGETHER.search(family.chapeau) or any(_TOGETHER.search(t) for t in family.texts):
        return _AND, None
    return _OR, None


def _exclusive_cases(family: Family) -> Decision | None:
    """Cases that exclude each other: size classes of one attribute, "connected" and "not connected"."""
    texts = family.texts
    if any(_ALL_OTHER.match(t) for t in texts) and all(_CASE.match(t) for t in texts):
        return _OR, None
    cases = [_case(t) for t in texts]
    opposed = all(cases) and all(_opposed(a, b) for a, b in pairwise(cases))
    return (_OR, None) if opposed else None


def _case(text: str) -> str:
    match = _CASE_CLAUSE.match(text)
    return match[1].lower() if match else ""


def _opposed(one: str, other: str) -> bool:
    """True if two cases name the same thing and differ in opposite words or in the bounds of a size."""
    words, others = set(_WORD.findall(one)), set(_WORD.findall(other))
    apart, shared = words ^ others, words & others
    sizes, other_sizes = _SIZE.findall(one), _SIZE.findall(other)
    differ = bool(apart & _OPPOSITES) or bool(sizes and other_sizes and sizes != other_sizes)
    return differ and len(shared) >= 2 and len(apart - _OPPOSITES) <= len(shared) // 2


def _set_per_kind(family: Family) -> Decision | None:
    return (_OR, None) if all(_SET_PER_KIND.match(t) for t in family.texts) else None


def _documents(family: Family) -> Decision | None:
    """Documents of which the applicable ones count (ruling R18)."""
    match = _DOCUMENTS_END.search(family.chapeau)
    return (_OR, match.span()) if match and all(_DOCUMENT.match(t) for t in family.texts) else None


def _kinds_of_thing(family: Family) -> Decision | None:
    """Kinds of thing that the activity may be or make."""
    chapeau = family.chapeau
    if not chapeau.rstrip().endswith(":") or _NOT.search(chapeau) or _CRITERIA.search(chapeau):
        return None
    if any(_VERB_FIRST.match(t) for t in family.texts) or _alternates_with_duty(family):
        return None
    said = _ACTIVITY_IS.match(chapeau)
    if said is not None:
        return _OR, said.span()
    item = family.parent.criterion_id.endswith(")") and chapeau[:1].islower()
    noun_phrase = item and family.above == "OR" and not _FINITE.search(_before_relative(chapeau))
    return (_OR, None) if noun_phrase else None


def _before_relative(chapeau: str) -> str:
    return re.split(r"\b(?:that|which|where|whose)\b", chapeau, maxsplit=1)[0]


def _alternates_with_duty(family: Family) -> bool:
    return re.search(r"\b(?:that|which|in order to|and)\s*:\s*$", family.chapeau) is not None


def _what_the_activity_does(family: Family) -> Decision | None:
    """Alternatives without connective that say what the activity does (ruling R9)."""
    if family.parent.criterion_id != "ROOT" or family.chapeau:
        return None
    plain = all(_ACTIVITY_IS.match(t) and not _NOT.search(t[:80]) for t in family.texts)
    return (_OR, None) if plain else None


LOGIC_RULES: tuple[LogicRule, ...] = (
    LogicRule(
        "negated choice",
        _negated_choice,
        0.85,
        "guidelines 3",
        ("The kiln is not built on one of the following:", ("a dune;", "a marsh.")),
    ),
    LogicRule(
        "count",
        _count,
        0.97,
        "guidelines 3; R14",
        ("At least two of the following measures are taken:", ("a lid;", "a fan;", "a hood.")),
    ),
    LogicRule(
        "all",
        _all,
        0.97,
        "paper D.1, B",
        ("The kiln complies with all of the following:", ("it is closed;", "it is cooled.")),
    ),
    LogicRule(
        "one",
        _one,
        0.97,
        "paper D.1, A and D",
        ("The kiln complies with one of the following criteria:", ("it is closed;", "it is cooled.")),
    ),
    LogicRule(
        "options",
        _options,
        0.9,
        "D1",
        ("Compliance may be checked:", ("at the level of the yard;", "at the level of the village.")),
    ),
    LogicRule(
        "alternatively",
        _alternatively,
        0.95,
        "guidelines 3",
        ("", ("The roof meets the code.", "Alternatively, it saves 30 % of the heat.")),
    ),
    LogicRule(
        "fallback",
        _fallback,
        0.75,
        "D11",
        ("Records:", ("Records are kept.", "Where records are not yet kept, they are announced.")),
    ),
    LogicRule(
        "vehicle categories",
        _kinds_of_vehicle,
        0.9,
        "guidelines 3",
        ("The activity complies with the following:", ("for vehicles of category L, x;", "for vehicles of category M1, y.")),
    ),
    LogicRule(
        "periods",
        _times,
        0.85,
        "paper D.1",
        ("For carts:", ("until 31 December 2027, 50 g;", "from 1 January 2028, 0 g.")),
    ),
    LogicRule(
        "a value per case",
        _values_per_case,
        0.85,
        "paper D.1, F; R17",
        ("Heat losses are lower than:", ("3 W for kilns below 1 m3;", "5 W for kilns above 1 m3.")),
    ),
    LogicRule(
        "exclusive cases",
        _exclusive_cases,
        0.8,
        "paper D.1, conditional tiering",
        ("", ("In case of kilns connected to a flue, x.", "In case of kilns not connected to a flue, y.")),
    ),
    LogicRule(
        "a set of criteria per kind",
        _set_per_kind,
        0.7,
        "guidelines 3",
        (
            "",
            (
                "For making bricks, the activity complies with the following criteria:",
                "For making tiles, the activity complies with the following criteria:",
            ),
        ),
    ),
    LogicRule(
        "documents",
        _documents,
        0.85,
        "R18",
        (
            "Dust is within the ranges of the relevant conclusions, including:",
            ("the kiln conclusions;", "the brick conclusions."),
        ),
    ),
    LogicRule(
        "kinds of thing",
        _kinds_of_thing,
        0.8,
        "guidelines 3",
        ("The activity manufactures:", ("clay bricks;", "roof tiles.")),
    ),
    LogicRule(
        "what the activity does",
        _what_the_activity_does,
        0.8,
        "R9",
        ("", ("The activity manufactures bricks.", "The activity recycles old bricks.")),
    ),
)
"""Asked in this order; where none applies the children are cumulative."""


@solver("InferLogic")
def infer_logic(
    unit: UnitHeader,
    criteria: Sequence[CriterionView],
    facts: Sequence[CriterionFacts],
    guidance: str = "",
) -> list[Answer[LogicValue]]:
    """Return how the children of every criterion combine; ROOT and criteria without children included.

    Participation (guidelines section 3): background takes no part, nor do anchored paragraphs below OR and N_OF_K.

    Args:
        unit: Not used.
        criteria: All criteria of the section, ROOT first; inferred containers included.
        facts: Tags of the criteria, for the participation rule.
        guidance: Not used.
    """
    index = CriterionIndex(criteria)
    background = {f.criterion_id for f in facts if "BackgroundInformation" in f.tags}
    decided: dict[str, Logic] = {}
    answers = []
    for criterion in _top_down(index):
        answer = _combine(index, criterion, background, decided)
        decided[criterion.criterion_id] = answer.value.evaluation_logic
        answers.append(answer)
    order = {c.criterion_id: n for n, c in enumerate(index.criteria)}
    return sorted(answers, key=lambda a: order[a.id])


def _top_down(index: CriterionIndex) -> list[CriterionView]:
    """Criteria in an order in which parents precede their children, whatever order they came in."""
    ordered: list[CriterionView] = []
    seen: set[str] = set()

    def visit(criterion: CriterionView) -> None:
        if criterion.criterion_id in seen:
            return
        seen.add(criterion.criterion_id)
        parent = index.parent(criterion.criterion_id)
        if parent is not None:
            visit(parent)
        ordered.append(criterion)

    for criterion in index.criteria:
        visit(criterion)
    return ordered


def _combine(
    index: CriterionIndex, criterion: CriterionView, background: set[str], decided: dict[str, Logic]
) -> Answer[LogicValue]:
    children = [c for c in index.children(criterion.criterion_id) if c.criterion_id not in background]
    if not children:
        return Answer(criterion.criterion_id, LogicValue("LEAF"), 0.99)
    items = [c for c in children if not _ANCHORED.search(c.criterion_id)]
    if len(items or children) < 2 or criterion.block is None and criterion.criterion_id != "ROOT":
        return Answer(criterion.criterion_id, _AND, 0.97)
    family = _family(criterion, items or children, decided.get(criterion.parent or ""))
    for rule in LOGIC_RULES:
        decision = rule.decide(family)
        if decision is not None:
            value, span = decision
            return Answer(criterion.criterion_id, value, rule.confidence, _evidence(family, span))
    return Answer(criterion.criterion_id, _AND, 0.9)


def _family(parent: CriterionView, children: Sequence[CriterionView], above: Logic | None) -> Family:
    start = sentences(parent.text)[-1][0] if parent.text else 0
    chapeau = parent.text[start:]
    if start == 0 and (label := _LABEL.match(chapeau)):
        start, chapeau = label.end(), chapeau[label.end() :]
    texts = tuple(_FOOTNOTES.sub("", _LABEL.sub("", c.text)).strip() for c in children)
    return Family(parent, chapeau, start, tuple(children), texts, above)


def _evidence(family: Family, span: tuple[int, int] | None) -> tuple[Span, ...]:
    if span is None or family.parent.block is None:
        return ()
    return ((family.parent.block, family.offset + span[0], family.offset + span[1]),)


@solver("DetectPathways")
def detect_pathways(
    unit: UnitHeader, criteria: Sequence[CriterionView], guidance: str = ""
) -> list[Answer[tuple[tuple[str, ...], ...]]]:
    """Return the joint pathways among the children of every criterion that offers alternatives.

    Children are joint if some only serve another one (how its quantity is calculated, who verifies it): these can be
    no alternatives by themselves. The group runs from the child that is served to the next child that stands by
    itself; at least one child must stay outside. Without such children the answer is no group.

    Args:
        unit: Not used.
        criteria: All criteria of the section.
        guidance: Not used.
    """
    index = CriterionIndex(criteria)
    answers = []
    for criterion in index.criteria:
        children = [c for c in index.children(criterion.criterion_id) if not _ANCHORED.search(c.criterion_id)]
        if not index.children(criterion.criterion_id):
            continue
        groups: tuple[tuple[str, ...], ...] = ()
        if len(children) > 2 and _offers_choice(criterion, children):
            groups = _joint(index, children)
        confidence = 0.8 if groups else 0.95
        answers.append(Answer(criterion.criterion_id, groups, confidence, _group_evidence(criteria, groups)))
    return answers


def _offers_choice(criterion: CriterionView, children: Sequence[CriterionView]) -> bool:
    family = _family(criterion, children, None)
    return _one(family) is not None and _negated_choice(family) is None


def _joint(index: CriterionIndex, children: Sequence[CriterionView]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of children that make sense only together."""
    runs: list[list[CriterionView]] = []
    served = False
    for child in children:
        alone = bool(index.children(child.criterion_id)) or not runs
        serving = not alone and _serves_run(child, runs[-1])
        conditional = not alone and served and child.text[:1].isupper() and _CASE.match(child.text) is not None
        if serving or conditional:
            runs[-1].append(child)
            served = True
        else:
            runs.append([child])
            served = False
    joint = tuple(tuple(c.criterion_id for c in run) for run in runs if len(run) > 1)
    return joint if len(runs) > 1 else ()


def _serves_run(child: CriterionView, run: Sequence[CriterionView]) -> bool:
    """True if the child says how the quantity of the run is calculated or who verifies it."""
    earlier = " ".join(c.text for c in run)
    text = child.text[:1].upper() + child.text[1:]
    rule = serves(text, earlier)
    return rule is not None and bool(content_words(text) & content_words(earlier))


def _group_evidence(criteria: Sequence[CriterionView], groups: Sequence[Sequence[str]]) -> tuple[Span, ...]:
    members = {member for group in groups for member in group}
    return tuple(
        (c.block, 0, len(c.text)) for c in criteria if c.criterion_id in members and c.block is not None and c.text
    )
