"""Stage 7: rule summaries (paper appendix D.12)."""

import dspy

from signatures.types import ActivityEntry, CriterionFacts, CriterionView, SummaryItem, UnitHeader


class SummariseRules(dspy.Signature):
    """State the rule of each criterion in one or two sentences of your own that stand alone.

    A reader who sees nothing else must know who has to do what. Build on `facts`, which hold what was found out
    before, and on the text; add nothing that neither says.

    1. Full sentences with a subject, "must" for duties, "may" for permissions. Do not copy the sentence of the source;
       name the thing meant instead of "it", "this" or "the activity" where the context tells.
    2. Order by kind:

       | criterion | the summary |
       |---|---|
       | Conditional, or with dependencies | opens with the condition: "Where …", "If …", "Unless …", "For …" |
       | with limits | gives every limit: quantity, comparison, number, unit, period; all alternatives with "or" |
       | with dates or intervals | gives each: "by 31 December 2030", "every 5 years" |
       | with a method or reference | names act or standard with its pinpoint |
       | Verification | says who checks what, with the limit that is checked |
       | parent of others | says how many are needed: "all of (a) to (c)", "(a) or (b)", "at least 2 of (a) to (d)" |
       | container, such as 1(a-d) | says that its members must be met together, and on which pathway |
       | item of a list | repeats the subject of the chapeau: "The plan must contain …" |
       | heading | says what its children are about |
       | BackgroundInformation | states what is defined, permitted, exempted or done by others; no duty |
       | ROOT | names the activity or asset and the top-level criteria to be met |
       | "N/A" | says that no criterion applies |

    3. Numbers with decimal point ("0.42"), units as in the facts. Never "the threshold" or "the value" in place of a
       number that is known. Inherited limits are written out like own ones.
    4. Then append, if the facts have them, in this order:
       - [THRESHOLD_FROM:id] for threshold_from;
       - [CORR FROM:x TO:y REASON:crossref] for each correction. In the sentence itself use the corrected point.

    With nothing but a fragment to go on, write the shortest true sentence; the summary is never empty.
    """

    unit: UnitHeader = dspy.InputField()
    activity: list[ActivityEntry] = dspy.InputField(desc="what is known of the activity")
    criteria: list[CriterionView] = dspy.InputField()
    facts: list[CriterionFacts] = dspy.InputField()
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[SummaryItem] = dspy.OutputField(desc="one item per criterion asked for")
