"""Texts in the encodings that their languages are written in, none of which says what it is."""

from __future__ import annotations

import pytest
from tests.unit.test_readers_texts import read

TEXTS = {
    "de": (
        "Die Gebühr für Überweisungen beträgt 1,50 €. Größere Beträge müssen schriftlich bestätigt "
        "werden, außer am Wochenende."
    ),
    "fr": (
        "Le numéro à côté n'est pas très loin, où ça ? La séance a été reportée à l'été prochain, dès que possible."
    ),
    "es": "El niño comió piñas; ¿cuántas? Mañana será otro día según el señor Muñoz, que también lo sabía.",
    "pl": "Wąż zjadł mysz i śpi w łóżku. Następnie źrebię pobiegło do stajni, gdzie było cieplej niż na łące.",
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy. Všechny smlouvy musí být podepsány před začátkem roku.",
    "hu": (
        "Árvíztűrő tükörfúrógép. A szerződés egy évre szól, és nem mondható fel a határidő előtt, kivéve"
        " ha mindkét fél beleegyezik."
    ),
    "ro": (
        "Contractul este valabil pentru un an şi nu poate fi reziliat din vina unei părţi înainte de "
        "termenul stabilit în lege."
    ),
    "tr": (
        "Kedi ağacın üstünde, köpek aşağıda. Sözleşme bir yıl için geçerlidir ve bu süre içinde "
        "feshedilemez, şartlar değişmedikçe."
    ),
    "ru": (
        "В гимназии он не был в числе первых учеников, но любил читать книги. Договор заключён на год и "
        "не может быть расторгнут до срока."
    ),
    "uk": (
        "Договір укладено на рік і не може бути розірваний до строку, як це було з іншим. Їжак живе у лісі біля річки."
    ),
    "bg": (
        "Договорът е сключен за една година и не може да бъде прекратен преди срока, освен ако страните "
        "не се споразумеят."
    ),
    "el": (
        "Η σύμβαση ισχύει για ένα έτος και δεν λύεται πριν από τη λήξη της. Οι όροι μπορούν να αλλάξουν μόνο εγγράφως."
    ),
    "he": "החוזה תקף לשנה אחת ואינו ניתן לביטול לפני תום התקופה. שני הצדדים חייבים לחתום על כל שינוי בכתב.",
    "ar": "العقد ساري المفعول من هذا العام إلى نهاية العام الذي يليه على أن لا يفسخ إلا بموافقة الطرفين كتابة.",
    "th": ("สัญญานี้มีผลบังคับใช้เป็นเวลาหนึ่งปี และไม่สามารถยกเลิกได้ก่อนครบกำหนด เว้นแต่ทั้งสองฝ่ายจะตกลงกัน"),
    "lt": (
        "Sutartis galioja vienerius metus ir negali būti nutraukta anksčiau, nei baigsis terminas. "
        "Ąžuolas žaliuoja prie ežero, šalia miško."
    ),
    "ja": "契約は一年間有効であり、期限前に解約することはできません。両当事者が書面で合意した場合を除きます。",
    "zh": "本合同有效期为一年，到期之前不得解除。双方以书面形式同意的情况除外。用户需要登录以后才能访问。",
    "tw": "本合約有效期為一年，到期之前不得解除。雙方以書面形式同意的情況除外。使用者需要登入以後才能存取。",
    "ko": ("계약은 일 년 동안 유효하며 기한 전에 해지할 수 없습니다. 양 당사자가 서면으로 합의한 경우는 제외합니다."),
    "sv": (
        "Avtalet gäller för ett år och kan inte sägas upp före tidens utgång, om inte båda parter är "
        "överens på något sätt."
    ),
    "is": (
        "Samningurinn gildir í eitt ár og honum verður ekki sagt upp fyrr en að þeim tíma liðnum, nema "
        "báðir aðilar séu sammála."
    ),
}
ENCODINGS = {
    "de": "cp1252 latin-1 iso8859_15 mac_roman cp850 cp437",
    "fr": "cp1252 mac_roman cp850 iso8859_15",
    "es": "cp1252 cp850 mac_roman",
    "pl": "cp1250 iso8859_2 cp852 mac_latin2",
    "cs": "cp1250 iso8859_2 cp852",
    "hu": "cp1250 iso8859_2 cp852",
    "ro": "cp1250 iso8859_2",
    "tr": "cp1254 iso8859_9 cp857",
    "ru": "cp1251 koi8_r cp866 iso8859_5 mac_cyrillic",
    "uk": "cp1251 koi8_u iso8859_5",
    "bg": "cp1251 iso8859_5 cp855",
    "el": "cp1253 iso8859_7 cp737 mac_greek",
    "he": "cp1255 iso8859_8 cp862",
    "ar": "cp1256 iso8859_6 cp720",
    "th": "cp874 tis_620",
    "lt": "cp1257 iso8859_13",
    "ja": "cp932 euc_jp iso2022_jp shift_jis",
    "zh": "gb18030 gb2312 hz",
    "tw": "big5 gb18030",
    "ko": "euc_kr cp949 iso2022_kr johab",
    "sv": "cp1252 cp850 mac_roman",
    "is": "cp1252",
}
UNICODE = "utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be"


def written(language: str, encoding: str) -> tuple[str, bytes]:
    """(the text as it can be written in the encoding, its bytes)."""
    text = TEXTS[language]
    try:
        return text, text.encode(encoding)
    except UnicodeEncodeError:  # signs that came later
        text = text.replace("€", "EUR").replace("ё", "е")
        return text, text.encode(encoding)


CASES = [(language, one) for language in TEXTS for one in f"{ENCODINGS[language]} {UNICODE}".split()]


@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_each_language_in_each_of_its_encodings(language, encoding):
    text, data = written(language, encoding)
    assert " ".join(read(data, "a.txt").text.split()) == text


@pytest.mark.parametrize("language", ["ru", "el", "he", "uk"])
def test_a_sentence_is_enough_where_words_are_known(language):
    for encoding in ENCODINGS[language].split():
        text, data = written(language, encoding)
        sentence = data[:40]
        assert " ".join(read(sentence, "a.txt").text.split()) == " ".join(text[:40].split()), encoding


def test_letters_of_no_known_language_are_flagged():
    data = "Samningurinn gildir í eitt ár og honum verður ekki sagt upp að þeim tíma liðnum, nema þú sért sammála."
    document = read(data.encode("cp861"), "a.txt")
    assert "the encoding of the text was guessed" in document.warnings[0]


def test_a_few_broken_bytes_are_flagged():
    document = read("Grüße aus Köln. ".encode() * 200 + b"\xff", "a.txt")
    assert document.text.startswith("Grüße aus Köln.")
    assert "guessed" in document.warnings[0]
