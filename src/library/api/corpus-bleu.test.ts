import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { corpusBleu, type CorpusBleuOptions } from './corpus-bleu.ts';
import { run } from './runs/run.ts';

const all = [
  ['The cat is on the mat.', 'The cat sat on the mat.', 'A cat is on the mat.'],
  ['There is a cat on the mat', 'There is a cat on the mat.', 'On the mat there is a cat.'],
  ["I have 3 apples, don't I?", "I have three apples, don't I?", "I've got 3 apples, haven't I?"],
  ['Nothing in common here', 'Completely different words', 'Other text'],
  ['Die Lampe kostet 49,50 Euro.', 'Die Lampe kostet 49,50 Euro.', '49,50 Euro kostet die Lampe.'],
];
const short = [
  ['a b', 'a b c d'],
  ['c', 'c d'],
];

async function measure(corpus: readonly (readonly string[])[], options: CorpusBleuOptions = {}) {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'bleu-'));
  const rows = corpus.map(([answer, ...expected], index) => ({ id: `q${index}`, answer, expected }));
  const write = (name: string, lines: readonly object[]) =>
    writeFileSync(path.join(folder.path, name), lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  write(
    'golden.jsonl',
    rows.map(({ id, expected }) => ({ id, input: `Question ${id}?`, expected: { answer: expected } })),
  );
  write(
    'answers.jsonl',
    rows.map(({ id, answer }) => ({ caseId: id, answer })),
  );
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'replay', name: 'bot', path: 'answers.jsonl' }],
    metrics: ['bleu'],
  };
  writeFileSync(path.join(folder.path, 'touchstone.config.json'), JSON.stringify(config));
  const store = createMemoryStore();
  await run(folder.path, { store });
  const [bleu] = await corpusBleu('latest', { store, ...options });
  return bleu;
}

// Computed by sacreBLEU 2.6.0: `BLEU(**options).corpus_score(answers, references)`, divided by 100.
test.each<[string, readonly (readonly string[])[], CorpusBleuOptions, number, number[], number]>([
  [
    'five answers',
    all,
    {},
    0.7985142531602211,
    [0.875, 0.8518518518518519, 0.7727272727272727, 0.7058823529411765],
    1,
  ],
  [
    'characters in small letters',
    all,
    { ignoreCase: true, tokenizer: 'char' },
    0.7583803166701102,
    [0.9191919191919191, 0.8723404255319148, 0.8314606741573034, 0.7738095238095238],
    0.8948393168143697,
  ],
  ['orders up to 2', all, { maxOrder: 2 }, 0.8633483482177811, [0.875, 0.8518518518518519], 1],
  [
    'smoothing by addition',
    all,
    { smoothing: 'add-k', smoothingValue: 1 },
    0.8068990328484873,
    [0.875, 0.8571428571428571, 0.782608695652174, 0.7222222222222223],
    1,
  ],
  ['short answers', short, {}, 0, [1, 1, 0, 0], 0.36787944117144233],
  [
    'short answers with the effective order',
    short,
    { effectiveOrder: true },
    0.3678794411714425,
    [1, 1, 0, 0],
    0.36787944117144233,
  ],
  ['no smoothing', [['x y z w', 'x y q w']], { smoothing: 'none' }, 0, [0.75, 0.33333333333333337, 0, 0], 1],
])('corpus BLEU of %s is that of sacreBLEU', async (_title, corpus, options, score, precisions, penalty) => {
  const found = await measure(corpus, options);
  expect(found?.score).toBeCloseTo(score, 12);
  expect(found?.precisions).toEqual(precisions.map((value) => expect.closeTo(value, 12)));
  expect(found?.brevityPenalty).toBeCloseTo(penalty, 12);
  expect(found).toMatchObject({ target: 'bot', answers: corpus.length, unanswered: 0 });
});
