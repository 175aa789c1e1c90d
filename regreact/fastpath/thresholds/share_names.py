"""Builders of the names of relative quantities, from the groups that a share rule has found."""

from __future__ import annotations

import re

from regreact.fastpath.thresholds.naming import GENERIC, noun_phrase, quantity
from regreact.fastpath.thresholds.phrases import lowered, tidy
from regreact.fastpath.thresholds.reading import READ

Groups = dict[str, str]

# Verbs whose object is a share of something, with their participles
_REGULAR = (
    "derive recycle source use reuse re-use retain remove capture produce generate store replace recirculate separate "
    "acquire purchase utilise sequester eliminate reduce valorise convert recover treat collect obtain process return "
    "divert repair absorb consume cover supply occupy shade fill serve donate compost reinject sort plant protect "
    "irrigate clean save transport deliver power heat satisfy insulate receive employ export restore offset screen "
    "refurbish renew reclaim provide account extract"
).split()
_IRREGULAR = {
    "keep": "kept", "take": "taken", "take up": "taken up", "take back": "taken back", "hold": "held",
    "hold back": "held back", "lose": "lost", "spend": "spent", "sell": "sold", "draw": "drawn", "buy": "bought",
    "meet": "met", "make up": "made up", "feed": "fed", "send": "sent", "leave": "left", "catch": "caught",
    "bring": "brought", "light": "lit", "give": "given",
}  # fmt: skip


def _present(verb: str) -> set[str]:
    """Return the forms of a verb but the participle: "takes up", "supplies", "covering"."""
    head, _, particle = verb.partition(" ")
    stem = head.removesuffix("e")
    if re.search(r"[^aeou]y$", head):
        forms = {head, f"{head[:-1]}ies", f"{head}ing"}
    else:
        forms = {head, f"{head}es" if re.search(r"(?:s|sh|ch|x)$", head) else f"{head}s", f"{stem}ing"}
    return {f"{form} {particle}".strip() for form in forms}


def _regular(verb: str) -> str:
    return f"{verb}d" if verb.endswith("e") else f"{verb[:-1]}ied" if re.search(r"[^aeou]y$", verb) else f"{verb}ed"


_PARTICIPLES = {
    form: participle
    for verb, participle in (_IRREGULAR | {verb: _regular(verb) for verb in _REGULAR}).items()
    for form in _present(verb)
}
VERB = "|".join(sorted(_PARTICIPLES, key=len, reverse=True))
STOP = r"[^.,;:¦]"
RELATIVE_TO = r"(?:compared (?:to|with)|relative to|against|in relation to|in comparison (?:to|with))"


# Where the predicate of a share ends: the next limit, or words on how it is reached
_PREDICATE_ENDS = re.compile(
    r",? (?:and|or) (?=(?:\w+ )?(?:at (?:least|most)|a (?:minimum|maximum)|\d|¦|(?:less|more|fewer|lower|higher) than))|, (?:including|in accordance|as)\b|"
    r" in accordance | in order to | unless | and (?=(?:the|its|their|all|each)\s[^¦]*\b(?:has|have|is|are)\b)"
)
_NEXT_LIMIT = re.compile(r"\s(?:and|or) (?:\w+ )?(?:at (?:least|most)|\d|¦).*")
_PARTICIPLE_FIRST = re.compile(r"(?:\w+ly |preferably |either |separately )*\w+(?:ed|en|ewn|old|ent|ought|ade)\b")


def whole(g: Groups) -> str:
    """Name the share of a whole, with its predicate.

    Example:
        >>> whole({"w": "ore by weight", "p": "consists of", "rest": "slag and at least"})
        'slag share of the ore by weight'
    """
    product = re.split(rf"\s(?:and|or)\s(?={READ}|\d|at (?:least|most)\b)", g["w"])[0]
    rest = _PREDICATE_ENDS.split(g["rest"])[0]
    verb = g["p"].split()[0]
    if verb.startswith("consist"):
        return f"{tidy(rest)} share of the {tidy(product)}"
    if re.match(r"(?:is|are|has|have|must|shall)$", verb):
        rest = re.sub(r"^(?:be |been )", "", tidy(rest))
        nominal = not _PARTICIPLE_FIRST.match(rest) and not rest.startswith("below")
        link = ("with " if verb in ("has", "have") else "that are ") if nominal else ""
    else:
        link = "coming from " if verb.startswith("come") else "originating from "
    return f"Share of {tidy(product)} {link}{tidy(rest)}"


def whole_words(g: Groups) -> str:
    """Name the share of a whole by the words of its clause; "it" is what the list is about.

    Example:
        >>> whole_words({"w": "it goes to dwellings", "subject": "the heat"})
        'of the heat that goes to dwellings'
    """
    words = _NEXT_LIMIT.sub("", g["w"])
    pronoun = re.match(r"(?:it|them|this|these)\b\s*(?P<rest>.*)", words)
    if pronoun:
        return f"of {g['subject']} that {pronoun['rest']}" if g["subject"] else f"that {pronoun['rest']}"
    return f"of {words}"


def part(g: Groups) -> str:
    """Name the share of the object of a verb, the verb as participle.

    Example:
        >>> part({"s": "the mill", "v": "recovers", "w": "lead from slag"})
        'Share of lead recovered from slag by mill'
    """
    match = re.match(
        r"(?P<head>.+?)(?P<rest>\s(?:into|from|for|with|through|by|via)\s.+)?$", tidy(_NEXT_LIMIT.sub("", g["w"]))
    )
    head, rest = (match["head"], match["rest"] or "") if match else (tidy(g["w"]), "")
    subject = noun_phrase(re.sub(r"(?:\s(?:that|which))? (?:is|are) (?:capable|able)(?: of| to)?$", "", g["s"]))
    by = "" if GENERIC.match(subject) or " by " in rest else f" by {lowered(subject)}"
    return f"Share of {lowered(head)} {_PARTICIPLES.get(g['v'], g['v'])}{rest}{by}"


def made_of(g: Groups) -> str:
    """Name the share of a material in what is made of it.

    Example:
        >>> made_of({"s": "the box", "w": "recycled paper"})
        'recycled paper share of box'
    """
    subject = noun_phrase(g["s"])
    return f"{tidy(g['w'])} share" + ("" if GENERIC.match(subject) else f" of {subject}")


def extent(g: Groups) -> str:
    """Name the share of "sacks consist, as to X %, of paper" and of "wool is, to the extent of X %, remelted".

    Example:
        >>> extent({"s": "sacks", "v": "consist", "w": "of paper"}), extent({"s": "wool", "v": "is", "w": "remelted"})
        ('paper share of sacks', 'Share of wool remelted')
    """
    words = tidy(_PREDICATE_ENDS.split(g["w"])[0])
    if g["v"].startswith("con") or " " in g["v"]:
        return f"{re.sub('^(?:of|from|with) ', '', words)} share of {lowered(tidy(g['s']))}"
    return f"Share of {lowered(tidy(g['s']))} {'coming ' if g['v'].startswith('come') else ''}{words}"


def of_front(g: Groups) -> str:
    """Name the share of a whole that stands in front: "of the waste taken in, X % is washed"."""
    rest = tidy(_PREDICATE_ENDS.split(g["rest"])[0])
    if g["v"].startswith("consist"):
        return f"{rest} share of {tidy(g['w'])}"
    verb = g["v"] if g["v"][0] in "cgh" else ""
    return f"Share of {tidy(g['w'])} {'that ' + verb if verb else ''} {rest}"


def ends_of_gap(between: str) -> str:
    """Return the two ends of a gap, without how they are calculated.

    Example:
        >>> ends_of_gap("the loss, calculated using method A and an index of 2 or between the loss and B")
        'loss and an index of 2'
    """
    first = re.split(r" or between ", between)[0]
    return tidy(re.sub(r",? (?:calculated|measured|determined) (?:using|by) .*?(?=\sand\s(?:an?|the)\s)", "", first))


def less_than(g: Groups) -> str:
    """Name the reduction that "X % lower than the reference" asks for (guidelines section 6)."""
    name = quantity(g["all"])
    reference = tidy(re.split(r" if |, (?:if|as|and|expressed)\b", g["r"])[0])
    reference = re.sub(r"^in (?=(?:19|20)\d\d)", "", reference)
    return f"Reduction of {lowered(name)} relative to {reference}" if name else ""


def less_of_it(g: Groups) -> str:
    """Name the reduction that "X % less gas than the reference" asks for."""
    noun = {"u": "use", "c": "consumption", "e": "emissions", "l": "losses", "g": "generation", "p": "production"}.get(g["v"][0], "demand")
    return f"Reduction of {tidy(g['o'])} {noun} of {lowered(noun_phrase(g['s']))} relative to {tidy(g['r'])}"


def more_than(g: Groups) -> str:
    """Name the increase that "X % higher than the reference" asks for."""
    name = quantity(g["all"])
    reference = re.sub(r"^that of (?:the )?", "", g["r"])
    return f"Increase of {lowered(name)} over {tidy(reference)}" if name else ""


def requirement(g: Groups) -> str:
    """Name the quantity of "the savings requirement of 70 % for … relative to …"."""
    complied = re.search(r"\b(?:with|complies)\b", g["q"])
    name = tidy(g["q"].rsplit("with ", 1)[-1]) if complied else quantity(g["q"])
    case, reference = tidy(g["case"]), tidy(re.split(r"\s(?:in analogy|in accordance|as)\s", g["r"])[0])
    name = f"{name} for {case}" if case else name
    return f"{name} relative to {reference}" if reference else name


def reduced(g: Groups) -> str:
    """Name the reduction of a quantity, with its reference if the text names one."""
    name, reference = f"{tidy(g['q'])} reduction", tidy(g["r"])
    if g.get("u"):
        name = f"{name} {tidy(g['u'])}"
    return f"{name} relative to {reference}" if reference else name


def prefixed(g: Groups) -> str:
    """Name a reduction whose substance stands behind the number ("a reduction in emissions of 55 % GHG")."""
    return f"{g['p']} {tidy(g['q'])} reduction".strip()


def subject_of(name: str) -> str:
    """Return the subject of a quantity that grows, "" if the words name none."""
    subject = tidy(re.split(r"\b(?:that|which)\b", re.sub(r"^\s*with\s", "", name))[0])
    return "" if re.match(r"(?:in|by|of|at)\b", subject) else subject
