"""Fast paths of `RewriteQuery` and `RefineQuery`: a criterion as a question, and a sharper one for what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from regreact.answers import Answer, solver
from regreact.fastpath.retrieval.abbreviations import expand
from regreact.fastpath.retrieval.needs import Needs, needs_of
from regreact.fastpath.wording import body_start
from regreact.legal.mentions import find_mentions, names_part_of
from regreact.schema import Definition
from signatures.passages import CitedSource, Gap, GapKind

# A question longer than this matches everything a little.
_TOPIC_WORDS = 60
_ABOUT = " lay down on: "
# A term is an abbreviation if it is in capitals: "ILI".
_SHORT = re.compile(r"[A-Z][A-Za-z]?[A-Z][\w-]{0,8}")
# The section of a unit, and the objectives of Article 9 of Regulation (EU) 2020/852 by the words that unit keys use.
_SECTIONS = {"SC": "substantial contribution", "DNSH": "do no significant harm"}
_OBJECTIVES = {
    "mitigation": "climate change mitigation",
    "adaptation": "climate change adaptation",
    "water": "the sustainable use and protection of water and marine resources",
    "circular": "the transition to a circular economy",
    "pollution": "pollution prevention and control",
    "biodiversity": "the protection and restoration of biodiversity and ecosystems",
}
_MARKER = re.compile(r"(?<=[\w.,;:%])\(\d{1,3}\)")
# What to search for where something about a subject is missing (D.17: the refined query goes for the gaps).
_SOUGHT: dict[GapKind, str] = {
    "threshold": "maximum or minimum value, limit value and unit",
    "date": "date or deadline by or from which",
    "subject": "requirements and conditions",
}


@solver("RewriteQuery")
def rewrite_query(
    query: str, activity: str, objective: str, section: str, reference: CitedSource, terms: Sequence[Definition] = ()
) -> list[Answer[str]]:
    """Return one question: section, activity, objective, the place cited, the subject, what is looked for (D.15).

    Args:
        query: Text of the criterion.
        activity: Name of the activity.
        objective: Its objective.
        section: `SC` or `DNSH.…`.
        reference: The source; it is named as printed.
        terms: Terms that the section explains; abbreviations among them are written out.
    """
    needs = needs_of(query, reference)
    own = {d.term: d.definition for d in terms if _SHORT.fullmatch(d.term) and not references_in(d.definition)}
    topic = expand(_topic(needs), own)
    frame = f"For the {_frame(section, expand(activity, own), objective)}, which {_sought(needs)} does"
    if not needs.subject:  # "The activity complies with Directive …": the act as a whole is meant
        topic = f"subject matter, scope and obligations, for {expand(activity, own)}"
    about = f"{_ABOUT}{topic}"
    question = f"{frame} {reference.text}{about}?"
    if invented(question, (query, reference.text, activity, objective), reference.addresses):
        # Words that stand apart in the criterion read as one place once the citation between them is gone.
        question = f"{frame} {reference.text}{_ABOUT.removesuffix(' on: ')}?"
    return [Answer("", question, 0.9, rule="frame of appendix D.15")]


def _frame(section: str, activity: str, objective: str) -> str:
    """Return whose criteria they are; those of a DNSH section serve the objective that the section names."""
    kind, _, served = section.partition(".")
    words = _OBJECTIVES.get(served or objective.lower(), served or objective)
    link = "to" if kind == "SC" else "with regard to"
    return f"{_SECTIONS.get(kind, section)} criteria of {activity}" + (f" {link} {words}" if words else "")


def _topic(needs: Needs) -> str:
    words = _MARKER.sub("", needs.topic[body_start(needs.topic) :]).split()
    return " ".join(words[:_TOPIC_WORDS]).rstrip(" .;:,")


def _sought(needs: Needs) -> str:
    kinds = ["requirements", "conditions"]
    if needs.values:
        kinds.append("limit values")
    if needs.dates:
        kinds.append("dates")
    if needs.terms:
        kinds.append(f"definition of {' and '.join(needs.terms)}")
    return f"{', '.join(kinds[:-1])} and {kinds[-1]}"


@solver("RefineQuery")
def refine_query(original_query: str, gaps: Sequence[Gap]) -> list[Answer[str]]:
    """Return a query for the gaps, in the words in which an act prints what they lack (D.17).

    The subject of the original question stands behind, so that the search stays on it; it abstains without gaps.
    """
    if not gaps:
        return []
    subjects = dict.fromkeys(g.wanted for g in gaps)
    kinds = {wanted: list(dict.fromkeys(g.kind for g in gaps if g.wanted == wanted)) for wanted in subjects}
    sought = "; ".join(_asked_for(wanted, kinds[wanted]) for wanted in subjects)
    _, found, topic = original_query.partition(_ABOUT)
    told = any(k in ("threshold", "date", "subject") for g in kinds.values() for k in g)
    behind = f", on: {topic.rstrip('?')}" if found and not told else ""
    return [Answer("", f"{sought}{behind}?", 0.8, rule="words of the gaps")]


def _asked_for(wanted: str, kinds: Sequence[GapKind]) -> str:
    words = " ".join(expand(wanted, {}).split()[:_TOPIC_WORDS]).rstrip(" .;:,")
    parts = [f"{words} means"] if "definition" in kinds else []
    parts.extend([f"text of {words}"] if "provision" in kinds else [])
    heads = [_SOUGHT[k] for k in kinds if k in _SOUGHT]
    parts.extend([f"{', '.join(heads)} for {words}"] if heads else [])
    return "; ".join(parts)


def references_in(text: str) -> list[str]:
    """Return the acts and places that a text names, as printed."""
    return [m.text for m in find_mentions(text) if m.kind in ("act", "place")]


def invented(query: str, printed: Iterable[str], addresses: Iterable[str] = ()) -> list[str]:
    """Return the references of a query that none of the printed texts names.

    Args:
        query: A search question.
        printed: Texts it may take references from: the criterion, the citation.
        addresses: Addresses of the citation.

    Example:
        >>> invented("What do Articles 4 and 9 require of kilns?", ["Kilns meet Article 4(2) of the Kiln Act."])
        ['Articles 4 and 9']
    """
    known = [m for text in printed for m in find_mentions(text)]
    places = [*addresses, *(m.key for m in known if m.kind == "place")]
    acts = {m.key for m in known if m.kind == "act"}
    found = [
        m.text
        for m in find_mentions(query)
        if (m.kind == "act" and m.key not in acts)
        or (m.kind == "place" and not any(names_part_of(m.key, p) for p in places))
    ]
    return list(dict.fromkeys(found))
