"""Writes src/evaluate/metrics/retrieval/fixtures/ir-measures.jsonl: measures of the random rankings of trec-eval.jsonl, a line for
each. Needs Python 3.11 and the packages ir_measures 0.4, cwl-eval 1.0 and scikit-learn 1.9:
python scripts/write-ir-measures.py
"""

import json
import pathlib

import ir_measures
from ir_measures import RBP, Bpref, Qrel, ScoredDoc
from sklearn.metrics import dcg_score

FOLDER = pathlib.Path(__file__).parent.parent / "src" / "metrics" / "retrieval" / "fixtures"
MEASURES = {
    "bpref": Bpref,
    "bprefAtLevel2": Bpref(rel=2),
    "rbp 0.8": RBP(p=0.8, rel=1),
    "rbp 0.5": RBP(p=0.5, rel=1),
}


def rank(query):
    """The ids in the order of trec_eval: equal scores by id, descending in byte order. cwl-eval has another one."""
    ranked = sorted(query["retrieved"], key=lambda item: (item["score"], item["id"].encode()), reverse=True)
    return [item["id"] for item in ranked]


def dcg(query, cutoff):
    gains = [query["judgments"].get(name, 0) for name in rank(query)]
    if len(gains) == 1:  # scikit-learn ranks at least two.
        gains.append(0)
    return dcg_score([gains], [range(len(gains), 0, -1)], k=cutoff)


queries = [json.loads(line) for line in (FOLDER / "trec-eval.jsonl").read_text().splitlines()]
qrels = [Qrel(str(n), name, grade) for n, query in enumerate(queries) for name, grade in query["judgments"].items()]
run = [ScoredDoc(str(n), name, -place) for n, query in enumerate(queries) for place, name in enumerate(rank(query))]
rows = [{"dcg": dcg(query, None), "dcg@3": dcg(query, 3)} for query in queries]
for name, measure in MEASURES.items():
    for metric in ir_measures.iter_calc([measure], qrels, run):
        rows[int(metric.query_id)][name] = round(float(metric.value), 12)
text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
(FOLDER / "ir-measures.jsonl").write_text(text)
