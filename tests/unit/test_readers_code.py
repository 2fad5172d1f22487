"""Source code, cut by function: every line is kept, with its number, under the names of what it stands in."""

from __future__ import annotations

import pytest
from tests.fixtures.tokenizers import WordTokenizer
from tests.unit.test_readers_texts import read

from terrarium.chunks.chunking import ChunkSettings, chunk_document
from terrarium.definitions import signature

PYTHON = '''"""Fees."""
import math

LIMIT = 8


# Rounds up.
@cached(
    size=2,
)
def fee(days):
\treturn math.ceil(days)


class Rates(Base):
    """By grade."""

    # In euros.
    def grade_a(self):
        def inner():
            return 52
        return inner()

    async def grade_b(self):
        return 41

    last = 3


print(fee(3))
'''
TYPESCRIPT = """import x from "y";

/**
 * Adds.
 */
export const add = (a: number, b: number): number => {
  if (a) { return 1; }
  return b;
};

@Injectable()
export class Repo<T> extends Base {
  private items: T[] = [];

  async save(item: T): Promise<void> {
    for (const i of this.items) {
      call(i);
    }
  }
}
run();
"""
JAVA = """package a.b;

/** Fees. */
@Service
public class Fees {
    private int max = 8;

    public Fees(int x) {
        this.x = x;
    }

    @Override
    public List<String> names(int a,
                              int b) throws X {
        if (a) { return null; }
    }
}
"""
C = """#include <stdio.h>
int helper(int);

/* Names
   it. */
static char *name(void)
{
    return "x";
}

int main(int argc, char **argv) {
    return helper(1);
}
"""
GO = "package main\n\n// Save saves.\nfunc (r *Repo) Save(x int) error {\n\treturn nil\n}\n\nfunc main() {\n}\n"
RUST = "#[derive(Debug)]\npub struct Fee { x: i32 }\n\nimpl Show for Fee {\n    fn fmt(&self) {\n        1\n    }\n}\n"
RUBY = "module Fees\n  class Rate\n    # doc\n    def value(x)\n      x\n    end\n  end\nend\n"
PHP = "<?php\nfinal class Fee\n{\n    public function rate(int $x): int\n    {\n        return $x;\n    }\n}\n"
CSHARP = (
    "namespace App\n{\n    public class Fee : IFee\n    {\n        [Get]\n        public int Rate(int a)\n        {\n"
    "            return 1;\n        }\n    }\n}\n"
)
SHELL = "set -e\n\n# Builds.\nbuild() {\n  make\n}\n\nfunction deploy {\n  scp x\n}\n\nbuild\n"
SQL = (
    "-- Fees\nCREATE TABLE fees (\n  id INT\n);\n\ncreate or replace function rate(x INT)\nRETURNS INT\nAS $$\nBEGIN\n"
    "  RETURN 1;\nEND;\n$$;\n\nINSERT INTO fees VALUES (1);\n"
)
DAMAGED = "def area(r)\n    return 1\n\nclass Foo:\n    def bar(self):\n        pass\n\nx = 3\n"
TOML = 'title = "x"\n\n[server]\nport = 80\n\n# people\n[[users]]\nname = "a"\n'


def named(source: str, name: str) -> list[tuple[int, str]]:
    return [(block.level, signature(block.text) if block.level else "") for block in read(source, name).blocks]


@pytest.mark.parametrize(
    ("source", "name", "found"),
    [
        (PYTHON, "a.py", [(0, ""), (1, "def fee"), (1, "class Rates"), (2, "def grade_a"), (2, "async def grade_b"),
                          (1, ""), (0, "")]),
        (TYPESCRIPT, "a.ts", [(0, ""), (1, "export const add"), (1, "export class Repo<T>"),
                            (2, "async save"), (0, "")]),
        (JAVA, "A.java", [(0, ""), (1, "public class Fees"), (2, "public Fees"), (2, "public List<String> names")]),
        (C, "a.c", [(0, ""), (1, "static char *name"), (1, "int main")]),
        (GO, "a.go", [(0, ""), (1, "func (r *Repo) Save"), (1, "func main")]),
        (RUST, "a.rs", [(1, "pub struct Fee"), (1, "impl Show for Fee"), (2, "fn fmt")]),
        (RUBY, "a.rb", [(1, "module Fees"), (2, "class Rate"), (3, "def value")]),
        (PHP, "a.php", [(0, ""), (1, "final class Fee"), (2, "public function rate")]),
        (CSHARP, "a.cs", [(1, "namespace App"), (2, "public class Fee"), (3, "public int Rate")]),
        (SHELL, "a.sh", [(0, ""), (1, "build"), (1, "function deploy"), (0, "")]),
        (SQL, "a.sql", [(1, "CREATE TABLE fees"), (1, "create or replace function rate"), (0, "")]),
        (DAMAGED, "a.py", [(1, "def area"), (1, "class Foo"), (2, "def bar"), (0, "")]),
        (TOML, "a.toml", [(0, ""), (1, "server"), (1, "users")]),
        ("x = 1\n", "a.lua", [(0, "")]),
    ],
)  # fmt: skip
def test_functions_and_classes_are_blocks_and_no_line_is_lost(source, name, found):
    assert named(source, name) == found
    document = read(source, name)
    assert document.text == source.expandtabs(4).strip("\n")
    lines = source.expandtabs(4).split("\n")
    for block in document.blocks:
        assert block.kind == "code"
        assert block.text.split("\n") == lines[block.row - 1 :][: block.text.count("\n") + 1]


def test_comments_and_decorators_stay_with_what_they_stand_above():
    blocks = [block.text.strip("\n") for block in read(PYTHON, "a.py").blocks]
    assert blocks[1].startswith("# Rounds up.\n@cached(\n    size=2,\n)\ndef fee")
    assert blocks[3].startswith("    # In euros.\n    def grade_a")
    assert read(C, "a.c").blocks[1].text.strip().startswith("/* Names\n   it. */\nstatic char")
    assert read(TYPESCRIPT, "a.ts").blocks[1].text.strip().startswith("/**\n * Adds.")


def test_chunks_stand_under_the_names_of_their_functions():
    settings = ChunkSettings(target=30, maximum=60, tiny=3)
    chunks = chunk_document(read(PYTHON, "fees.py"), WordTokenizer(), settings)
    paths = {chunk.headings: chunk.text for chunk in chunks}
    assert "return 52" in paths["class Rates", "def grade_a"]
    assert "last = 3" in paths["class Rates",]
    assert "print(fee(3))" in paths[()]
    assert all("grade_b" not in text for path, text in paths.items() if path[-1:] == ("def grade_a",))


def test_small_functions_share_a_chunk_under_what_they_have_in_common():
    source = "class A:\n" + "".join(f"    def f{i}(self): return {i}\n" for i in range(4))
    settings = ChunkSettings(target=60, maximum=80, tiny=20)
    assert {chunk.headings for chunk in chunk_document(read(source, "a.py"), WordTokenizer(), settings)} == {
        ("class A",)
    }


@pytest.mark.parametrize("source", ["(" * 100_000, "x = " + "-" * 100_000 + "1", "int " * 50_000 + "f(", "*&" * 50_000])
def test_hostile_sources_are_read_all_the_same(source):
    for name in ("a.py", "a.c"):
        assert read(source, name).text == source
