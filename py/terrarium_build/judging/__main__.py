"""The steps, each of which keeps its result in the work folder; see the package's docstring."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from terrarium.judging.judge import read_profiles
from terrarium.retrieval.funnel import Retriever

from . import sets
from .collect import RERANKED, answers, open_set, read_rows, write_rows
from .fit import PROFILES, Rows, fit
from .report import Row, table
from .sets import JudgeSet
from .steps import HEAD, by_document
from .steps import table as steps_table
from .toml import written

MULTILINGUAL = "e5-small"
# By embedder the sets whose development questions each profile is fitted on.
FITTED_ON = {
    "reranked": (RERANKED, ("nq", "clapnq", "squad2", "manuals")),
    "dense": (MULTILINGUAL, ("nq", "manuals", "cmrc")),
    "words": (RERANKED, ("nq", "clapnq", "squad2", "manuals")),
    "meaning": (MULTILINGUAL, ("nq", "manuals", "cmrc")),
}
WHOLLY = {"nq", "manuals", "cmrc"}  # sets of which no question is reported as a test


class Work:
    """The folders, and what the steps share."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.data: Path = args.data
        self.manuals: Path = args.manuals
        self.work: Path = args.work
        self.models: Path | None = args.models
        self.toml: Path = args.out
        self.only: list[str] = args.sets
        self.work.mkdir(parents=True, exist_ok=True)

    def sets(self) -> dict[str, Callable[[], JudgeSet]]:
        rag, train = self.data / "data" / "rag", self.data / "train"
        e2e = self.data / "e2e"
        plain: dict[str, Callable[[], JudgeSet]] = {
            "nq": lambda: sets.natural_questions(train, 250),
            "clapnq": lambda: sets.clapnq(rag / "clapnq_dev.jsonl"),
            "squad2": lambda: sets.squad2(rag / "squad2_dev_ctx6_2000.jsonl", 600),
            "manuals": lambda: sets.manuals(self.manuals),
            "cmrc": lambda: sets.cmrc(rag / "cmrc2018_dev.jsonl", 400),
            "e2e": lambda: sets.question_set(e2e / "questions.jsonl", e2e / "docs", "e2e"),
        }
        strangers = {"clapnq": "manuals", "squad2": "nq", "manuals": "nq"}
        found = dict(plain)
        for name, other in strangers.items():
            found[name] = lambda name=name, other=other: sets.with_strangers(plain[name](), [plain[other]()])  # type: ignore[misc]
        return {name: make for name, make in found.items() if not self.only or name in self.only}

    def rows(self, embedder: str, name: str) -> Path:
        return self.work / f"{embedder}.{name}.jsonl"

    def development(self, embedder: str, names: Sequence[str]) -> Rows:
        return [
            row
            for name in names
            for row in read_rows(self.rows(embedder, name))
            if row["signals"] and (name in WHOLLY or row["development"])
        ]


def collect_step(work: Work) -> None:
    for embedder in (RERANKED, MULTILINGUAL):
        wanted = {name for one, names in FITTED_ON.values() if one == embedder for name in names} | {"e2e"}
        for name, make in work.sets().items():
            if name in wanted:
                rows = asyncio.run(answers(make(), embedder, work.models, work.work / "embeddings"))
                write_rows(rows, work.rows(embedder, name))
                print(f"{embedder}, {name}: {len(rows)} questions", flush=True)


def fit_step(work: Work) -> None:
    fitted = {}
    for profile, (embedder, names) in FITTED_ON.items():
        signals = PROFILES[profile]
        rows = [row for row in work.development(embedder, names) if all(signal in row["signals"] for signal in signals)]
        fitted[profile] = (fit(rows, signals), embedder, rows)
    work.toml.write_text(written(fitted), encoding="utf-8")


def report_step(work: Work) -> None:
    for profile, (embedder, names) in FITTED_ON.items():
        one = read_profiles(work.toml.read_text(encoding="utf-8"))[profile]
        named: dict[str, list[Row]] = {}
        for name in filter(lambda name: work.rows(embedder, name).exists(), [*names, "e2e"]):
            half = {True: ", development", False: ", test"} if name not in {*WHOLLY, "e2e"} else {}
            for row in read_rows(work.rows(embedder, name)):
                if set(one.weights) <= row["signals"].keys():
                    named.setdefault(row["set"] + half.get(row["development"], ""), []).append(row)
        print(f"{profile} ({embedder})\n\n{table(named, one)}\n", flush=True)


def steps_step(work: Work) -> None:
    """What the corrective steps add, with the judge as the engine has it."""
    print(HEAD)
    for name, make in work.sets().items():
        if name not in FITTED_ON["reranked"][1]:
            continue
        one = make()

        async def measured(one: JudgeSet = one) -> None:
            library, reranker = await open_set(one, RERANKED, work.models, work.work / "embeddings")
            for half in (True, False):
                cases = [case for case in one.cases if sets.is_development(case.id) is half]
                label = f"{one.name}, {'development' if half or one.name in WHOLLY else 'test'}"
                print(await steps_table(label, library, Retriever(library, reranker), cases, by_document), flush=True)

        asyncio.run(measured())


STEPS = {"collect": collect_step, "fit": fit_step, "report": report_step, "steps": steps_step}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m terrarium_build.judging", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds data, train and e2e")
    parser.add_argument("--manuals", type=Path, required=True, help="manuals with lists of frequent questions")
    parser.add_argument("--work", type=Path, required=True, help="where each step keeps what it made")
    parser.add_argument("--models", type=Path, help="the converted models; by default where the build leaves them")
    parser.add_argument("--out", type=Path, default=Path("py/terrarium/judging/judge.toml"), help="what `fit` writes")
    parser.add_argument("--sets", nargs="*", default=[], help="only these sets")
    parser.add_argument("steps", nargs="+", choices=STEPS)
    args = parser.parse_args()
    work = Work(args)
    for step in args.steps:
        STEPS[step](work)


if __name__ == "__main__":
    main()
