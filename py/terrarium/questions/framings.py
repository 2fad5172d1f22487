"""What people write around a question in English, German, French, Spanish and Chinese, as patterns.

A *request* (“could you tell me”) hands over to the question itself, so anything may follow it. A *greeting*, with
fillers and apologies, counts only before a mark or right before a question: “Hello World” and “Well water” begin with
the same words. *Thanks* stand at both ends, *closings* only at the end, behind a mark.

Data only: `cleaning.py` applies them.
"""

from __future__ import annotations

_AP = "['’]"
_NAME = r"(?-i:[A-ZÄÖÜÉ][\w-]+)"
_WHOM = (
    r"(?: (?:there|everyone|everybody|all|again|folks|guys|team|support|assistant|terrarium|zusammen|ihr lieben|leute"
    r"|liebes team|à tous|à toutes|tout le monde|madame|monsieur|a todos|a todas|equipo))*"
)

GREETINGS = "|".join(
    (
        rf"(?:hi|hiya|hello|hey|howdy|greetings|good (?:morning|afternoon|evening|day)|dear)"
        rf"(?: {_NAME}(?: {_NAME})?(?=[,!]))?{_WHOM}",
        r"dear (?:sir or madam|sirs|colleagues|team)",
        rf"(?:hallo|halli hallo|moin(?: moin)?|servus|grüezi|grüß gott|guten (?:tag|morgen|abend)|liebes team)"
        rf"(?: {_NAME}(?: {_NAME})?(?=[,!]))?{_WHOM}",
        rf"(?:bonjour|bonsoir|salut|coucou){_WHOM}",
        rf"(?:hola|buenas(?: tardes| noches)?|buenos d[ií]as|saludos){_WHOM}",
        "(?:你好|您好|大家好|哈喽|嗨|在吗|在不在)[呀啊]?",
        # apologies and fillers
        r"(?:sorry(?: to (?:bother|disturb)(?: you)?)?(?: again)?|excuse me|pardon(?: me)?|apologies)(?:,? but(?= ))?",
        r"(?:entschuldigung|entschuldige|entschuldigen sie(?: bitte)?|verzeihung|tut mir leid)(?:,? aber(?= ))?",
        r"excusez-moi|excuse-moi|désolée?|disculpa|disculpe|perdona|perdón|perdone",
        "不好意思|抱歉|打扰(?:一下|了)|劳驾",
        r"umm+|uh+|erm+|hm+|ok|okay|actually|basically|anyway|oh|ah|yeah",
        # German begins questions with “Um” and “So” too, English sentences with “Now is …”.
        r"(?:um|er|so|well|now|also)"
        r"(?=\s*[,.:;!…]|\s+(?:what|which|who|when|where|why|how|(?:can|could|would) you|i)\s)",
        r"by the way|btw|just (?:curious|wondering|checking)|out of curiosity|one more thing|first of all"
        r"|long story short",
        r"(?:äh+|tja|naja|übrigens|nur so aus neugier|kurz gesagt|alors|bon|euh+|au fait|bueno|pues|oye"
        r"|por cierto)",
        "那个|嗯+|对了|话说",
        # “I have a question”
        r"(?:i have|i've got|i have got|i had|got|here is|here's|just)?(?: ?(?:a|one|another|my|the))?"
        r"(?: ?(?:quick|short|small|simple|brief|general|stupid|follow-up))? ?question(?: for you| about this)?",
        r"(?:(?:ich )?(?:hätte|habe|hab) (?:da |noch |nur |mal |kurz )*)?(?:(?:eine|ne|noch eine|meine) )?"
        r"(?:(?:kurze|kleine|schnelle|dumme|allgemeine) )?frage(?: an (?:dich|sie|euch))?",
        rf"(?:j{_AP}(?:ai|aurais) )?(?:(?:une|ma) )?(?:(?:petite|simple|dernière) )?question(?: rapide| simple)?",
        r"(?:tengo |tenía )?(?:una )?(?:pequeña )?(?:pregunta|duda|consulta)(?: rápida)?",
        "(?:我)?(?:想问)?有(?:一)?个(?:小)?问题(?:想请教|想问)?(?:一下)?|问(?:一)?个问题|请教一下",
        r"(?:can|could) (?:you|anyone|somebody|someone) (?:please )?help(?: me"
        r"| us)?(?: out)?(?: with this)?(?: please)?",
        r"i need (?:some |your )?help|i hope you can help(?: me)?|hope you(?: are| ?'re) (?:well|doing well)"
        r"|i hope (?:you are|you're) (?:well|doing well)|(?:maybe|perhaps) you can help me",
        r"(?:kannst du|können sie|könnten sie|könnt ihr) (?:mir|uns) (?:bitte |mal )?(?:kurz )?(?:weiter)?helfen",
        rf"(?:pouvez|pourriez)-vous m{_AP}aider|(?:puedes|podrías|podría|puede) ayudarme",
    )
)

_KNOW = r"(?:know|tell (?:me|us)|explain(?: to (?:me|us))?|help me (?:understand|find out|with)|let me know)"
_HOW = r"(?:(?:please|kindly|maybe|perhaps|possibly|just|quickly|briefly|also) )*"
_BITTE = r"(?:(?:bitte|mal|vielleicht|kurz|eben|noch|auch|zufällig|schnell) )*"
_SAGEN = r"(?:sagen|erklären|verraten|mitteilen|erläutern|beantworten)"

REQUESTS = "|".join(
    (
        rf"{_HOW}(?:could|can|would|will) (?:you|anyone|anybody|somebody|someone) {_HOW}(?:be able to )?"
        r"(?:(?:tell|show) (?:me|us)|explain to (?:me|us)|help (?:me|us) (?:understand|find out)|let me know)",
        r"do you happen to know|(?:do you|does (?:anyone|anybody|somebody|someone)) (?:perhaps |maybe )?know"
        r"|any (?:idea|clue)",
        rf"{_HOW}(?:tell|explain to) (?:me|us)",
        rf"(?:i would|i'd|i’d|we would|we'd) (?:{_HOW}|really )?(?:like|love) to (?:know|ask(?: you)?|understand"
        r"|find out)",
        rf"i {_HOW}(?:really )?(?:want|need|wanted|wish|am trying|was hoping) to (?:know|ask(?: you)?|understand"
        r"|find out)",
        rf"(?:i was|i am|i'm|i’m|was) {_HOW}wondering(?: if (?:you|anyone|somebody|someone) (?:might|could|can|would)"
        rf" {_HOW}(?:be able to )?{_KNOW})?",
        r"(?:i|we) (?:just )?wonder|(?:my|the) question is",
        rf"(?:kannst du|kannste|könntest du|können sie|könnten sie|könnt ihr|könntet ihr) {_BITTE}(?:mir"
        rf"|uns) {_BITTE}{_SAGEN}",
        rf"(?:ich )?(?:wollte|möchte|würde|will|wüsste|wüßte) (?:gern(?:e)? )?{_BITTE}(?:gern(?:e)? )?(?:fragen"
        r"|wissen)",
        r"ich wüsste gern(?:e)?|ich frage mich|mich würde (?:mal )?interessieren|mich interessiert",
        r"(?:weißt du|wissen sie|wisst ihr|weiß jemand)(?: (?:bitte|mal|vielleicht|zufällig|eventuell))*",
        rf"{_BITTE}(?:sag|sagen sie|erkläre?|erklären sie) (?:mir|uns)(?: (?:bitte|mal))*|sag mal",
        rf"j{_AP}aimerais (?:bien )?(?:savoir|vous demander|te demander)|je (?:voudrais|souhaite|souhaiterais|veux"
        r"|voulais)"
        r" (?:bien )?(?:savoir|vous demander|te demander)|je me demand(?:e|ais)|je cherche à savoir",
        rf"(?:est-ce que )?(?:vous pou(?:vez|rriez)|tu peux|tu pourrais|(?:pouvez|pourriez)-vous|(?:peux|pourrais)-tu)"
        rf"(?: (?:s{_AP}il (?:vous|te) plaît|svp|stp))? (?:me |nous |m{_AP})(?:dire|expliquer|indiquer|préciser)",
        r"savez-vous|sais-tu|dites-moi|dis-moi|est-ce que (?:vous savez|tu sais|quelqu['’]un sait)",
        r"(?:me|nos) (?:podrías|podría|puedes|puede|podéis|pueden|podrían)(?: por favor)? (?:decir|explicar|indicar)",
        r"(?:podrías|podría|puedes|puede|podéis|pueden|podrían)(?: por favor)? (?:decir|explicar|indicar)(?:me|nos)",
        r"(?:quisiera|quiero|quería|me gustaría|necesito|querría)(?: mucho)? (?:saber|preguntar(?:te|le)?)|me pregunto"
        r"|(?:sabes|sabe usted|sabéis|alguien sabe)|dime|dígame|díganme",
        "我?[就还只]?是?想要?请?(?:问|知道|了解|教)(?:一下|下)?(?:您|你|大家)?|请[教问](?:一下|下)?(?:您|你|大家)?",
        "(?:请|麻烦|可以|能否|能不能|可不可以|可否|能)*[您你]?(?:帮忙|帮我|给我)?"
        "(?:告诉(?:一下|下)?我们?(?:一下|下)?|(?:解释|说)(?:一下|下))|(?:麻烦|帮我)[您你]?[查看问](?:一下|下)"
        "|(?:麻烦|拜托)(?:您|你|大家)?(?:问一下|问下|一下)|(?:你|您|有人)知道",
    )
)

# After a request these only join the question to it: “I was wondering if …”.
JOINTS = rf"(?:if|whether|about|ob|si)(?= )|s{_AP}(?=ils? )"

PLEASE = "|".join(
    (
        r"please|pls|plz|kindly|bitte(?: sehr| schön)?|por favor|porfa(?:vor)?",
        rf"s{_AP}il (?:vous|te) pla[iî]t|svp|stp|请(?=告诉|解释|说)",
    )
)

THANKS = "|".join(
    (
        r"(?:many |much )?(?:thanks|thank you|thank u|thx|tnx)(?: (?:you|again|so much|very much|a lot"
        r"|a (?:million|bunch)|in advance|guys|all|for (?:your|any|the) (?:help|time|assistance|answers?|reply"
        r"|replies)))*",
        r"(?:(?:vielen |besten |herzlichen |tausend )(?:lieben )?dank|danke)(?: (?:schön|sehr|dir|euch|ihnen|nochmal"
        r"|im voraus"
        r"|vorab|schon mal|für (?:die|deine|eure|ihre|jede) (?:hilfe|antwort(?:en)?|mühe|zeit)))*",
        rf"(?:un grand )?merci(?: (?:beaucoup|bien|infiniment|d{_AP}avance|par avance|à (?:vous|toi|tous)"
        rf"|(?:de|pour) (?:votre|ton|ta) (?:aide|réponse|temps)))*",
        r"(?:muchas |mil |muchísimas )?gracias(?: (?:de antemano|por adelantado|a todos"
        r"|por (?:su|tu|la|vuestra) (?:ayuda|respuesta|tiempo)))*",
        "(?:先|提前|非常|十分|万分|多)?(?:谢谢|感谢|谢过|谢了|多谢)(?:您|你|大家|各位|啦|了|啊|哦|的?帮助|的?解答)*|拜托(?:您|你|大家)?(?:了|啦)",
    )
)

CLOSINGS = "|".join(
    (
        r"(?:any|all|your) (?:help|advice|pointers?|hints?|ideas?|input)(?: (?:is|are|would be|will be))?"
        r" (?:much |greatly |highly |very )?(?:appreciated|welcome)",
        r"(?:i(?: would|'d|’d)? )?(?:really |much )?appreciate (?:it|any help|your (?:help|time))"
        r"|(?:(?:that|it) )?would be (?:really )?(?:great|lovely|very helpful|helpful|nice)(?: if possible)?"
        r"|(?:please )?let me know|please and thank you"
        r"|if (?:you don't mind|you don’t mind|possible|you know|you can)|if that['’]s ok(?:ay)?|cheers|tia"
        r"|have a (?:nice|great|good) (?:day|one|weekend)",
        rf"(?:kind|best|warm)(?:est)? (?:regards|wishes)(?:[,\s]+{_NAME}(?: {_NAME})?)?",
        r"(?:can|could) you (?:please )?(?:tell|help) me|do you know|does (?:anyone|anybody|somebody|someone) know"
        r"|any ideas?"
        r"|(?:please )?help me",
        r"(?:das )?wäre (?:super|nett|toll|lieb|sehr hilfreich)|weiß (?:das )?(?:jemand|wer)|wissen sie das"
        r"|weißt du das"
        r"|(?:ich )?freue mich (?:über|auf) (?:eine |jede |ihre |deine |eure )?(?:antwort|hilfe|hinweise)",
        r"(?:(?:viele|liebe|beste|schöne) grüße|(?:mit )?freundliche[nr]? grü(?:ße|ßen|sse|ssen)|lg|vg"
        rf"|mfg)(?:[,\s]+{_NAME})?",
        rf"(?:bien )?cordialement(?:[,\s]+{_NAME})?|bien à (?:vous|toi)|bonne (?:journée|soirée)"
        rf"|dans l{_AP}attente de votre réponse",
        rf"(?:un )?(?:cordial )?saludos?(?:[,\s]+{_NAME})?|quedo a la espera|que tenga(?:s)? (?:un )?buen día",
        "(?:麻烦|辛苦|打扰)(?:您|你|大家|各位)?(?:了|啦)|求(?:助|解答|告知|大神)|急+|在线等|祝好",
    )
)

# What a question begins with, so that “hi how many …” is a greeting and “Hi fi” is not.
WH_WORDS = "|".join(
    (
        r"what(?:['’]s)?|which|who(?:['’]s)?|whom|whose|when|where|why|how",
        r"wer|wen|wem|wessen|wann|wo|woher|wohin|wofür|womit|worin|warum|wieso|weshalb|wie|wieviele?|welche[rsmn]?",
        r"quel(?:le)?s?|qui|que|quoi|quand|où|comment|pourquoi|combien",
        r"qué|quién(?:es)?|cuál(?:es)?|cuándo|dónde|adónde|cómo|cuánt[oa]s?|cuant[oa]s|por qué",
    )
)
QUESTION_VERBS = "|".join(
    (
        r"is|are|was|were|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had",
        r"ist|sind|hat|haben|kann|können|darf|dürfen|muss|müssen|soll|sollen|wird|werden|gibt",
        r"est-ce|est-il|peut-on|faut-il|doit-on|y a-t-il",
    )
)
QUESTION_WORDS = f"{WH_WORDS}|{QUESTION_VERBS}"
PREPOSITIONS = (
    "for|in|on|at|to|from|until|since|by|with|under|of|after|before|during|ab|bis|seit|an|auf|für|mit|von|zu|nach"
    "|unter|bei"
    "|à|de|en|pour|depuis|avec|sous|jusqu['’]à|con|desde|hasta|para|por|a|bajo"
)
CHINESE_QUESTION = (
    "什么|多少|几(?![何内])|哪|谁|怎么|怎样|如何|为何|何时|何处|多久|多长|多大|多高|多远|是否|能否|可否|有没有|是不是|能不能"
    "|可不可以|[吗呢]$"
)
