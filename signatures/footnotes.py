"""Stage 6: footnotes (paper appendix D.11)."""

import dspy

from signatures.types import CriterionView, FootnoteDecomposition, FootnoteView, UnitHeader


class ProcessFootnotes(dspy.Signature):
    """Decompose each footnote into the documents it names and the terms it defines.

    1. items: one for each act, treaty, standard or other document, those in the title of another one included
       ("amending Regulations A and B" gives A and B). A footnote that explains without naming a document has none.

       | kind | for |
       |---|---|
       | EU Legal Act | regulation, directive, decision, recommendation |
       | International Convention/Treaty | conventions, protocols, MARPOL and their annexes |
       | Standard | ISO, EN, IMO or ICAO standards |
       | Official Guideline/Manual | guidance, notices, codes of conduct, handbooks |
       | Member-State Plan/Programme | national plans |
       | Other | Sections of this Annex and the rest |

    2. title: type and number of the act ("Directive 2012/27/EU") or designation of the standard ("ISO 14067:2018");
       neither subject nor pinpoint nor issuing body. Documents without number keep their name.
    3. celex_id, EU acts only: 3, year, letter (Regulation R, Directive L, Decision D, Recommendation H), number in
       four digits. 2018/1999 is year first, 98/70/EC too (31998L0070), No 338/97 number first (31997R0338); dates of
       adoption do not count. Otherwise null. oj: the Official Journal citation printed behind the act ("OJ L 1,
       2.3.2019, p. 4"), else null.
    4. type:

       | document | type |
       |---|---|
       | needed to meet the criterion: "calculated according to", "are applied", defined there | must_be_fetched |
       | amended, repealed, implemented, supplemented by the other | citation_only |
       | example after "such as", background, treaty that only contains the annex needed | citation_only |

       Look at the criterion that carries the marker: what its text needs is must_be_fetched.
    5. categories, one or more:

       | category | if |
       |---|---|
       | Legal Reference | a binding act or treaty is cited; never for standards or guidance alone |
       | Technical Definition | "means", "is defined as", "as defined in" |
       | Official Guideline/Standard | a standard or guidance document is named |
       | Explanatory Note | scope or clarification: "This includes", "can be shown by", "reflecting" |

       "referred to in", "set out in", "in accordance with" an act is Legal Reference only.
    6. definitions: {term, definition} for each term defined, the definition in the words of the footnote; [] if none.
       A term defined in an act counts, with the words that point there.

    notes stays [] and enrichment null.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField(desc="the criteria whose text carries the footnotes")
    footnotes: list[FootnoteView] = dspy.InputField()
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[FootnoteDecomposition] = dspy.OutputField(desc="one item per footnote asked for")
