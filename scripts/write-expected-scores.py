"""Writes the values that the tests of src/evaluate/metrics hold ours against. Needs Python 3.11 and the packages
sacrebleu 2.6.0, rouge-score 0.1.2, nltk 3.10.4 and rapidfuzz 3.14: python scripts/write-expected-scores.py
"""

import collections
import json
import pathlib
import random
import re
import string
import unicodedata

import nltk
import rapidfuzz
import sacrebleu
from nltk.stem.porter import PorterStemmer
from nltk.translate.gleu_score import sentence_gleu
from nltk.translate.meteor_score import meteor_score
from rapidfuzz.distance import Levenshtein
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU, CHRF, TER

METRICS = pathlib.Path(__file__).parent.parent / "src" / "metrics"

# The formulas of the FAQ-bot framework.


def exact_match(expected, answer):
    def normalize(text):
        return re.sub(r"\s+", " ", text.lower().strip())

    return int(normalize(expected) == normalize(answer))


def tokens(text):
    return {piece.strip(".,!?;:()[]{}\"'").lower() for piece in text.split()}


def keyword_recall(expected, answer):
    wanted, given = tokens(expected), tokens(answer)
    return len(wanted & given) / len(wanted) if wanted else 0.0


def politeness(answer):
    markers = ["please", "sorry", "happy to help", "can help"]
    return min(sum(marker in answer.lower() for marker in markers) / 2, 1.0)


# The official SQuAD script, version 1.1.


def squad_normalize(text):
    text = "".join(ch for ch in text.lower() if ch not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def squad_f1(answer, expected):
    given, wanted = squad_normalize(answer).split(), squad_normalize(expected).split()
    same = sum((collections.Counter(given) & collections.Counter(wanted)).values())
    if same == 0:
        return 0
    precision, recall = same / len(given), same / len(wanted)
    return (2 * precision * recall) / (precision + recall)


# Random texts: pieces picked by a generator that TypeScript can repeat.

WORDS = (
    "rental income Rental INCOME basis 442,300 the The a an A. please PLEASE Sorry sorry, (happy to help) can can help "
    "CAN HELP “please” don't it's 'quoted' \"said\" ... ?! () [x] {y} a.b,c ;: İstanbul ΣΊΣΥΦΟΣ ΟΔΟΣ' Σ straße STRASSE ﬁn "
    "naïve naı̈ve café café ÀÉ 東京 本社は東京です。 北京 총액 ١٦٬١٤٤ דירה إيجار किराया ไทย ４４２ ① 🙂 👩‍👩‍👧 𝐀𝟏 𐐀 ß ŉ ǅ ſ K Å"
).split(" ")
SPACES = [" "] * 12 + list(
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\ufeff\u200b\u180e\u2060"
)


def random_pieces():
    chooser = random.Random(7)
    assigned = [
        chr(code)
        for code in range(1, 0x20000)
        # Python 3.11 knows Unicode 14, and the property of U+0295 has changed since.
        if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co") and code != 0x295
    ]
    return WORDS + SPACES * 2 + chooser.sample(assigned, 120)


class Picker:
    """The generator "mulberry32" of the public domain."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state + 0x6D2B79F5) & 0xFFFFFFFF
        value = self.state
        value = ((value ^ (value >> 15)) * (value | 1)) & 0xFFFFFFFF
        value ^= (value + ((value ^ (value >> 7)) * (value | 61))) & 0xFFFFFFFF
        return (value ^ (value >> 14)) % limit


def random_text(picker, pieces):
    return "".join(pieces[picker.below(len(pieces))] for _ in range(picker.below(14)))


def random_scores(count, seed):
    picker, pieces, rows = Picker(seed), random_pieces(), []
    for _ in range(count):
        expected = random_text(picker, pieces)
        kind = picker.below(4)
        answer = random_text(picker, pieces)
        if kind == 0:
            answer = " " + expected.upper() + "\x1c"
        elif kind == 1:
            answer = expected + answer
        rows.append(
            [
                exact_match(expected, answer),
                keyword_recall(expected, answer),
                len(answer),
                politeness(answer),
                int(squad_normalize(expected) == squad_normalize(answer)),
                squad_f1(answer, expected),
                Levenshtein.distance(expected, answer),
            ]
        )
    return {"seed": seed, "pieces": pieces, "rows": rows}


# Sentences for ROUGE, BLEU, chrF, TER, GLEU and METEOR: [answer, references].

PAIRS = [
    ["The total basis is 442,300 dollars.", ["The total basis of the property is 442,300 dollars."]],
    ["the cat sat on the mat the the", ["the cat is on the mat", "there is a cat on the mat"]],
    ["Rental income was $16,144 in August 2024!", ["In August 2024, rental income was $16,144."]],
    ["I'm sorry, I can't help with that.", ["I am sorry, but I cannot help with that request."]],
    ["Yes.", ["Yes."]],
    ["Yes.", ["No."]],
    ["yes", ["Yes, the agreement states it."]],
    ["", ["An answer was expected."]],
    ["...", ["An answer was expected."]],
    ["one two", ["one two three four five six seven"]],
    ["one two three four five six seven", ["one two"]],
    ["a b c d e f g", ["a b c d e f g"]],
    ["The running dogs happily chased flies.", ["A dog runs and chases the fly happily."]],
    ["state-of-the-art 3-4 pages, e.g. 1,5 or 1.5.", ["State of the art: 3 - 4 pages (e.g. 1.5)."]],
    ["R&amp;D &quot;costs&quot; &lt;5%&gt;", ['R&D "costs" <5%>']],
    ["line one-\nline two\nline three", ["line one line two line three"]],
    ["Das Gebäude wird über 27,5 Jahre abgeschrieben.", ["Die Abschreibung des Gebäudes läuft über 27,5 Jahre."]],
    ["Le revenu locatif est de 16 144 $.", ["Le revenu locatif d’août s’élève à 16 144 $."]],
    ["¿Cuál es la base total? 442.300 dólares.", ["La base total es de 442.300 dólares."]],
    ["Доход от аренды составил 16 144 доллара.", ["Доход от аренды в августе составил 16 144 доллара."]],
    ["本社は東京にあります。", ["弊社の本社は東京にあります。"]],
    ["总部位于北京，成立于2001年。", ["公司总部位于北京市，2001年成立。"]],
    ["본사는 서울에 있습니다.", ["회사의 본사는 서울에 있습니다."]],
    ["بلغ دخل الإيجار ١٦٬١٤٤ دولارًا.", ["دخل الإيجار هو ١٦٬١٤٤ دولارًا."]],
    ["המשרד נפתח בתשע.", ["המשרד נפתח בשעה תשע."]],
    ["किराये की आय 16,144 डॉलर थी।", ["किराये की कुल आय 16,144 डॉलर थी।"]],
    ["Ünïcödé 🙂 text 👩‍👩‍👧 here", ["Ünïcödé text 🙂 here 👩‍👩‍👧"]],
    ["“Quoted” – dashed — text…", ['"Quoted" - dashed - text...']],
    ["tab\tand\x1cfile\x85separators\u3000here", ["tab and file separators here"]],
    ["ＦＵＬＬ　ｗｉｄｔｈ １２３", ["FULL width 123"]],
    ["(hi) 'there' a! b", ["(hi there) a b!"]],
    ["İstanbul ΣΊΣΥΦΟΣ straße", ["istanbul σίσυφος strasse"]],
    ["The lease ends in May 2026.", ["It ends in May 2026.", "", "The lease runs until May 31, 2026."]],
    ["x⁄y ½ + ⅓ = ⅚, ∑ ≠ ∏ ⁂ ⁇", ["x/y 1/2 + 1/3 = 5/6, ∑ ≠ ∏ ⁂ ⁇"]],
    ["same same same same same", ["same same"]],
    [
        "The rent is due on the first.\nPets cost 20 dollars.\n\nThe rent is high.",
        ["Pets cost 20 dollars a month.\nThe rent is high, and due on the first of the month."],
    ],
    ["in August 2024 rental income was 16,144 dollars.", ["rental income was 16,144 dollars in August 2024 ."]],
    ["d e f g a b c h j i", ["a b c d e f g h i j"]],
    ["We went to the flat by car. . and LEFT.", ["They drove to the apartment, and left by automobile...", "We left."]],
    [
        "one two three four five six seven eight nine ten eleven twelve " * 4 + "end",
        ["end " + "seven eight nine ten eleven twelve one two three four five six " * 4],
    ],
    ["x " * 3, ["Please read the tenant's guide - it's 3-4 pages; \"chapter 2\" is about R&amp;D. " * 12]],
    ["Please read the tenant's guide - it's 3-4 pages; \"chapter 2\" is about R&amp;D. " * 12, ["guide x pages"]],
]


# Synonyms in place of WordNet: NLTK looks up the words that are left, which are stems by then.

SYNONYMS = [["flat", "apartment"], ["car", "automobile"], ["went", "drove"]]


class Synset:
    def __init__(self, names):
        self.names = names

    def lemmas(self):
        return [Lemma(name) for name in self.names]


class Lemma:
    def __init__(self, name):
        self.name = lambda: name


class Synonyms:
    def __init__(self, groups):
        stem = PorterStemmer().stem
        self.groups = [[stem(word) for word in group] for group in groups]

    def synsets(self, word):
        return [Synset(group) for group in self.groups if word in group]


def plain_words(text):
    """The words of promptfoo: split at white space, without periods at their end."""
    words = [re.sub(r"\.+$", "", piece) for piece in text.lower().split()]
    return words if any(words) else []


def word_scores(answer, references):
    plain, spaced = plain_words(answer), answer.split()
    plain_references = [words for words in map(plain_words, references) if words]
    spaced_references = [words for words in (reference.split() for reference in references) if words]
    return {
        "gleu": sentence_gleu(plain_references, plain),
        "gleu spaces": sentence_gleu(spaced_references, spaced, min_len=2, max_len=3),
        "meteor": meteor_score(plain_references, plain, wordnet=Synonyms([])),
        "meteor spaces": meteor_score(
            spaced_references, spaced, wordnet=Synonyms(SYNONYMS), alpha=0.8, beta=2, gamma=0.4
        ),
        "ter": TER().sentence_score(answer, references).score / 100,
        "ter normalized": TER(normalized=True, case_sensitive=True).sentence_score(answer, references).score / 100,
        "ter no-punct": TER(normalized=True, no_punct=True).sentence_score(answer, references).score / 100,
    }


def overlap_scores(answer, references):
    filled = [reference for reference in references if reference]
    scores = {}
    types = ["rouge1", "rouge2", "rouge3", "rouge4", "rouge5", "rougeL", "rougeLsum"]
    for stemmer in (False, True):
        scorer = rouge_scorer.RougeScorer(types, use_stemmer=stemmer)
        for name, score in scorer.score_multi(filled, answer).items():
            key = f"rouge-{name[5:].lower()}" + (" stemmed" if stemmer else "")
            scores[key] = [score.precision, score.recall, score.fmeasure]
    for tokenizer in ("13a", "intl", "zh", "char", "none"):
        bleu = BLEU(tokenize=tokenizer, effective_order=True)
        scores[f"bleu {tokenizer}"] = bleu.sentence_score(answer, references).score
    for smoothing in ("floor", "add-k", "none"):
        for effective in (True, False):
            bleu = BLEU(smooth_method=smoothing, effective_order=effective, lowercase=True)
            score = bleu.sentence_score(answer, references).score
            scores[f"bleu {smoothing} {'effective' if effective else 'full'}"] = score
    scores["chrf"] = CHRF().sentence_score(answer, references).score
    scores["chrf++"] = CHRF(word_order=2).sentence_score(answer, references).score
    scores["chrf spaces"] = CHRF(whitespace=True, lowercase=True).sentence_score(answer, references).score
    scores["chrf epsilon"] = CHRF(word_order=1, beta=3, eps_smoothing=True).sentence_score(answer, references).score
    return scores


STEMMED = (
    "caresses flies dies mules denied died agreed owned humbled sized meeting stating siezing itemization sensational "
    "traditional reference colonizer plotted rationally conformably radically differently vilely analogously operator "
    "feudalism decisiveness hopefulness callousness formality sensitivity sensibility theology geology enjoyment happy "
    "enjoy sky skies dying news innings proceed spying owed ing eed yyyy controlling rolls probate cease replacement "
    "adoption communism homologous 1990s 27th tenant tenants leases leasing leased depreciation depreciated hopefully"
).split(" ")


def write(path, value):
    path.write_text(json.dumps(value, ensure_ascii=True, indent=None, separators=(",", ":")) + "\n")


versions = {"python": "3.11", "sacrebleu": sacrebleu.__version__, "rouge-score": "0.1.2", "nltk": nltk.__version__, "rapidfuzz": rapidfuzz.__version__}
write(METRICS / "text" / "expected-scores.json", {"made with": versions, **random_scores(4000, 20260102)})
write(
    METRICS / "overlap" / "expected-scores.json",
    {
        "made with": versions,
        "pairs": [
            [answer, references, overlap_scores(answer, references), word_scores(answer, references)]
            for answer, references in PAIRS
        ],
        "stems": {word: PorterStemmer().stem(word) for word in STEMMED},
    },
)
