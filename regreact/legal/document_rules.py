"""The forms in which documents outside the law of the Union are cited, one rule each with an example."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.legal.model import CitationKind
from regreact.screen import Screened

SP = r"[ \u00a0]"

# Bodies that set standards or publish definitions, guidance and reports.
BODIES = (
    "FAO", "ICAO", "IMO", "IPCC", "IUCN", "WHO", "IFC", "IAEA", "WENRA", "OECD", "EMA", "UNECE", "UNEP", "UNESCO",
    "ILO", "ICNIRP", "ITU", "ICRC", "ECHA", "GSTC", "UNFCCC", "CBD",
)  # fmt: skip
# "International Civil Aviation Organization (ICAO)", "Intergovernmental Panel on Climate Change", "Forest Europe"
_LONG_BODY = (
    rf"(?:International|European|World|Industry){SP}(?:[A-Z][\w-]+{SP}(?:(?:for|of|on|and){SP})?){{1,4}}\([A-Z]{{2,7}}\)|"
    rf"Intergovernmental{SP}Panel{SP}on{SP}Climate{SP}Change(?:{SP}\(IPCC\))?|Forest{SP}Europe|"
    rf"European{SP}Medicines{SP}Agency"
)
BODY = rf"(?:{_LONG_BODY}|(?:{'|'.join(BODIES)})(?:{SP}[A-Z]{{3,5}})?)"

# (A longer run of letters and digits is no word of a name; reading it from each of its letters takes the time squared.)
CAP = r"(?:[A-Z0-9][\w&’'./-]{0,60}(?<![.’'])|&|\([A-Z]{2,7}\))"
SMALL = r"(?:of|on|for|the|and|to|in|with|concerning|de|from|by)"
# Capitalised words before a head noun, small words and a comma of an enumeration between them.
_LINK = rf"(?:of|on|for|and|to|in|with|concerning|de|from|by)(?:{SP}(?:the|a))?"
_PREFIX = rf"(?:{CAP}(?:,{SP}(?:and{SP})?(?=[A-Z])|{SP}(?:{_LINK}{SP})?))"


@dataclass(frozen=True, slots=True)
class DocumentRule:
    """A form in which documents are cited.

    Attributes:
        name: What the rule is about.
        kind: Kind of the citation.
        pattern: What is matched; a group `name` narrows it to the citation.
        example: A citation that the rule finds.
        extend: Whether the name goes on behind the match ("Guidelines for …").
    """

    name: str
    kind: CitationKind
    pattern: Screened
    example: str
    extend: bool = False


# "HD" is a harmonisation document of CENELEC, "CWA" a workshop agreement of CEN, "prEN" a draft.
_STANDARD_BODIES = r"(?:pr)?EN|HD|CWA|CEN|CLC|CENELEC|CEN/CENELEC|ISO|IEC|IEEE|ETSI|ITU[-–]T|ASTM|DIN|IPC"
_STANDARD_TYPES = r"EN|ISO|IEC|TS|TR|ES|PAS|CLC|WD"

RULES: tuple[DocumentRule, ...] = (
    DocumentRule(
        "standard",
        "standard",
        Screened(
            rf"(?<![\w/])(?:CEN-CENELEC{SP}document{SP})?(?:{_STANDARD_BODIES})(?:[/ \u00a0](?:{_STANDARD_TYPES}))*"
            rf"{SP}?(?:[Ss]tandards?{SP}?)?(?:[A-Z]\.|[A-Z]-[A-Z]+-)?"
            rf"\d{{3,6}}(?:-\d+)*(?:{SP}\d{{3}}\b)?(?::{SP}?\d{{4}})?(?:\(en\))?"
        ),
        "EN ISO 14024:2018",
    ),
    DocumentRule(
        "Level(s) indicators",
        "standard",
        Screened(rf"Level\(s\){SP}indicators?{SP}\d+\.\d+(?:(?:\(\d{{1,3}}\))?(?:,|{SP}(?:and|or)){SP}\d+\.\d+)*"),
        "Level(s) indicators 2.3 and 2.4",
    ),
    DocumentRule(
        "Level(s) framework",
        "document",
        Screened(rf"Level\(s\){SP}common{SP}EU{SP}framework(?:{SP}for{SP}indicator{SP}\d\.\d)?"),
        "Level(s) common EU framework for indicator 1.2",
    ),
    DocumentRule(
        "BAT conclusions",
        "document",
        Screened(rf"(?:best{SP}available{SP}techniques?{SP}\(BAT\){SP}|\bBAT{SP})conclusions"),
        "best available techniques (BAT) conclusions for waste treatment",
        extend=True,
    ),
    DocumentRule(
        "BAT reference document",
        "document",
        Screened(
            rf"Best{SP}Available{SP}Techniques{SP}(?:\(BAT\){SP})?Reference{SP}Documents?(?:{SP}\(BREF\))?", re.I
        ),
        "Best Available Techniques Reference Document (BREF) for the production of polymers",
        extend=True,
    ),
    DocumentRule(
        "treaty",
        "convention",
        Screened(
            rf"(?:(?<=[\d)]{SP})|\b)(?:Euratom{SP}Treaty|TFEU\b|Treaty{SP}(?:establishing|on){SP}the{SP}"
            rf"{CAP}(?:{SP}(?:{SMALL}{SP})*{CAP})*(?:{SP}\(‘[^’]+’\))?)"
        ),
        "the Euratom Treaty",
    ),
    DocumentRule(
        "communication or notice",
        "document",
        Screened(
            rf"(?:(?:European{SP})?Commission{SP}[Nn]otice|Communication{SP}from{SP}the{SP}Commission|"
            rf"Commission{SP}(?:[Ss]taff{SP}[Ww]orking{SP}[Dd]ocument|Communication))"
            rf"(?:(?!\b(?:is|are|which)\b)[^.;]){{0,20}}?(?:{SP}(?:to|on|–|of)[^.;‘“]{{0,170}}?)?"
            rf"(?:[‘“][^’”]+[’”]|(?=\(\d{{1,3}}\))|\(?\d{{4}}/C{SP}\d+/\d+\)?)|"
            rf"Communication{SP}from{SP}the{SP}Commission[^;]{{0,320}}?COM[(/]\d{{4}}[)/]{SP}?\d+(?:{SP}final)?\)?|"
            rf"COM[(/]\d{{4}}[)/]{SP}?\d+(?:{SP}final)?"
        ),
        "Communication from the Commission of 3 May 2019 on ‘A Strategy for Lakes’",
    ),
    DocumentRule(
        "recommendation or decision named by subject",
        "document",
        Screened(
            rf"(?:Council|Commission){SP}(?:Implementing{SP}|Delegated{SP})?(?:[Rr]ecommendation|Decision|Regulation|Directive){SP}"
            rf"on{SP}[^.;()]{{5,160}}(?:\([^()\d][^()]*\)|\(\d+{SP}Hz[^()]*\))?(?=\(\d{{1,3}}\))"
        ),
        "Council Recommendation on the limitation of noise(12)",
    ),
    DocumentRule(
        "definition or report of a body",
        "document",
        Screened(
            rf"(?:(?:most{SP}recent|latest){SP})?\b{BODY}{SP}"
            rf"(?:(?:[Ii]ndustry|[A-Z]{{3}}){SP})?(?:definitions?|standards?|reports?|guidelines?|handbook|recommendations?)\b(?!{SP}(?:{_STANDARD_BODIES})\b)"
            rf"(?:{SP}of{SP}(?:‘[^’]+’|\w+)|{SP}Q\d\w?(?:{SP}\(R\d\))?)?"
        ),
        "FAO definition of forest",
        extend=True,
    ),
    DocumentRule(
        "guidance of a body",
        "document",
        Screened(
            rf"international{SP}guidance{SP}(?:of|from|through|by){SP}the{SP}(?:{BODY}|[A-Z][\w ]+\(‘[A-Z]+’\))"
            rf"(?:{SP}and{SP}(?:the{SP})?(?:{BODY}|[A-Z][\w’ ]+\(‘[A-Z]+’\)))?"
        ),
        "international guidance of the IAEA and WENRA",
    ),
    DocumentRule(
        "as defined by a body",
        "document",
        Screened(rf"\b(?:the|an?){SP}(?P<name>[a-z]+(?:{SP}[a-z]+){{0,3}}{SP}as{SP}defined{SP}by{SP}(?:the{SP})?{BODY})"),
        "permanent forest estate as defined by the FAO",
    ),
    DocumentRule(
        "dated requirements",
        "document",
        Screened(rf"\b[A-Z]{{3,6}}{SP}requirements{SP}applicable{SP}on{SP}\d{{1,2}}{SP}[A-Z][a-z]+{SP}\d{{4}}"),
        "EEDI requirements applicable on 1 April 2022",
    ),
    DocumentRule(
        "emission class",
        "document",
        Screened(rf"\bE(?:uro|URO){SP}(?:[IVX]+|\d)\w?{SP}standards?"),
        "Euro V standards",
    ),
    DocumentRule(
        "index used for calculation",
        "document",
        Screened(rf"(?:using|with){SP}the{SP}(?P<name>(?:{_PREFIX}|\([A-Z]+\){SP})+(?:Index|Indicator)(?:{SP}\([A-Z]{{3,6}}\))?)(?!(?:{SP}?\(\w+\)){{0,2}}{SP}rating)"),
        "calculated using the International Maritime Organization (IMO) Energy Efficiency Design Index (EEDI)",
    ),
    DocumentRule(
        "tool",
        "document",
        Screened(rf"(?:using|with|or|and){SP}the{SP}(?P<name>[A-Z][\w-]*(?:{SP}[A-Z][\w-]*)?{SP}tool)\b"),
        "calculated using the G-res tool",
    ),
    DocumentRule(
        "survey",
        "document",
        Screened(rf"\b[A-Z]{{2,6}}(?:{SP}[A-Z]{{3,8}})*{SP}[Ss]urvey\b"),
        "EU LUCAS survey",
    ),
    DocumentRule(
        "another instrument",
        "document",
        Screened(rf"(?<=\bor{SP}in{SP})(?P<name>another{SP}instrument)\b"),
        "the plan referred to in Article 3 of Regulation (EU) 2018/1999 or in another instrument",
    ),
    DocumentRule(
        "label",
        "document",
        Screened(rf"\bEU{SP}Eco-?[Ll]abel(?:{SP}criteria)?|\bISO{SP}type{SP}(?:1|I){SP}ecolabel|\b[A-Z]{{3,5}}{SP}label"),
        "EU Ecolabel for tourist accommodation",
        extend=True,
    ),
    DocumentRule(
        "performance standard",
        "document",
        Screened(rf"\bIFC{SP}Performance{SP}Standards?{SP}\d(?::{SP}[A-Z][\w{SP[1:-1]},-]+?(?=[.;(]|$))?"),
        "IFC Performance Standard 1: Assessment and Management of Environmental and Social Risks",
    ),
    DocumentRule(
        "standard of a body",
        "document",
        Screened(
            rf"(?:Volume{SP}\d{SP}(?:\([^()]+\){SP})?of{SP}the{SP})?"
            rf"(?:\b(?!the\b|of\b|with\b)[a-z]+{SP}){{0,3}}\bstandard{SP}of{SP}the{SP}{BODY}"
        ),
        "environmental protection standard of the ICAO",
    ),
    DocumentRule(
        "requirements agreed by a body",
        "document",
        Screened(rf"\b[A-Z]{{3,6}}{SP}requirements{SP}(?:applicable{SP}on{SP}\d{{1,2}}{SP}[A-Z][a-z]+{SP}\d{{4}}{SP})?(?:(?:defined|specified){SP}as{SP}[^.;]{{5,90}}?,{SP})?(?:as{SP})?(?:agreed|adopted){SP}by{SP}the{SP}[^.;,]+"),
        "EEDI requirements as agreed by the Lakes Committee at its third session",
    ),
    DocumentRule(
        "certification scheme",
        "document",
        Screened(
            rf"(?P<name>Forest{SP}Stewardship{SP}Council(?:{SP}\(FSC\))?|Rainforest{SP}Alliance)|"
            rf"{_PREFIX}{{0,6}}(?:Audit|Certification|Endorsement|Labelling){SP}Schemes?(?:{SP}\([A-Z][\w ]+\))?"
        ),
        "EU Eco-Management and Audit Scheme (EMAS)",
    ),
    DocumentRule(
        "guidelines of a convention",
        "document",
        Screened(rf"{_PREFIX}{{0,4}}Convention’s{SP}(?:[a-z]+{SP}and{SP})?(?:guidelines|principles)"),
        "Lakes Convention’s principles and guidelines on shore restoration",
        extend=True,
    ),
    DocumentRule(
        "resolution by number",
        "document",
        Screened(
            rf"\b(?:[Rr]esolution{SP}(?:[IVXL]+[./]\d+|[A-Z]{{1,5}}\.\d+\(\d+\))|Resolution{SP}\d+/\d+)"
            rf"(?:{SP}\(\d{{4}}\))?(?:{SP}of{SP}the{SP}{_PREFIX}{{1,6}}(?:Convention|Agreement))?"
        ),
        "resolution IX/4 of the Lakes Convention",
    ),
    DocumentRule(
        "convention",
        "convention",
        Screened(rf"{_PREFIX}{{0,7}}(?:Convention|Agreement)s?(?:{SP}\(\d{{4}}\))?(?!{SP}on{SP}behalf)(?:’s(?=\b))?"),
        "the Minamata Convention on Mercury",
        extend=True,
    ),
    DocumentRule(
        "circular of the IMO",
        "document",
        Screened(r"\b(?:MEPC|MSC|FAL|LEG|BWM|CCC|SSE)(?:\.\d{1,2})?/Circ\.[ \u00a0]?\d+"),
        "MEPC.1/Circ.12",
    ),
    DocumentRule(
        "convention by short name",
        "convention",
        Screened(rf"\b(?:MARPOL|SOLAS)(?:{SP}Annex{SP}[IVX]+)?\b(?!{SP}Convention)"),
        "MARPOL Annex VI",
    ),
    DocumentRule(
        "protocol",
        "convention",
        Screened(rf"(?:Montreal|Kyoto|Nagoya|Cartagena|Gothenburg){SP}Protocol"),
        "Montreal Protocol on Substances that Deplete the Ozone Layer",
        extend=True,
    ),
    DocumentRule(
        "named document, head first",
        "document",
        Screened(
            rf"\b(?:Handbook|Manual|Guidelines?|Guidance|Guide|Charter|Code{SP}of{SP}(?:Conduct|Practice))"
            rf"(?={SP}(?:for|on|of|to){SP}(?:the{SP})?[A-Z][a-z])"
        ),
        "Handbook for Safe Lakes",
        extend=True,
    ),
    DocumentRule(
        "named plan or programme",
        "document",
        Screened(rf"\b(?:National|Regional|European|Union|EU){SP}(?:{CAP}{SP}){{1,4}}(?:Programme|Plan)\b(?:{SP}\d{{4}})?"),
        "National Lake Programme 2090",
    ),
    DocumentRule(
        "conclusions named by subject",
        "document",
        Screened(rf"\bconclusions{SP}(?:on|for){SP}[a-z][^.;:()]{{4,100}}(?=\(\d{{1,3}}\))"),
        "conclusions on techniques for lake mills(4)",
    ),
    DocumentRule(
        "named document",
        "document",
        Screened(
            rf"{_PREFIX}{{1,9}}(?:Guidelines?|Guidance|Protocol|Codes?{SP}of{SP}(?:Good{SP})?{CAP}(?:{SP}{CAP})*|Strategy|"
            rf"Reference{SP}Documents?|Global{SP}Standard|Performance{SP}Standard{SP}\d|Measurement{SP}Standards|"
            rf"[Rr]ecommended{SP}Classification|Red{SP}List|Handbook|Manual|Charter|Framework(?!{SP}(?:Directive|Regulation))|"
            rf"(?:Industry|Procurement){SP}Criteria|(?:Work{SP}Programme|WORK{SP}PROGRAMME)(?:{SP}\d{{4}}(?:{SP}?[–-]{SP}?\d{{4}})?)?|Categories{SP}System|Management{SP}Practice)(?:{SP}\([A-Z]{{2,8}}\))?"
        ),
        "2006 IPCC Guidelines for National Greenhouse Gas Inventories",
        extend=True,
    ),
)  # fmt: skip
