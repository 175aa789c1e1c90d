"""Questions of retrieval, asked per criterion and cited source (paper section 3.6, appendices D.15 to D.18)."""

import dspy

from regreact.schema import Definition
from signatures.passages import CitedSource, Gap, Located, PassageView

_GUIDANCE = "what to do differently from the last attempt; may be empty"


class RewriteQuery(dspy.Signature):
    """Turn a criterion into one question to search the act that it cites.

    1. Say for which criteria (substantial contribution or DNSH), which activity and which objective the question is.
    2. Ask what the cited place requires on the subject of the criterion. Take the subject from the words around the
       citation and leave out what the act does not decide.
    3. Name what is looked for: requirements, limit values, definitions, dates, exceptions, methods, whichever the
       criterion wants from the act.
    4. Write abbreviations out. `terms` has those of the section; add the usual ones of EU law.
    5. Copy numbers, units, articles and annexes as they are printed.
    6. Never name an act, article, annex, appendix, section, paragraph or point that neither the criterion nor the
       reference prints, even if you know that it applies: the search would go astray.

    | criterion | question |
    |---|---|
    | Kilns use PV power that meets the limit of Article 4(2) of Directive 2097/5/EU. | For the substantial contribution criteria of lime burning to climate change mitigation, which limit value does Article 4(2) of Directive 2097/5/EU set for photovoltaic power of kilns, and how is it measured? |
    """  # noqa: E501  one row of a table

    query: str = dspy.InputField(desc="text of the criterion, after that of the criteria it belongs to")
    activity: str = dspy.InputField()
    objective: str = dspy.InputField()
    section: str = dspy.InputField(desc="SC or DNSH with its objective")
    reference: CitedSource = dspy.InputField()
    terms: list[Definition] = dspy.InputField(desc="abbreviations and terms that the section explains")
    guidance: str = dspy.InputField(desc=_GUIDANCE)
    question: str = dspy.OutputField(desc="one sentence")


class EvaluatePassages(dspy.Signature):
    """Judge whether the passages hold what the criterion needs from the cited act.

    1. List for yourself what a reader who checks the criterion needs from the act: the provisions cited, values, dates,
       definitions, conditions.
    2. Look for each in the passages. Content counts: a passage with the rule itself is right even if it does not print
       the number of its article.
    3. Set confidence by the best passages together:

       | confidence | passages |
       |---|---|
       | 0.9 to 1.0 | the rules, values, definitions or conditions themselves |
       | 0.7 to 0.89 | rules on the subject, some detail is lacking |
       | 0.5 to 0.69 | the right act, another subject |
       | below 0.5 | nothing to do with it |

    4. relevant: ids of the passages that a summary should be made of, best first.
    5. gaps: each need that no passage meets, with its kind: threshold (a value), date, definition, provision (a cited
       place), subject (a topic without any rule). wanted holds the words to search for, taken from the criterion.
       No gap: [].
    """

    criterion: str = dspy.InputField()
    reference: CitedSource = dspy.InputField()
    passages: list[PassageView] = dspy.InputField()
    guidance: str = dspy.InputField(desc=_GUIDANCE)
    confidence: float = dspy.OutputField(desc="from 0 to 1")
    relevant: list[str] = dspy.OutputField(desc="ids of passages")
    gaps: list[Gap] = dspy.OutputField()


class RefineQuery(dspy.Signature):
    """Write a sharper search question that goes for what the last search did not find.

    1. Keep the subject of the original question and drop what has been found or is too general.
    2. Put the missing thing first, in the words in which an act would print it: "means" for a definition, comparison
       words and unit for a value, "by" or "from" for a date, the place itself for a provision.
    3. Name no act, article or annex that neither the original question nor the gaps name.
    4. Reply with the question alone: one sentence, no preamble.
    """

    original_query: str = dspy.InputField()
    gaps: list[Gap] = dspy.InputField()
    guidance: str = dspy.InputField(desc=_GUIDANCE)
    query: str = dspy.OutputField(desc="one sentence")


class SummarisePassages(dspy.Signature):
    """Summarise what the passages require with regard to the criterion, so that nobody needs to open the act.

    1. Keep what bears on the criterion: duties, limit values, dates, definitions, conditions, exceptions, methods.
       Leave out the rest.
    2. summary: two to five sentences that stand alone, naming the provisions that they report.
    3. key_facts: one duty, condition, exception or definition each, with the address of its provision.
    4. thresholds: every number that bears on the criterion, with its comparison words and unit, and every date, as
       printed ("10 000", "0,7", "31 March 2027"), each with its address.
    5. quotes: the decisive words, copied letter by letter, under 100 words each, with their address.
    6. State nothing that the passages do not say. A number, date, article or annex that stands in none of them is an
       error even if it is true. Do not turn "at most" into "at least", nor "may" into "shall".
    7. address: copied from the addresses of the passage.
    8. confidence: 0.9 and above if the passages state the rule itself, below 0.7 if they hardly bear on the criterion.
       If nothing does, say so in one sentence and leave the lists empty.
    """

    criterion: str = dspy.InputField()
    reference: CitedSource = dspy.InputField()
    passages: list[PassageView] = dspy.InputField()
    guidance: str = dspy.InputField(desc=_GUIDANCE)
    summary: str = dspy.OutputField()
    key_facts: list[Located] = dspy.OutputField()
    thresholds: list[Located] = dspy.OutputField()
    quotes: list[Located] = dspy.OutputField()
    confidence: float = dspy.OutputField(desc="from 0 to 1")
