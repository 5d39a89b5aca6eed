"""Writes src/evaluate/metrics/retrieval/fixtures/trec-eval.jsonl: random rankings with ties, and what trec_eval 10.0 says of them.
Needs Python 3.11 and a trec_eval that prints 15 digits (`%6.4f` replaced by `%.15f` in its two meas_print files):
python scripts/write-trec-eval-runs.py path/to/trec_eval
"""

import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

FILE = pathlib.Path(__file__).parent.parent / "src" / "metrics" / "retrieval" / "fixtures" / "trec-eval.jsonl"
IDS = [f"d{number}" for number in range(1, 16)] + ["7", "10", "9", "Ä-1", "é", "日本", "\U0001f600", "\uff21", "A", "a"]
CUTOFFS = "1,3,10"
PLAIN = {
    "set_P": "precision",
    "set_recall": "recall",
    "set_F": "f1",
    "recip_rank": "reciprocalRank",
    "map": "averagePrecision",
    "Rprec": "rPrecision",
    "ndcg": "ndcg",
    "num_rel": None,
}
CUT = {"P": "precision", "recall": "recall", "map_cut": "averagePrecision", "ndcg_cut": "ndcg", "success": "hitRate"}


def random_queries():
    chooser = random.Random(20260117)
    scores = [
        lambda: chooser.randint(0, 2),
        lambda: round(chooser.random(), 1),
        lambda: round(chooser.gauss(0, 3), 2),
        lambda: 1,
    ]
    for number in range(40):
        retrieved = chooser.sample(IDS, chooser.choice([1, 2, 3, 5, 8, 12, 20]))
        grades = chooser.choice([[0, 0, 1, 1, 2, 3], [0, 1]])
        judged = chooser.sample(IDS, chooser.choice([1, 3, 6, 12]))
        yield {
            "retrieved": [{"id": name, "score": scores[number % 4]()} for name in retrieved],
            "judgments": {name: chooser.choice(grades) for name in judged},
        }


def evaluate(folder, measures, *flags):
    command = [sys.argv[1], "-q", *flags, *measures, folder / "qrels", folder / "run"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    values = collections.defaultdict(dict)
    for line in output.splitlines():
        measure, query, value = line.split("\t")
        values[query][measure.strip()] = round(float(value), 12)
    return values


def rename(values, with_cutoffs=True):
    named = {}
    for measure, value in values.items():
        if measure in PLAIN:
            if PLAIN[measure]:
                named[PLAIN[measure]] = value
        elif with_cutoffs:
            base, cutoff = measure.rsplit("_", 1)
            named[f"{CUT[base]}@{cutoff}"] = value
    return named


def main():
    queries = {f"q{number:02}": query for number, query in enumerate(random_queries())}
    folder = pathlib.Path(tempfile.mkdtemp())
    with open(folder / "qrels", "w") as qrels, open(folder / "run", "w") as run:
        for name, query in queries.items():
            qrels.writelines(f"{name} 0 {id} {grade}\n" for id, grade in query["judgments"].items())
            run.writelines(f"{name} Q0 {item['id']} 0 {item['score']} r\n" for item in query["retrieved"])
    names = [*PLAIN, *(f"{measure}.{CUTOFFS}" for measure in CUT)]
    measures = [part for name in names for part in ("-m", name)]
    plain, judged, level2 = (evaluate(folder, measures, *flags) for flags in ([], ["-J"], ["-l", "2"]))
    exponential = evaluate(folder, ["-m", "ndcg.1=1,2=3,3=7"])
    with open(FILE, "w") as file:
        for name, query in queries.items():
            row = {
                **query,
                "relevant": int(plain[name]["num_rel"]),
                "relevantAtLevel2": int(level2[name]["num_rel"]),
                "expected": rename(plain[name]),
                "expectedExponentialNdcg": next(iter(exponential[name].values())),
                "expectedAtLevel2": rename(level2[name], with_cutoffs=False),
            }
            if name in judged:
                row["expectedWithoutUnjudged"] = rename(judged[name], with_cutoffs=False)
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


main()
