"""Where a command to the assistant begins and ends in a sentence: patterns for the rules of `demands.py`. Data only."""

from __future__ import annotations

# A command begins its clause: “… and tell me”, “please ignore …”, “you must now forget …”.
COMMAND = (
    r"(?:(?:^|[.!?:;,…–—\"“„«(\n]\s*)(?:(?:and|but|so|und|aber|et|mais|y|pero)\s+)?"
    r"|(?<!\w)(?:please|now|just|then|first|bitte|nun|jetzt|dann|einfach|s'il (?:te"
    "|vous) pla[iî]t"
    r"|maintenant|puis|d'abord|por favor|ahora|luego|primero|(?:can|could|would|will|must|should|may) you|you (?:can"
    r"|may|must|should|will|are to|have to)|i want you to|kannst du|könntest du|können sie|peux-tu|pouvez-vous|puedes"
    r"|podrías|puede)\s+)"
)
# “X and ignore …” commands only where X does not ask: “Does it skip comments and ignore the rules?” asks.
_ASKING = (
    r"(?:who|what|which|when|where|why|how|is|are|was|were|does|do|did|has|have|can|could|will|would|should|may|must"
    r"|wer|was|welche\w*|wann|wo|warum|wie|ist|sind|kann|muss|qui|que|quel\w*|quand|où|pourquoi|comment|est-ce|quién"
    r"|qué|cuál\w*|cuándo|dónde|por qué|cómo|es|son)"
)
AND_COMMAND = rf"(?:{COMMAND}|^(?!{_ASKING}\b)[^.!?\n]*?(?<!\w)(?:and|und|et|y)\s+(?:then\s+|dann\s+)?)"
CLAUSE_END = r"(?=\s*(?:$|[.,;:!?…–—\"”“»)\n]))"  # the end of a clause
AFTER_COMMAND = (
    r"(?=\s*(?:$|[.,;:!?…–—\"”“»)\n]|(?:and|but|then|when|that (?:i|you|we)|i|you|above|below|before|given"
    "|provided|so far"
    "|completely|entirely|altogether|for (?:now|this|a moment|once)|from now on|und|aber|wenn|die (?:du|ich|sie)"
    "|oben"
    r"|et|mais|quand|que (?:je|tu|j'ai|vous)|ci-dessus|y|pero|cuando|que (?:te|he|tú)|de arriba|anteriores"
    "|précédentes?|antérieures|du système|del sistema|verbatim|word for word|exactly|as it is|to me|wörtlich"
    "|mot à mot"
    r"|palabra por palabra)(?!\w)))"
)
