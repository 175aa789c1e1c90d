"""Words that several tag rules share, as parts of patterns."""

OTHERS = (
    r"(?:third[- ]part(?:y|ies)|authorit(?:y|ies)|inspectors?|bod(?:y|ies)|certifiers?|auditors?|verifiers?"
    r"|regulators?)"
)
PLAN = (
    r"(?:plans?|programmes?|strateg(?:y|ies)|polic(?:y|ies)|instruments?|agreements?|contracts?"
    r"|financing schemes?|roadmaps?)"
)
RECORD = r"(?:dossiers?|manuals?|registers?|logs?|log ?books?|records?|files?|charters?|handbooks?)"
# Written proof that is kept.
PAPERS = (
    r"(?:records?|reports?|certificates?|documents?|documentation|files?|results|evidence|invoices|receipts|minutes|data"
    r"|copies)"
)
STUDY = (
    r"(?:assessments?|analys[ei]s|stud(?:y|ies)|surveys?|investigations?|evaluations?"
    r"|(?<!technical )screenings?(?! criteria)|modelling"
    r"|comparisons?|comparative calculations?|simulations?)"
)
RULES_OF_OTHERS = (
    r"(?:criteri(?:a|on)|requirements?|conditions|rules|limits?|standards?|thresholds?|targets?"
    r"|classes|class|definition|guidelines?|practices|norms|laws?|legislation|principles|stage|regulations?"
    r"|directives?|conventions?|articles?|annex(?:es)?|sections?|appendix|protocol|code of conduct|ISO|EN|IEC|ecolabel)"
)
ACT = (
    r"(?:Directives?|Regulations?|Decisions?|Recommendations?|Articles?|Annex(?:es)?|Sections?|Appendix|Convention"
    r"|Protocol|Treaty|Table|Chapter|ISO|EN|IEC|CEN|HD)"
)
DOCUMENT = (
    r"(?:standards?|guidelines?|guidance|criteria|requirements?|rules|procedures?|protocols?|principles?|practices?"
    r"|techniques?|methodolog(?:y|ies)|methods?|strateg(?:y|ies)|objectives|recommendations?|norms|tests?"
    r"|reports|publications|specifications|conclusions|permits?|licen[cs]e|plans?|programmes?)"
)
