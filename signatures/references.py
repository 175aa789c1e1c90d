"""Stage 4: external references and CELEX ids (paper appendix D.6)."""

import dspy

from signatures.types import CelexFailure, CelexRepairItem, CriterionView, FootnoteView, ReferencesItem, UnitHeader


class ExtractReferences(dspy.Signature):
    """List the acts, standards and places outside the section that each criterion cites.

    1. Candidates: EU acts, treaties, standards, named guidelines, manuals and programmes; Sections, Annexes and
       Appendices other than this section.
    2. Skip: points and criteria of the section itself; bare "this Annex" or "this Regulation"; national law and rules
       known by subject only; acts that stand in a footnote only; nameless rules made under an act (take the named act
       instead).
    3. text: the citation as printed, all pinpoints and the whole name of the act, without "the" or "latest" in front;
       nothing shortened. Pinpoint and act are one source: "Article 3 of Regulation (EU) 2018/1999". "Paragraphs 6 and
       7" or "Sections 3.1 to 3.9" is one pinpoint and stays whole.
    4. Split what is independent and write each part out:

       | printed | sources |
       |---|---|
       | Sections 1.1 and 1.2 of this Annex | Section 1.1; Section 1.2 |
       | Directives 1/A and 2/B | Directive 1/A; Directive 2/B |
       | Article 5 and Article 7 of Directive C | Article 5 of Directive C; Article 7 of Directive C |
       | X follows A while Y follows B | A; B |

       A part complete in itself is copied as it is ("Article 8 of that Directive").
    5. Acts known by subject: where the body says "conclusions on best techniques for Z" and its footnote gives the
       number, or the footnote is the act behind a named scheme, the text is the short phrase and the CELEX id comes
       from the footnote; not where the footnote only tells the framework. An act adopted under an Article of another
       one gets that one's id.
    6. celex_id: 3, year, letter, number padded to four digits; the letter is R for a Regulation, L for a Directive, D
       for a Decision, H for a Recommendation.

       | printed | id |
       |---|---|
       | Regulation (EU) 2018/1999, Directive 98/70/EC | year first: 32018R1999, 31998L0070 |
       | Regulation (EC) No 338/97, Decision No 676/2002/EC | number first: 31997R0338, 32002D0676 |

       Years of two digits are 19xx; dates of adoption play no part. "that Directive" has the id of the act it means.
       null for standards, treaties, guidelines, Sections, Annexes, Appendices, unless they are part of a named act.
    7. type: must_be_fetched if a reader needs it to judge compliance; citation_only if it is only amended, repealed or
       told as background (what the Commission does).
    8. logic: null for one source, OR for "or" and "alternatively", AND else, also for "A and (B or C)".

    No source: references is null. link, link_status and enrichment stay null.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    footnotes: list[FootnoteView] = dspy.InputField(desc="footnotes of the section, for acts named only there")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[ReferencesItem] = dspy.OutputField(desc="one item per criterion asked for")


class RepairCelex(dspy.Signature):
    """Name the CELEX id of the act that each citation names, where the id given proved wrong.

    1. Say in one clause why the id went wrong.
    2. Mend that and nothing else: the letter of the type (R regulation, L directive, D decision, H recommendation, F
       framework decision), the year (two digits are before 2000), the order of number and year ("No" puts the number
       first; since 2015 the year comes first), the padding to four digits, a suffix of a consolidated or corrected
       version.
    3. Never repeat an id of `tried`.
    4. Leave celex_id empty if the citation does not tell which act is meant: a guess is worse than none.
    """

    failures: list[CelexFailure] = dspy.InputField(desc="citation, last id, what is wrong with it, ids tried")
    asked: list[str] = dspy.InputField(desc="ids of the failures to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[CelexRepairItem] = dspy.OutputField(desc="one item per failure asked for")
