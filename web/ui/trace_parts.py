"""The parts of the dialog “How was this made”, by title, and the prompts in them. Imported when it is first opened."""

from ui.trace_funnel import Funnel
from ui.trace_judged import asked, judged
from ui.trace_ran import ran
from ui.trace_rows import texts
from ui.trace_waterfall import waterfall
from ui.trace_written import prompt, written

PARTS = (
    ("The question", asked),
    ("The way, and the time it took", waterfall),
    ("What was found, list by list", lambda record: Funnel(record).element),
    ("What the judge said", judged),
    ("What the writer read", prompt),
    ("What it wrote, and what is shown", written),
    ("What ran", ran),
)


def prompt_at(record: dict, place: int) -> str:
    return texts(record)[place]["prompt"]
