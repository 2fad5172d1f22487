"""Requests to the assistant about itself: to leave the documents aside, to show the text that it works by.

Rules over the question in English, German, French, Spanish and Chinese. Such a request is refused whatever the
documents hold, so a rule is to match only what is addressed to the assistant: a command at the beginning of a clause,
or a question about *your* prompt. “How do I ignore files?” and “What does the system prompt in chapter 3 do?” are
ordinary questions. What they cannot see: a request in words that no rule has. It finds no evidence, as a rule, and is
refused by the judge.
"""

from __future__ import annotations

import re
from typing import Literal

from terrarium.questions.commands import AFTER_COMMAND, AND_COMMAND, CLAUSE_END, COMMAND

Demand = Literal["", "ignore", "instructions"]

_EN_THESE = (
    "(?:(?:all|any|everything|each|both|of|the|these|those|this|that|my|your|our|its|previous|prior|earlier"
    "|preceding"
    "|above|foregoing|former|initial|original|uploaded|given|provided|attached|stored|indexed|existing|other"
    r"|system)\s+)+"
)
_EN_THINGS = (
    r"(?:documents?|files?|sources?|passages?|context|library|instructions?|rules|guidelines|directions|directives"
    r"|orders|prompts?|messages?|evidence)"
)
_DE_THESE = (
    "(?:(?:alle[ns]?|die|der|den|dem|das|diese[nrs]?|meine[nr]?|deine[nr]?|ihre[nr]?|unsere[nr]?|bisherigen?"
    r"|vorherigen?|vorigen?|obigen?|früheren?|ursprünglichen?|hochgeladenen?|gegebenen?|von)\s+)+"
)
_DE_THINGS = (
    "(?:dokumente?n?|dateien|unterlagen|quellen|texte?n?|passagen|anweisung(?:en)?|anleitungen|regeln|vorgaben"
    "|instruktionen|prompts?|kontext)"
)
_FR_THESE = r"(?:(?:tou(?:s|tes?)|de|les|la|le|l'|ces|cette|mes|tes|vos|nos|des|du|précédente?s?|anciennes?)\s*)+"
_FR_THINGS = r"(?:documents?|fichiers?|sources?|passages?|contexte|instructions?|consignes?|règles|directives?)"
_ES_THESE = r"(?:(?:tod[oa]s?|de|los|las|la|el|est[oa]s|es[oa]s|mis|tus|sus|nuestros|anteriores|previas|previos)\s+)+"
_ES_THINGS = (
    "(?:documentos?|archivos?|ficheros?|fuentes|pasajes|contexto|instrucciones|indicaciones|reglas|directrices)"
)
_ZH_THINGS = "(?:文档|文件|资料|材料|来源|段落|上下文|指令|指示|说明|规则|提示词?|要求|内容)"
_ZH_COMMAND = "(?:^|[，。！？,;；:：\\n\\s]|请|然后|并且?|现在|你(?:必须|应该|可以|要|得))(?:你|请|先|把|将)*"
_ZH_OVER = "(?=$|[，。！？,.!?;；:：\\s]|吧|了|并|然后|直接|再|而|告诉|回答|，?用)"

_SHOW = (
    "(?:show|print|output|repeat|reveal|display|give|tell|recite|quote|copy|write|return|list|dump|echo|share"
    "|disclose|expose|leak|translate|summari[sz]e|paraphrase|rephrase|spell|type|say|state|describe)"
)
_YOUR_TEXT = (
    "(?:system|initial|original|hidden|secret|internal|exact|full|complete|entire|own|first|starting|underlying"
    "|developer"
    r"|base|pre-?)"
)
_EN_PROMPT = rf"your\s+(?:{_YOUR_TEXT}\s+)*(?:prompts?|system\s*(?:message|text|instructions?)|pre-?prompt)"
_EN_RULES = rf"your\s+(?:{_YOUR_TEXT}\s+)*(?:instructions?|guidelines|directives|rules|programming|configuration)"

_RULES: dict[Demand, tuple[str, ...]] = {
    "ignore": (
        rf"{AND_COMMAND}(?:ignore|disregard|forget(?: about)?|set aside|leave aside|skip|bypass|override|do not"
        "(?: use| read| look at| consult| rely on)|don['’]t (?:use|read|look at|consult|rely on)|stop (?:using"
        "|following))"
        rf"\s+{_EN_THESE}{_EN_THINGS}{AFTER_COMMAND}",
        rf"{AND_COMMAND}(?:ignore|disregard|forget)\s+(?:everything|anything|all|whatever"
        r"|what)\s+(?:that\s+)?(?:above|before"
        "|you (?:were|have been|are|know)|i (?:said|told|uploaded|gave)|in (?:the|my|these|those) (?:documents?"
        "|files?"
        r"|sources?))(?!\w)",
        rf"{COMMAND}(?:ignoring|disregarding|setting aside)\s+{_EN_THESE}{_EN_THINGS}{CLAUSE_END}",
        r"(?<!\w)without (?:using|consulting|looking at|reading|relying on|regard to)\s+(?:the|my|these|those|any"
        "|your)"
        rf"\s+(?:uploaded\s+)?(?:documents|passages|sources|library){CLAUSE_END}",
        r"(?<!\w)(?:use|using|from|with|by|rely on|out of)\s+(?:only\s+)?your\s+(?:own|general|inner|built-in"
        "|training"
        r"|world|background)\s+(?:general\s+)?(?:knowledge|memory|data|training)",
        rf"{AND_COMMAND}(?:vergiss|vergessen sie|ignoriere|ignorieren sie|missachte|beachte nicht|übergehe)\s+"
        rf"(?:bitte\s+)?{_DE_THESE}{_DE_THINGS}{AFTER_COMMAND}",
        rf"{AND_COMMAND}(?:lass|lassen sie|lasse)\s+(?:bitte\s+)?{_DE_THESE}{_DE_THINGS}\s+(?:beiseite|außer acht"
        "|weg)",
        rf"{AND_COMMAND}(?:beachte|verwende|benutze|nutze|lies)\s+{_DE_THESE}{_DE_THINGS}\s+nicht{CLAUSE_END}",
        r"(?<!\w)ohne (?:die|meine|diese) (?:dokumente|unterlagen|quellen) zu (?:verwenden|benutzen|nutzen|lesen"
        "|beachten)",
        r"(?<!\w)(?:aus|mit) (?:deinem|ihrem) (?:eigenen |allgemeinen )?(?:wissen|gedächtnis)",
        rf"{AND_COMMAND}(?:oublie[zs]?|ignore[zs]?|laisse[zs]? de côté)\s+{_FR_THESE}{_FR_THINGS}{AFTER_COMMAND}",
        rf"{AND_COMMAND}(?:ne (?:tiens|tenez) pas compte|n'utilise[zs]? pas)\s+{_FR_THESE}{_FR_THINGS}{AFTER_COMMAND}",
        r"(?<!\w)sans (?:utiliser|consulter|regarder|lire|tenir compte de) (?:les|mes|ces|des) (?:documents|sources)"
        rf"{CLAUSE_END}",
        r"(?<!\w)(?:avec|de) tes propres connaissances|(?<!\w)(?:avec|de) vos propres connaissances",
        rf"{AND_COMMAND}(?:olvid[aeo]|olvídate de|ignor[aeo]|deja de lado|no (?:uses|use|tengas en cuenta|mires))\s+"
        rf"{_ES_THESE}{_ES_THINGS}{AFTER_COMMAND}",
        rf"(?<!\w)sin (?:usar|utilizar|mirar|consultar|leer|tener en cuenta) (?:los|mis|estos) documentos{CLAUSE_END}",
        r"(?<!\w)(?:con|de) tus? propios? conocimientos?",
        rf"{_ZH_COMMAND}(?:忽略|忘记|忘掉|无视|不要管|别管|不要看|别看|不要参考|不要使用|抛开|撇开|不考虑)(?:掉|了)?"
        rf"(?:所有|全部|之前|以前|上面|以上|前面|这些|那些|我的|你的|任何|一切|的|我上传)*{_ZH_THINGS}{_ZH_OVER}",
        "(?:用|凭|根据|靠)你自己的(?:知识|记忆)|(?:不用|不看|不参考|不使用)(?:这些|我的|任何)?(?:文档|文件|资料)(?:直接)?(?:回答|告诉)",
    ),
    "instructions": (
        rf"(?<!\w){_EN_PROMPT}(?!\w)",
        rf"{AND_COMMAND}{_SHOW}(?:\s+(?:me|us|out|back|again|exactly|verbatim|all|of|the|text|contents?|word"
        r"|for))*\s+"
        rf"{_EN_RULES}{AFTER_COMMAND}",
        rf"^(?:what|which)(?:['’]s| is| are| were)?\s+(?:exactly\s+)?{_EN_RULES}{CLAUSE_END}",
        r"(?<!\w)(?:what|which)\s+(?:\w+\s+)?(?:instructions?|rules|guidelines|prompts?)\s+(?:were you"
        "|have you been|are you"
        rf"|did you|do you|you)\s+(?:given|told|following|follow|receive|get|got|have|obey|work by){CLAUSE_END}",
        r"^(?:what|how)\s+(?:exactly\s+)?(?:were|are|have)\s+you\s+(?:been\s+)?(?:told|instructed|prompted"
        "|programmed|configured)"
        r"(?!\w)",
        rf"{AND_COMMAND}{_SHOW}(?:\s+(?:me|us|out|back|again|exactly))*\s+(?:the\s+)?(?:system|initial|hidden"
        r"|secret)\s+"
        rf"(?:prompt|instructions?|message){AFTER_COMMAND}",
        rf"{AND_COMMAND}{_SHOW}(?:\s+(?:me|us|out|back|again|exactly|verbatim))*\s+(?:(?:all|of|the|every|any"
        "|whole|entire"
        r"|complete|exact)\s+)*(?:text|words?|sentences?|lines?|messages?|conversation|content|everything|anything"
        "|all|what)"
        r"\s+(?:(?:that\s+)?(?:is|are|was|were|stands?|came|comes)\s+)?(?:written\s+)?(?:above|before this|up to here"
        r"|preceding this|so far|at the (?:top|beginning|start) of (?:this|the|our) (?:conversation|chat|prompt))"
        rf"{AFTER_COMMAND}",
        rf"{AND_COMMAND}(?:repeat|print|output|copy|recite)(?:\s+(?:me|us|out|back|again))*\s+(?:the\s+)?above"
        rf"(?:\s+(?:text|words|message|instructions|prompt|conversation))?{AFTER_COMMAND}",
        r"(?<!\w)(?:dein|ihr|euer)(?:e[nmrs]?)?\s+(?:\w+en\s+)?(?:system-?\s?)?prompts?(?!\w)|(?<!\w)(?:dein"
        r"|ihr)e?\s+"
        r"system-?(?:anweisung|nachricht)",
        r"(?:^|[.!?,:;]\s*|\b(?:und|bitte)\s+)(?:zeig|nenn|wiederhol|gib|sag|verrat|druck"
        r"|schreib)\w*\b(?:\s+(?:sie|mir|uns|bitte|mal"
        r"|alle|wörtlich|genau))*\s+(?:deine|ihre)\s+(?:\w+en\s+)?(?:anweisungen|instruktionen|regeln|vorgaben)"
        rf"(?:\s+(?:aus|auf|wörtlich))*{CLAUSE_END}",
        r"^(?:wie lauten|was sind|welche sind)\s+(?:deine|ihre)\s+(?:\w+en\s+)?(?:anweisungen|instruktionen"
        "|regeln|vorgaben)"
        rf"{CLAUSE_END}",
        r"(?<!\w)welche (?:anweisungen|instruktionen|regeln|vorgaben) (?:hast du|haben sie|wurden dir|befolgst du"
        "|folgst du)",
        r"(?:^|[.!?,:;]\s*|\b(?:und|bitte)\s+)(?:wiederhol|gib|zeig|druck|schreib)\w*\b(?:\s+(?:sie|mir|bitte"
        r"|alles|den|ganzen))*\s+"
        r"(?:(?:obigen|vorherigen)\s+(?:text|nachrichten)|text (?:oben|über dieser)|(?:was )?oben (?:steht)?"
        "|was oben steht)",
        r"(?<!\w)(?:ton|votre|tes|vos)\s+(?:prompts?|invites?|message)(?:\s+(?:système|initiale?"
        r"|cachée?))?(?!\w)(?!\s+de\s)",
        r"(?:^|[.!?,:;]\s*|\bet\s+)(?:montre|affiche|répète|donne|révèle|dis|cite|écris|imprime)[zrs]?(?:-(?:moi"
        r"|nous))?\s+"
        rf"(?:toutes\s+)?(?:tes|vos)\s+(?:instructions|consignes|directives|règles){AFTER_COMMAND}",
        r"^quelles? sont\s+(?:tes|vos)\s+(?:instructions|consignes|directives|règles)"
        rf"(?:\s+(?:système|initiales|internes))?{CLAUSE_END}",
        r"(?<!\w)quelles? (?:instructions|consignes|règles) (?:as-tu|avez-vous|t'a|suis-tu|suivez-vous|vous a)",
        r"(?:^|[.!?,:;]\s*|\bet\s+)(?:répète|affiche|recopie|imprime)[zrs]?(?:-(?:moi"
        r"|nous))?\s+(?:tout\s+)?(?:(?:le|ce) (?:texte|qui)"
        r"|les (?:mots|phrases))\s+(?:est\s+)?(?:ci-dessus|précédent|au-dessus)",
        r"(?<!\w)(?:tu|su|tus|sus)\s+(?:prompts?|mensaje de sistema|instrucción inicial"
        r"|indicación del sistema)(?!\w)",
        r"(?:^|[.!?,:;]\s*|\by\s+)(?:mu[eé]str|repit|repet|d[iaá]|revel|imprim|escrib|enseñ"
        r"|cuént)\w*\s+(?:todas\s+)?(?:tus|sus)\s+"
        rf"(?:instrucciones|reglas|indicaciones|directrices){AFTER_COMMAND}",
        r"^¿?cuáles son\s+(?:tus|sus)\s+(?:instrucciones|reglas|indicaciones|directrices)"
        rf"(?:\s+(?:del sistema|iniciales|internas))?{CLAUSE_END}",
        r"(?<!\w)qué (?:instrucciones|reglas|indicaciones) (?:te (?:dieron|han)|has recibido|recibiste|sigues"
        "|tienes)",
        r"(?:^|[.!?,:;]\s*|\by\s+)(?:repite|repita|imprime|copia|muestra)\s+(?:todo\s+)?(?:el texto|las palabras"
        r"|lo que)\s+(?:está\s+)?"
        r"(?:de arriba|anterior(?:es)?|arriba)",
        "你的(?:系统|初始|原始|隐藏|内部|完整)*(?:提示词?|prompt|系统消息|系统设定)",
        "(?:显示|告诉我|输出|打印|说出|重复|透露|展示|给我看|列出|公开|复述)(?:一下|出)?你的(?:系统|初始|原始|隐藏|内部|所有|全部|完整)*"
        "(?:指令|指示|说明|规则|设定|要求)",
        "你的(?:系统|初始|原始|隐藏|内部)*(?:指令|指示|设定|规则)(?:是什么|有哪些|是啥|是怎么写的)",
        "你(?:收到|得到|接到|被给予|遵循|遵守)(?:了|的)?(?:什么|哪些|怎样的)(?:系统)?(?:指令|指示|提示|规则)|你被(?:告知|要求|设定|指示)(?:了|要)?(?:什么|做什么)",
        "(?:重复|输出|打印|复述|显示|写出|抄写)(?:一遍|一下|出)?(?:上面|以上|上述|前面|之前)(?:的)?(?:所有|全部)?(?:的)?(?:文字|内容|文本|话|对话|消息|一切|提示)",
        "把(?:上面|以上|上述|前面|之前)(?:的)?(?:所有|全部)?(?:的)?(?:文字|内容|文本|话|对话|消息|提示)(?:都)?(?:原样)?(?:重复|输出|打印|复述|写出|显示)",
    ),
}
_COMPILED = [(name, re.compile("|".join(patterns), re.IGNORECASE)) for name, patterns in _RULES.items()]


def demanded(question: str) -> Demand:
    """What is demanded of the assistant, "" for a question."""
    text = " ".join(question.split())
    return next((name for name, pattern in _COMPILED if pattern.search(text)), "")
