"""Stands in for terrarium/engine.py in the page that `pages.probe_copy` makes: runs the Python that a test sends."""

from __future__ import annotations

from typing import Any


class Engine:
    def __init__(self, runtime: Any, store: Any, reader: Any, **options: Any) -> None:
        self.names = {"runtime": runtime, "store": store, "reader": reader, "options": options}

    async def handle(self, command: str, args: dict[str, Any], emit: Any) -> dict[str, Any]:
        if command != "run":
            return {"documents": [], "persistent": True, "notices": [], "models": {}}
        from pyodide.code import eval_code_async  # noqa: PLC0415

        return {"value": await eval_code_async(args["code"], self.names | {"args": args, "emit": emit})}
