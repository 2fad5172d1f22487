"""Lines of source code that define something: how they look in the common languages, and the names that they give.

Told by looks, line by line; nothing is parsed. What a language calls by other words is not known.
"""

from __future__ import annotations

import re

MODIFIERS = (
    "export|default|declare|abstract|async|public|private|protected|internal|static|final|sealed|open|override|data|"
    r"inline|suspend|local|unsafe|const|pub(?:\([^)]*\))?|virtual|partial|readonly|extern(?: +\"[^\"]*\")?|global|lazy|"
    "case|implicit|constexpr|typedef|mutating|fileprivate|convenience|required"
)
HOLDERS = "class|interface|struct|enum|trait|impl|module|namespace|object|record|protocol|extension|mod|union"
HOLDER = re.compile(rf"\s*(?:(?:{MODIFIERS})\s+)*(?:{HOLDERS}|type\s+\w+\s+(?:struct|interface))\b(?!\s*[=.:;,(])")
NAMED = re.compile(
    rf"\s*(?:(?:{MODIFIERS})\s+)*(?:(?:{HOLDERS}|def|function\*?|func|fun|fn|sub|proc|procedure|type|macro_rules!)\s+"
    r"[\w$<(&'\"*]|impl<|class\s*\{)",
    re.IGNORECASE,
)
# "int area(": words of a type, a name, an opening bracket; constructors and GNU's style have the name alone.
TYPED = re.compile(r"\s*(?:[\w:<>\[\],.?@~]+[\s*&]+)*~?[A-Za-z_][\w:~]*(?:\s*<[^()]*>)?\s*\(")
STATEMENT = re.compile(
    r"\s*(?:if|for|foreach|while|switch|return|else|catch|do|new|throw|case|using|lock|goto|delete|sizeof|await|yield|"
    r"assert|with|when|try|synchronized|typeof|super|this|defined|and|or|not|in|end|print\w*|echo|import|include|from)\b"
)
# "const add = (a) =>", and methods, which JavaScript writes without any word before them.
ASSIGNED = re.compile(
    r"\s*(?:export\s+)?(?:const|let|var)\s+[\w$]+(?:\s*:[^=]+)?\s*=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|"
    r"[\w$]+\s*=>)|\s*[\w.]+\s*(?:<-|=)\s*function\s*\("
)
METHOD = re.compile(r"\s*(?:(?:static|async|get|set|public|private|protected|readonly|override)\s+)*[*#]?[\w$]+\s*\(")
SHELL = re.compile(r"\s*(?:function\s+)?[\w:.-]+\s*\(\)\s*\{?\s*$")
SQL = re.compile(
    r"\s*create\s+(?:or\s+replace\s+|temp\w*\s+|unique\s+|materialized\s+|external\s+)*"
    r"(?:table|view|function|procedure|trigger|index|type|package|schema|sequence)\b",
    re.IGNORECASE,
)
SECTION = re.compile(r"\[{1,2}[^\[\]]+\]{1,2}\s*(?:[#;].*)?$")
KEY = re.compile(r"(?!public|private|protected|default|try|else)[\w.\"'/-]+:\s*(?:#.*)?$")
KINDS = (NAMED, ASSIGNED, SQL, SHELL, SECTION, KEY)

COMMENT = re.compile(r"\s*(?:#(?!\[|define)|//|--|;|%|'|\*|/\*|\"\"\")")
MARK = re.compile(r"\s*(?:@|#\[|\[[A-Z]\w*[\](,]|template\s*<)")
RECEIVER = re.compile(r"func \([^()]*\) \w+")
VISIBLE = re.compile(r"^(pub)\([^()]*\)\s*")
NAME_ENDS = re.compile(r"\s*(?:[({]|=|:\s*(?:#.*)?$|:\s|;|\bAS\b|<-|->|\bextends\b|\bimplements\b|\bwhere\b|//)")
LONGEST = 80  # characters of a name


def is_mark(line: str) -> bool:
    """Whether the line belongs to what is defined under it: a comment, a decorator, an attribute."""
    return bool(COMMENT.match(line) or MARK.match(line))


def signature(text: str) -> str:
    """What a piece of code defines, as its first line that is no comment and no decorator says: "class Foo", "def bar";
    "" when it defines nothing."""
    inside = ""  # what ends the comment or the brackets that the line is in
    opened = 0
    for line in text.split("\n"):
        stripped = line.strip()
        if inside:
            opened += line.count("(") - line.count(")")
            ended = inside in line if inside == "*/" else opened <= 0
            inside = "" if ended else inside
        elif MARK.match(line):
            opened = line.count("(") - line.count(")")
            inside = ")" if opened > 0 else ""
        elif stripped.startswith("/*") and "*/" not in stripped:
            inside = "*/"
        elif stripped and not COMMENT.match(line):
            return name_in(stripped) if defines(stripped) else ""
    return ""


def defines(line: str) -> bool:
    typed = TYPED.match(line) and not STATEMENT.match(line) and not line.rstrip().endswith(";")
    return bool(typed or any(kind.match(line) for kind in KINDS))


def name_in(line: str) -> str:
    """Up to where the parameters, the body or the value begins."""
    if SECTION.match(line):
        return line.partition("]")[0].lstrip("[").strip()
    if received := RECEIVER.match(line):
        return received[0]
    line = VISIBLE.sub(r"\1 ", line)
    end = NAME_ENDS.search(line, 1)
    return " ".join(line[: end.start() if end else len(line)].split())[:LONGEST]
