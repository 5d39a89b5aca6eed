"""Writes src/evaluate/targets/semantic-match/matched-rows.jsonl: random questions, and the rows that the plain definition finds for
them. Needs Python 3.11: python scripts/write-matched-rows.py
"""

import json
import math
import pathlib
import random

FILE = pathlib.Path(__file__).parent.parent / "src" / "targets" / "semantic-match" / "matched-rows.jsonl"

PIECES = (
    [" "]
    + ["\t", "\n", "\r\n", "\x0b", "\x1c", "\x1f", "\x85", "\xa0", "\u1680", "\u2003", "\u2028", "\u202f", "\u3000"]
    + ["\ufeff", "\u200b", "\u180e", "\u00ad"]
    + list(".,!?;:()[]{}\"'") + ["’", "¿", "-", "_", "…", "。"]
    + "how do I pay PAY Pay my rent Rent? the The (the) a is it it's what when".split(" ")
    + "İ i̇ I ı ΟΔΟΣ οδος οδοσ Σ σ ς AΣ. ß SS ss ẞ ﬁ fi É é É ſ K k Ａ ａ ǅ ǆ 家賃 はいくら คำถาม سؤال שאלה вопрос ВОПРОС 🏠 𐐀 𐐨".split(" ")
)

FEW = ["how", "do", "I", "pay", "my", "rent", "?", "the"]


def tokens(text):
    return {piece.strip(".,!?;:()[]{}\"'").lower() for piece in text.split()}


def similarity(asked, stored):
    if not asked or not stored:
        return 0.0
    return len(asked & stored) / math.sqrt(len(asked) * len(stored))


def match(asked, stored):
    best_row, best = 0, -1.0
    for row, question in enumerate(stored):
        value = similarity(tokens(asked), tokens(question))
        if value > best:
            best_row, best = row, value
    return [best_row, best]


def random_text(chooser, few):
    indices = []
    for _ in range(chooser.randrange(11)):
        indices.append(PIECES.index(chooser.choice(FEW if few else PIECES)))
        if chooser.random() < 0.75:
            indices.append(0 if chooser.random() < 0.8 else chooser.randrange(1, 14))
    return indices


def text_of(indices):
    return "".join(PIECES[index] for index in indices)


def main():
    chooser = random.Random(11)
    tables = []
    for number in range(32):
        few = number % 4 == 0
        stored = [random_text(chooser, few) for _ in range(chooser.choice([1, 5, 40, 60]))]
        asked = [random_text(chooser, few) for _ in range(70)]
        questions = [text_of(indices) for indices in stored]
        matches = [match(text_of(indices), questions) for indices in asked]
        tables.append({"stored": stored, "asked": asked, "matches": matches})
    rows = [{"pieces": PIECES}, *tables]
    FILE.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))


main()
