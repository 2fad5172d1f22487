"""How the page puts sizes, times, progress and results into words. Plain text in, plain text out."""

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from typing import Any

STAGES = {
    "reading": "Reading",
    "chunking": "Splitting into passages",
    "embedding": "Learning its meaning",
    "indexing": "Saving",
    "importing": "Taking in its documents",
    "recognising": "Recognising text",
    "waiting": "Waiting for another scan",
}

ASKING = {
    "queued": "Waiting for a question of the running check",
    "indexing": "Waiting for the first document",
    "understanding": "Reading the question with those before it",
    "searching": "Searching again in other ways",
    "reranking": "Ordering the passages",
    "loading": "Waiting for the writer",
    "reading": "Reading the passages",
    "writing": "Writing",
}

UNCOLLECTED = "documents in no collection"

KINDS = {
    "pdf": "PDF",
    "docx": "DOCX",
    "html": "HTML",
    "markdown": "MD",
    "text": "TXT",
    "epub": "EPUB",
    "json": "JSON",
    "csv": "CSV",
    "code": "CODE",
}

PLACES = {
    "wasm": "WebAssembly",
    "webgpu": "the graphics processor",
    "webgpu-f16": "the graphics processor in float16",
}

TIED = "\u00a0"  # no line break between a number and its unit
SHORTEST_LEFT_SHOWN = 2  # seconds: below, a countdown only flickers


def count(number: int, one: str, many: str = "") -> str:
    """`count(3, "page")` → "3 pages", thousands set apart."""
    noun = one if number == 1 else many or one + "s"
    return f"{number:,} {noun}"


def size(number: int) -> str:
    """Bytes as people read them, in powers of ten: 999 → "999 bytes", 1_500_000 → "1.5 MB"."""
    if number < 1000:
        return count(number, "byte")
    value = number / 1000
    units = ["kB", "MB", "GB"]
    while value >= 999.5 and len(units) > 1:
        value /= 1000
        units.pop(0)
    unit = units[0]
    return f"{value:.1f}{TIED}{unit}" if value < 9.95 else f"{value:.0f}{TIED}{unit}"


def seconds(value: float) -> str:
    """A measured time: 0.042 → "42 ms", 4.21 → "4.2 s", 75 → "1 min 15 s"."""
    if value < 0.9995:
        return f"{value * 1000:.0f}{TIED}ms"
    if value < 59.95:
        return f"{value:.1f}{TIED}s"
    whole = int(value + 0.5)
    return f"{whole // 60}{TIED}min {whole % 60}{TIED}s"


def time_left(value: float | None) -> str:
    """An estimate, rounded so that it does not pretend to be exact; "" when there is none or it is nearly over."""
    if value is None or value < SHORTEST_LEFT_SHOWN:
        return ""
    if value < 55:
        step = 1 if value < 10 else 5
        return f"about {int(value / step + 0.5) * step}{TIED}s left"
    return f"about {int(value / 60 + 0.5)}{TIED}min left"


def percent(done: float, total: float) -> int:
    """0–100; an unknown total counts as nothing done."""
    if not total or total <= 0:
        return 0
    return max(0, min(100, int(100 * done / total)))


def file_progress(stage: str, done: float, total: float, left: float | None) -> str:
    """One line for a file that is being added: "Learning its meaning · 40 % · about 20 s left"."""
    parts = [STAGES.get(stage, stage), f"{percent(done, total)}{TIED}%" if total else "", time_left(left)]
    return " · ".join(part for part in parts if part)


def counted(what: str, done: float, total: float) -> str:
    """ "Preparing the writer 40 %"; a total of at most one is no count and is left out."""
    return f"{what} {percent(done, total)}{TIED}%" if total and total > 1 else what


def ask_progress(stage: str, done: float, total: float) -> str:
    """One line for a question on its way: "Reading the passages 40 %"."""
    name = ASKING.get(stage, stage)
    return name if stage == "writing" else counted(name, done, total)


def pages(first: int | None, last: int | None = None, label: str = "") -> str:
    """Where a passage stands: "page 12", "pages 12–13", or "" for formats without pages; `label`: what they are called
    in their document, "iv"."""
    if not first:
        return ""
    if label:
        return f"{'pages' if last and last != first else 'page'} {label}"
    return f"pages {first}–{last}" if last and last != first else f"page {first}"


def listed(names: "list[str]") -> str:
    """ "A", "A or B", "A, B or C"."""
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part) if names else ""


def scope(chosen: "dict[str, set[str]]", added: str, infos: "list[dict[str, Any]]") -> str:
    """The documents that are asked, "" for all: "“contracts” · PDF · added in the past week". See scope.py."""
    parts = []
    documents = chosen["documents"]
    if len(documents) == 1:
        parts += [split_name(info["name"])[1] for info in infos if info["id"] in documents]
    elif documents:
        parts.append(count(len(documents), "document"))
    parts.append(listed([f"“{name}”" if name else UNCOLLECTED for name in sorted(chosen["collections"], reverse=True)]))
    parts.append(listed(sorted(KINDS.get(kind, kind.upper()) for kind in chosen["kinds"])))
    parts.append(f"added in the {added.lower()}" if added else "")
    return " · ".join(part for part in parts if part)


def document_line(info: "dict[str, Any]", files: int = 0) -> str:
    """What stands under a document's name: its length, as its format counts it, the files in it, and its size."""
    length = count(info["pages"], "page") if info.get("pages") else count(info.get("chunks") or 0, "passage")
    only_files = files and not (info.get("pages") or info.get("chunks"))
    parts = ["" if only_files else length, count(files, "file") if files else "", size(info["size"])]
    return " · ".join(part for part in parts if part)


def added(name: str, files: int) -> str:
    """ "Added offer.eml with 3 files in it."."""
    inside = f" with {count(files, 'file')} in it" if files else ""
    return f"Added {name}{inside}."


def removal(name: str, files: int) -> str:
    """ "Remove offer.eml and the 3 files in it?"; `files` are those that go with it."""
    inside = count(files, "file") if files > 1 else "file"
    return f"Remove {name} and the {inside} in it?" if files else f"Remove {name}?"


def taken_in(added: int, already: int) -> str:
    """What a library file brought: "12 documents added, 1 was there already."."""
    parts = [f"{count(added, 'document')} added" if added or not already else ""]
    parts.append(f"{count(already, 'document')} {'was' if already == 1 else 'were'} there already" if already else "")
    return ", ".join(part for part in parts if part) + "."


def split_name(name: str) -> tuple[str, str]:
    """ "contracts/2024/b.pdf" → ("contracts/2024", "b.pdf")."""
    folder, slash, file = name.rpartition("/")
    return (folder, file) if slash else ("", name)


def timing_line(evidence: float | None, first_word: float | None, whole: float) -> str:
    """Seconds from the question on, as the person lived them."""
    parts = [f"evidence after {seconds(evidence)}" if evidence is not None else ""]
    parts.append(f"first word after {seconds(first_word)}" if first_word is not None else "")
    parts.append(f"done in {seconds(whole)}")
    line = " · ".join(part for part in parts if part)
    return line[:1].upper() + line[1:]


def verdict(row: "dict[str, Any]") -> str:
    """One record of the self-test as a sentence or two."""
    model = row["model"].split("@")[0]
    place = f"{PLACES[row['backend']]} ({row['device']})" if row["device"] else PLACES[row["backend"]]
    if not row["passed"]:
        return f"{model} does not run on {place}. {row['reason']}"
    speed = f"reads {row['reading']:.0f}"
    if row["writing"]:
        speed += f" and writes {row['writing']:.1f}"
    if row["writing"] and not row["chosen"]:
        return f"{model} would run on {place}, but slower: {speed} tokens a second."
    return f"{model} is right on {place}: {speed} tokens a second."


def examples(infos: "list[dict[str, Any]]") -> list[str]:
    """Up to three questions that make sense for these documents without knowing what they say."""
    forms = ("What is “{}” about?", "Which limits or numbers does “{}” give?", "What does “{}” say must not be done?")
    titles: list[str] = []
    for info in infos:
        if len(titles) == len(forms):
            break
        if info.get("chunks") == 0:
            continue
        title = (info.get("title") or split_name(info["name"])[1]).strip()
        if 0 < len(title) <= 60 and title not in titles:
            titles.append(title)
    if not titles:
        return ["What are the main points?", "Which limits or numbers are given?"]
    return [form.format(titles[place % len(titles)]) for place, form in enumerate(forms)]
