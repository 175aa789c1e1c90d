"""An invented act on kilns as passages, and a criterion that cites it."""

from __future__ import annotations

from signatures.passages import CitedSource, PassageView

LIMITS = PassageView(
    id="p1",
    addresses=("art_4", "art_4/par_1", "art_4/par_2", "art_4/par_2/pnt_a", "art_4/par_2/pnt_b", "art_4/par_3"),
    context="Chapter II Kilns Article 4 Limits",
    text=(
        "Article 4 Limits\n"
        "1. Operators shall measure the dust of lime kilns every two years.\n"
        "2. The dust of lime kilns shall not exceed:\n"
        "(a) 10 mg/Nm3 for kilns of more than 5 MW;\n"
        "(b) 20 mg/Nm3 for other kilns, from 1 March 2031.\n"
        "3. Paragraph 2 does not apply to kilns that run for fewer than 100 hours a year."
    ),
)
TERMS = PassageView(
    id="p2",
    addresses=("art_2", "art_2/pnt_1", "art_2/pnt_2"),
    context="Chapter I General Article 2 Definitions",
    text=(
        "Article 2 Definitions\n"
        "(1) ‘lime kiln’ means a furnace that burns limestone at more than 900 °C;\n"
        "(2) ‘operator’ means whoever runs a furnace."
    ),
)
REPORTS = PassageView(
    id="p3",
    addresses=("art_9", "art_9/par_1"),
    context="Chapter III Reports Article 9",
    text="1. Member States shall send the Commission a report on fisheries by 30 June of each year.",
)
ACT = "Directive 2097/5/EU"
PARAGRAPH = CitedSource(text=f"Article 4(2) of {ACT}", celex_id="32097L0005", addresses=("art_4/par_2",))
WHOLE = CitedSource(text=ACT, celex_id="32097L0005")
CRITERION = f"2. The dust of lime kilns stays within the limits of {PARAGRAPH.text}."
