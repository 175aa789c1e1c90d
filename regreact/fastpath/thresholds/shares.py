"""Names of relative quantities: shares, reductions, increases, ranks (guidelines section 6, appendix D.2).

A construction is read from the words on both sides of the amount; the first rule that fits names the quantity.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from regreact.fastpath.thresholds.naming import GENERIC
from regreact.fastpath.thresholds.phrases import (
    basis_of,
    capitalised,
    lowered,
    plain,
    split_openers,
    tidy,
    without_insertions,
)
from regreact.fastpath.thresholds.share_names import (
    RELATIVE_TO,
    STOP,
    VERB,
    Groups,
    ends_of_gap,
    extent,
    less_of_it,
    less_than,
    made_of,
    more_than,
    of_front,
    part,
    prefixed,
    reduced,
    requirement,
    subject_of,
    whole,
    whole_words,
)
from regreact.schema import Operator


@dataclass(frozen=True, slots=True)
class ShareRule:
    """A construction around a percentage.

    Attributes:
        before: Found in the clause before the comparison words (openers and insertions removed).
        after: Matched behind the amount.
        make: Builds the name from the named groups of both patterns; "" if the rule does not apply after all.
        operator: Operator where the text has no comparison words; None if it needs some.
        example: The construction, the amount as `#`.
        result: Its name.
    """

    name: str
    before: str
    after: str
    make: Callable[[Groups], str]
    example: str
    result: str
    operator: Operator | None = None


RULES = (
    ShareRule(
        "gap",
        r"\bclos(?:es?|ing) the gap$",
        r"(?:either )?between (?P<a>[^.;]+)",
        lambda g: f"Closure of the gap between {ends_of_gap(re.sub(r'^.*?between ', '', g['raw'], count=1))}",
        "it closes the gap by # between the losses and the target.",
        "Closure of the gap between losses and the target",
    ),
    ShareRule(
        "rank",
        r"^(?:(?P<s>.+) )?(?:within|in|among|belongs? to) the (?:top|best|upper)$",
        rf"of (?:the )?(?P<w>{STOP}+?)(?=[.,;]|$| and \w+ed\b)",
        lambda g: (
            f"Rank of {tidy(re.sub(r' (?:is|are)$', '', g['s'] or 'the asset'))} within the {tidy(g['w'])} (top share)"
        ),
        "the mill is within the top # of the mills of the region.",
        "Rank of mill within the mills of the region (top share)",
        "<=",
    ),
    ShareRule(
        "increase over",
        r"^(?P<s>.+?) (?:does|do|shall|must|may|will) not exceed (?P<r>.+?)$",
        "",
        lambda g: f"Increase of {tidy(g['s'])} over {tidy(g['r'])}",
        "the new capacity does not exceed the old capacity by #.",
        "Increase of new capacity over old capacity",
        "<=",
    ),
    ShareRule(
        "reduced line",
        r"\breducing (?P<q>.+?)(?: by)?$",
        rf"below (?P<r>{STOP}+)",
        lambda g: f"Reduction of {tidy(g['q'])} relative to {tidy(g['r'])}",
        "a value equivalent to reducing the loss line by # below the requirements.",
        "Reduction of loss line relative to requirements",
        ">=",
    ),
    ShareRule(
        "reduce by",
        r"\b(?:reduc(?:es?|ing)|decreas(?:es?|ing)|lower(?:s|ing)|cut(?:s|ting))\s(?P<q>[^¦,]+?)(?: by)?$",
        rf"(?:expressed (?P<u>(?:in|per) {STOP}+))?(?:.{{0,40}}?{RELATIVE_TO} (?P<r>{STOP}+))?",
        reduced,
        "the new pump reduces the fuel use of the mill by #.",
        "Fuel use of the mill reduction",
        ">=",
    ),
    ShareRule(
        "increase by",
        r"\b(?:increas|rais)(?:es?|ing)\s(?P<q>[^¦]+?)(?: by)?$",
        "",
        lambda g: f"{tidy(g['q'])} increase",
        "it increases the yield of the mill by #.",
        "Yield of the mill increase",
        ">=",
    ),
    ShareRule(
        "increasing by",
        r"(?P<q>[^¦,]*?)\s(?:is )?(?:increas(?:ing|es|ed)|raised|grow(?:s|ing))(?: by)?$",
        "",
        lambda g: f"{subject_of(g['q']) or g['previous']} increase",
        "the share of recycled ore increasing by #.",
        "Share of recycled ore increase",
        ">=",
    ),
    ShareRule(
        "falls by",
        r"^(?P<q>[^¦]+?)\s(?:falls?|drops?|declines?|decreases?|shrinks?|sinks?|goes down|go down|"
        r"(?:is|are|was|were|has been|have been|will be|must be|shall be) (?:reduced|cut|lowered|decreased|diminished))(?: by)?$",
        rf"(?:.{{0,40}}?{RELATIVE_TO} (?:that of )?(?:in )?(?P<r>{STOP}+))?",
        reduced,
        "the fuel use of the mill falls by # compared with 2019.",
        "Fuel use of the mill reduction relative to 2019",
        ">=",
    ),
    ShareRule(
        "reduction of",
        r"\b(?:reductions?|decreases?|savings?) (?:of|in) (?P<q>[^¦]+?)(?: of| by)?$",
        r"(?:(?P<p>GHG|CO2)\b)?",
        prefixed,
        "washing leads to a reduction of water demand (WD) of #.",
        "Water demand (WD) reduction",
        ">=",
    ),
    ShareRule(
        "reduction behind",
        r"(?:\b(?:lower|reduced|less) (?P<q>[^¦,]+?),? (?:which|that) .*|\b(?:a|an|the)?)$",
        rf"(?:reduction|saving|decrease|cut)s?(?: (?:of|in) (?P<o>{STOP}+?))?(?: {RELATIVE_TO} (?P<r>{STOP}+?))?"
        r"(?=[.,;]|$| or (?:are|is)\b)",
        lambda g: reduced({**g, "q": g["q"] or g["o"]}) if g["q"] or g["o"] else "",
        "lower dust emission, which aim at a # reduction compared to the benchmark.",
        "Dust emission reduction relative to benchmark",
        ">=",
    ),
    ShareRule(
        "less of it than",
        r"^(?P<s>.+?)\s(?P<v>uses?|consumes?|needs?|emits?|loses?|requires?|generates?|produces?)(?: at least)?$",
        rf"(?:less|fewer)\s(?P<o>(?!than\b)[\w-]+(?:\s(?!than\b)[\w-]+)?)\sthan\s(?P<r>{STOP}+)",
        less_of_it,
        "the kiln uses # less gas than the old kiln.",
        "Reduction of gas use of kiln relative to old kiln",
        ">=",
    ),
    ShareRule(
        "lower than",
        "",
        rf"(?:lower|less|below|under|smaller|fewer)\b(?: than)? (?P<r>{STOP}+)",
        less_than,
        "the emissions of the mill are # lower than the reference value.",
        "Reduction of emissions of the mill relative to reference value",
        ">=",
    ),
    ShareRule(
        "higher than",
        "",
        rf"(?:higher|greater|more|above)\b(?: than)? (?P<r>{STOP}+)",
        more_than,
        "the yield of the mill is # higher than the reference value.",
        "Increase of yield of the mill over reference value",
        ">=",
    ),
    ShareRule(
        "requirement of",
        r"^(?P<q>.*?(?:savings?|shares?|rates?|efficiency|contribution|reduction)) "
        r"(?:requirement|target|threshold)s? of$",
        rf"(?:for (?P<case>{STOP}+?))?(?:,? and \d[^.;]*?)?(?:\s?{RELATIVE_TO} (?P<r>{STOP}+))?(?=[.,;]|$| and )",
        requirement,
        "it complies with the water savings requirement of # for wet ores and others.",
        "Water savings for wet ores",
        ">=",
    ),
    ShareRule(
        "able to",
        r"(?P<a>\w+able(?:(?:,| or| and) \w+able)*) to$",
        "",
        lambda g: f"{g['a']} share of {g['subject'] or 'the product'}",
        "reusable or recyclable to # by weight.",
        "Reusable or recyclable share of the product by weight",
    ),
    ShareRule(
        "minimum share",
        r"\b(?P<q>share of [^¦,]+?),? (?:corresponding|equal|amounting) to$",
        "",
        lambda g: tidy(g["q"]),
        "operated with a share of recycled ore, corresponding to #.",
        "Share of recycled ore",
        ">=",
    ),
    ShareRule(
        "blend",
        r"^(?:.*?\b(?:conversion|converting|repurposing|retrofit|change|switch) of (?P<s>(?:(?! to )[^,;¦])+?)\s|.*\s)?"
        r"(?:on|to|with)$",
        rf"(?!(?:of|in|and|or|by|for|at|on)\b)(?!\w*\s?(?:thresholds?|targets?|limits?|criteri|requirement))(?!by\b)(?P<w>[a-z]{STOP}*)",
        lambda g: f"{tidy(g['w'])} share" + (f" of {tidy(g['s'])}" if g["s"] else ""),
        "conversion of pipes to # hydrogen.",
        "Hydrogen share of pipes",
        "=",
    ),
    ShareRule(
        "to the extent of",
        r"^(?P<s>.+?)\s(?P<v>consists?|contains?|comes?|(?:is|are)(?: (?:[a-z]+ed|made))?),? (?:as to|to the extent of|to an extent of|in a proportion of)$",
        r"(?:(?:by|in) \w+|of (?:its|their|the) \w+)?,?\s?(?P<w>(?:of\s)?[a-z][^.;]*)",
        extent,
        "sacks consist, as to # of their weight, of paper.",
        "Paper share of sacks",
    ),
    ShareRule(
        "of a whole in front",
        r"^(?:[Oo]ut )?[Oo]f (?:the |all |its |their )?(?P<w>[^¦]+?),?$",
        r"(?:[^.;]*?\s)??(?P<v>is|are|consists? of|comes? from|goes|go|has|have)\s(?P<rest>[^.;,]+)",
        of_front,
        "of the waste brought here, # is washed.",
        "Share of waste brought here washed",
    ),
    ShareRule(
        "made of",
        r"^(?P<s>.*?)\s"
        r"(?:(?:is|are) (?:made|composed|comprised)(?: up)? (?:of|from)|contains?|comprises?|consists? of)$",
        rf"(?:by \w+ )?(?:of )?(?:the )?(?P<w>[a-z]{STOP}*)",
        made_of,
        "the box is made of # recycled material.",
        "Recycled material share of box",
    ),
    ShareRule(
        "reached",
        r"^(?P<s>.*?)\s(?:reach(?:es)?|attains?|achieves?|ensures?|guarantees?|shows?)$",
        rf"(?!(?:of|by|in|on|at|for|and|or|over|from|to|with|as|when|lower|less|higher|more|below|above)\b)(?P<w>[a-z]{STOP}*)",
        lambda g: tidy(g["w"]) + ("" if GENERIC.match(tidy(g["s"])) else f" of {lowered(tidy(g['s']))}"),
        "the mill achieves # solvent recovery.",
        "Solvent recovery of mill",
    ),
    ShareRule(
        "constitutes",
        r"^(?P<s>.+?) (?:may |can )?(?:constitutes?|covers?|accounts? for|represents?|makes? up|forms?|amounts?(?: to)?|"
        r"comes? to|adds? up to|(?:extends?|stretch(?:es)?|spreads?) (?:over|across)|runs? along|corresponds? to)$",
        rf"(?:by \w+ )?of (?:the |that part of the )?(?P<w>{STOP}+)",
        lambda g: f"Share of {lowered(re.sub(r'^(?:its )?share of ', '', tidy(g['s'])))} in {tidy(g['w'])}",
        "washed ore constitutes # of the input.",
        "Share of washed ore in input",
    ),
    ShareRule(
        "relative to own kind",
        r"(?:^|\s)(?:has|have)$",
        rf"of (?:the )?(?P<q>{STOP}+?) of (?P<x>the {STOP}+)",
        lambda g: f"{tidy(g['q'])} relative to {tidy(g['x'])}",
        "has # of the maximum weight of the new lorry.",
        "Maximum weight relative to new lorry",
    ),
    ShareRule(
        "concentration",
        r"^(?:.*\bof )?(?P<s>[\w -]+?)(?:,[^¦]*)?,? in a concentration$",
        "",
        lambda g: f"Concentration of {tidy(g['s'])}",
        "lead salts, alone or in mixtures, in a concentration #.",
        "Concentration of lead salts",
    ),
    ShareRule(
        "whole",
        r"^(?:of which|that|ensures? that|either)?$",
        r"(?:by [a-z]+ )?of (?:the |all |their |its )?(?P<w>[^.;]+?)\s"
        r"(?P<p>consists? of|comes? from|originates? from|stems? from|(?:is|are|has|have|must|shall)\b)\s"
        r"(?P<rest>[^.;]+)",
        whole,
        "# of the box by weight consists of recycled paper.",
        "Recycled paper share of the box by weight",
    ),
    ShareRule(
        "of which",
        r"^(?P<w>.+?),? of which$",
        r"(?:(?:by|in) \w+,?\s)?(?P<p>consists? of|comes? from|originates? from|(?:is|are|has|have)\b)\s(?P<rest>[^.;]+)",
        whole,
        "meals of which #, by cost, consists of local produce.",
        "Local produce share of the meals by cost",
    ),
    ShareRule(
        "whole with another verb",
        r"^(?:of which|that)?$",
        r"(?:by [a-z]+ )?of (?P<w>[^.;,]+)",
        lambda g: "Share " + whole_words(g),
        "# of the roof carries a cover.",
        "Share of the roof carries a cover",
    ),
    ShareRule(
        "part",
        rf"^(?:(?P<s>.*)\s)?(?P<v>{VERB})$",
        r"(?:, [^,]*,|by \w+)?\s?of (?:the |all |their |its )?(?P<w>[^.;]+)",
        part,
        "the process recovers # of the load of lead.",
        "Share of load of lead recovered by process",
    ),
)


_COMPILED = tuple((rule, re.compile(rule.before), re.compile(rule.after)) for rule in RULES)


def _groups(left_side: re.Pattern[str], right_side: re.Pattern[str], before: str, after: str) -> Groups | None:
    right = right_side.match(after)
    left = left_side.search(before) if right else None
    if left is None or right is None:
        return None
    return {"all": before, **left.groupdict(), **right.groupdict()}


# "either ¦ of the heat is renewable, or ¦ of it …": a clause of its own starts behind "or"
_NEW_CLAUSE = re.compile(r"^(?P<whole>(?:(?:[Oo]ut )?[Oo]f [^¦,]+(?=,\s¦))?).*¦[^¦]*\b(?:is|are|consists?|comes?|has|have)\s[^¦]*,\s(?:or|and|but)$")


# "pesticides: on # of the area": a preposition that no noun goes with
_BARE = re.compile(r"^(?:on|in|over|across|for|along|throughout|at)$")


def share(
    before: str, after: str, subject: str, previous: str, *, compared: bool
) -> tuple[str, Operator | None] | None:
    """Return the name of a relative quantity and the operator its wording implies, None if no rule fits.

    Args:
        before: Clause before the comparison words (or the amount).
        after: Sentence behind the amount.
        subject: What the items of the list are about, "" outside lists.
        previous: Quantity of the limit before, "" if there is none.
        compared: Whether comparison words stand beside the amount.
    """
    head = split_openers(without_insertions(plain(before)))[1].strip(" ,")
    head = _BARE.sub("", _NEW_CLAUSE.sub(r"\g<whole>", re.sub(r"\sby$", "", head)))
    tail = without_insertions(plain(f"x{after}"))[1:].strip(" ,")
    for rule, left, right in _COMPILED:
        if not compared and rule.operator is None:
            continue
        groups = _groups(left, right, head, tail)
        if groups is None:
            continue
        context = {"subject": subject, "previous": previous, "raw": plain(f"x{after}")[1:]}
        name = rule.make({k: v if v is not None else "" for k, v in groups.items()} | context)
        if len(tidy(name)) > 3:
            return _with_basis(capitalised(tidy(name)), before, after), rule.operator
    return None


def _with_basis(name: str, before: str, after: str) -> str:
    basis = basis_of(name) or re.match(r"\s*in (?:mass|volume)\b", after)
    behind = re.match(r"[^\d.;¦]*", plain(f"x{after}"))
    found = basis_of(behind[0][:45] if behind else "") or basis_of(plain(before))
    return name if basis or not found else f"{name} {found}"


def complement(name: str, before: str, after: str) -> str:
    """Return a general name with what the percentage is taken of.

    Example:
        >>> complement("Share of wet ore", "the share of wet ore is", " of the input.")
        'Share of wet ore in input'
    """
    match = re.match(rf"of (?:the |all )?(?P<w>{STOP}+)", plain(f"x {after}")[2:])
    product = tidy(match["w"]) if match else ""
    relative = re.match(rf"{RELATIVE_TO} (?:the )?(?P<r>{STOP}+)", plain(f"x {after}")[2:])
    if relative:
        name = f"{name} relative to {tidy(relative['r'])}"
    if product and len(product.split()) <= 10:
        link = "in" if re.search(r"\b(?:share|proportion|percentage|content|fraction)\b", name, re.I) else "relative to"
        name = f"{name} {link} {product}"
    left_out = re.match(r"\s?(?:\s?(?:by|in) \w+)?, (?P<e>excluding [^.,;]+)", plain(f"x{after}")[1:])
    name = _with_basis(name, before, after)
    return f"{name}, {tidy(left_out['e'])}" if left_out else name
