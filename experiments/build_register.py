"""Write `regreact/legal/register.json`: the acts that the delegated acts cite, with number and subject in a few words.

How to run me:  python experiments/build_register.py [DATA]
DATA holds `acts/` (default: $REGREACT_DATA, else ../shared/data); the annotated units are those of `data/gold`.
"""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from regreact.legal.acts import NAMED_ACTS, acts_with_number_behind, numbered_acts
from regreact.legal.celex import format_number, parse
from regreact.legal.register import PATH

ROOT = Path(__file__).resolve().parents[1]
# Longer subjects are cut: a register of names, not of titles.
WORDS = 8
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = rf"of \d{{1,2}} ?(?:{_MONTH}) \d{{4}}"
_BY = r"(?:OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL |of the European Parliament and of the Council )?"
# The title of an act: its number (some print it behind), the date of adoption, the subject.
_HEAD = re.compile(
    r"(?P<type>regulation|directive|decision|recommendation)\b "
    rf"(?P<number>(?:\((?:EU|EC|EEC|Euratom)\) )?(?:No )?\d+/\d+(?:/[A-Z]+)?)? ?{_BY}{_DATE} (?P<subject>.{{10,400}})",
    re.I,
)
# "Directives 94/22/EC", "Regulation and (EU) 2018/956": an item of a list
_PLURAL = re.compile(r"^((?:\w+ )*(?:Regulation|Directive|Decision))s? (?:and )?")
_OWN_TITLE = re.compile(rf"^{_BY}{_DATE} (?P<subject>.+)")
# What opens a subject and says nothing of it.
_ACT = (
    r"(?:Council |Commission )?(?:Delegated |Implementing )?(?:Directive|Regulation|Decision)s?"
    r"(?: \((?:EU|EC|EEC)\))?(?: No)? [\d/A-Z]+(?: of the European Parliament and of the Council)?"
)
_OPENINGS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^on (?=implementing)",
        rf"^(?:implementing|supplementing|amending|replacing)(?: and amending)? {_ACT}"
        r"(?: (?=on\b|as regards|with re|establishing))?",
        r"^(?:on|concerning|relating to|regarding|as regards|with regard to|with respect to)\b ?",
        r"^(?:establishing|determining|setting|laying down)\b ?",
        r"^(?:the |common )*(?:rules|criteria|obligations|minimum requirements)\b[^,;]{0,40}? ?\b(?:on|for|of) ",
        r"^(?:the )?establishment of ",
        r"^(?:an? |the )",
        r"^framework for (?:the setting of |[Cc]ommunity action (?:in the field of |to achieve ))?",
        r"^(?:an? |the )",
    )
)
_UNDER = re.compile(
    r",? (?:under|pursuant to|in accordance with) (?:Articles? [\w()]+ of )?(?:Council )?(?:Directive|Regulation)[^,]*?"
    r"(?:Council|\d/\w+)(?: on industrial emissions)?,?(?= for )"
)
_END = re.compile(
    r",? (?:and |or )?(?:subsequently )?(?:amending|repealing|approving|pursuant to|under|in accordance with|"
    r"within the meaning|applicable|in particular)\b"
    r"|[;(.]|,? THE (?:EUROPEAN|COUNCIL|COMMISSION)| Official Journal|(?<=[a-z])THE | - |, $|,$"
)
_SMALL_END = re.compile(
    r"(?:,? (?:of|on|for|and|or|the|to|in|into|by|from|with|within|a|an|their|its|when|which|at|as|certain|regard|"
    r"respect)|,)+$"
)


def subject(title: str) -> str:
    """Return the subject of an act in a few words, "" if the title has none.

    Example:
        >>> subject("on the quality of lake water and repealing Directive 2001/3/EC")
        'quality of lake water'
    """
    title = _UNDER.sub("", title.replace("best available techniques (BAT)", "BAT"))
    for opening in _OPENINGS:
        title = opening.sub("", title)
    end = _END.search(title)
    words = (title[: end.start()] if end else title).split()
    return _SMALL_END.sub("", " ".join(words[:WORDS]))


def of_files(acts: Path) -> Iterator[tuple[str, str]]:
    """Yield CELEX id and subject ("" if the head is not read) of the acts that are at hand as files."""
    for path in sorted(acts.iterdir()):
        celex = path.name.partition(".")[0]
        if parse(celex) is None:
            continue
        if path.suffix == ".pdf":
            yield celex, ""
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        head = json.loads(text)["reference"][:4000] if path.suffix == ".json" else _plain(text[:60_000])
        yield celex, next((subject(s) for s in _subjects(celex, " ".join(head.split()))), "")


def _plain(markup: str) -> str:
    return re.sub(r"<[^>]*>|&#160;", " ", re.sub(r"(?s)<(script|style|head)\b.*?</\1>", " ", markup))


def _subjects(celex: str, head: str) -> Iterator[str]:
    """Yield what follows the date in the titles at the head of an act, its own first."""
    act = parse(celex)
    for match in _HEAD.finditer(head):
        if act is not None and match["type"].capitalize() == act.type:
            number = re.findall(r"\d+", match["number"] or "")
            if not number or str(act.number) in [n.lstrip("0") for n in number]:
                yield match["subject"]


def of_tables(acts: Path) -> Iterator[tuple[str, str, str]]:
    """Yield CELEX id, number as printed and subject of the acts in the tables of citations.

    The id is derived anew from the printed number: the tables were made by other means. A title counts only if the
    date of adoption opens it, else it belongs to another act named in the same footnote.
    """
    for path in sorted(acts.glob("celex_frequency*.tsv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                form = _PLURAL.sub(r"\1 ", row["most_common_form"])
                named = next(iter(numbered_acts(form)), None)
                if named is None or named.celex is None:
                    continue
                told = row.get("footnote_title") or ""
                again = told.rfind(f"{form.removeprefix('Council ').removeprefix('Commission ')} ")
                own = _OWN_TITLE.match(told[again + len(form) + 1 :] if again >= 0 else told)
                yield named.celex, named.title, subject(own["subject"]) if own else ""


def of_gold(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield CELEX id and number of the acts that annotated units cite by number."""
    for path in sorted(folder.glob("*.json")):
        for text, celex in _cited(json.loads(path.read_text(encoding="utf-8"))):
            for found in (*acts_with_number_behind(text), *numbered_acts(text)):
                if found.celex == celex:
                    yield celex, found.title


def _cited(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        if isinstance(value.get("celex_id"), str):
            yield str(value.get("text") or value.get("title") or ""), value["celex_id"]
        for inner in value.values():
            yield from _cited(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _cited(inner)


def build(data: Path, gold: Path = ROOT / "data/gold") -> dict[str, str]:
    """Return short titles by CELEX id, sorted."""
    numbers: defaultdict[str, Counter[str]] = defaultdict(Counter)
    subjects: dict[str, str] = {}
    for celex, about in of_files(data / "acts"):
        numbers.setdefault(celex, Counter())
        subjects[celex] = subjects.get(celex) or about
    for celex, number, about in of_tables(data / "acts"):
        numbers[celex][number] += 1
        subjects[celex] = subjects.get(celex) or about
    for celex, number in of_gold(gold):
        numbers[celex][number] += 1
    for celex in NAMED_ACTS.values():
        numbers.setdefault(celex, Counter())
    return {i: _title(i, numbers[i], subjects) for i in sorted(numbers)}


def _title(celex: str, printed: Counter[str], subjects: Mapping[str, str]) -> str:
    act = parse(celex)
    assert act is not None
    # Of forms that are equally common the longest says most ("Commission Regulation", "Regulation").
    number = max(printed, key=lambda form: (printed[form], len(form)), default=format_number(act))
    about = subjects.get(celex, "")
    return f"{number} on {about}" if about else number


def render(entries: Mapping[str, str]) -> str:
    """Return the file's text, one act a line."""
    return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("REGREACT_DATA", ROOT.parent / "shared/data")
    PATH.write_text(render(build(Path(folder))), encoding="utf-8")
    print(f"{PATH}: {len(json.loads(PATH.read_text(encoding='utf-8')))} acts")
