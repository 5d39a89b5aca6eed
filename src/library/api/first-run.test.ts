import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { headlineParts } from '../../look/report/headline.ts';
import type { Config } from '../config/config.ts';
import { run } from './runs/run.ts';
import { score } from './runs/score.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-first-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Scored {
  readonly headline: string;
  readonly outcome: string;
  readonly reasons: readonly string[];
  readonly cases: readonly object[];
}

/** Scores rows with a gate, and with a judge that always gives the score `judged`. */
async function scoreRows(rows: readonly object[], judged?: number): Promise<Scored> {
  const file = `${Math.random().toString(36).slice(2)}.jsonl`;
  writeFileSync(path.join(folder, file), rows.map((row) => JSON.stringify(row)).join('\n'));
  const config = `${file}.config.json`;
  const reply = { reason: 'The price is named, and the tone is short.', score: judged };
  const rule = { about: 'expected-behavior', part: 'expected behavior 1', when: 'Names the price', reply };
  const judge = { use: 'scripted-judge', rules: [rule] };
  writeFileSync(
    path.join(folder, config),
    JSON.stringify({
      dataset: file,
      targets: [{ use: 'replay', path: file }],
      gate: { failUnder: 50 },
      ...(judged !== undefined && { judge }),
    }),
  );
  const { run, summary, results } = await score(file, { folder, config });
  const [target] = summary.targets;
  if (target === undefined) throw new Error('no target');
  return {
    headline: headlineParts(target, run).join(' · '),
    outcome: summary.decision.outcome,
    reasons: summary.decision.reasons,
    cases: await Array.fromAsync(results(), (result) => result.case),
  };
}

const row = { question: 'What does the lamp cost?', expected_answer: '49', answer: '49' };

test('a column that nobody reads does not stop the run, stands in the headline, and keeps the gate from passing', async () => {
  const { headline, outcome, reasons, cases } = await scoreRows([
    { ...row, id: 'a', min_citations: 2, gold_category: 'price' },
    { ...row, id: 'b', min_citations: 1, difficulty: 'easy' },
  ]);
  expect(headline).toMatch(/^100\.0 % .*n = 2\/2/);
  expect(headline).toContain('the column "min_citations" of 2 questions is read by no metric');
  expect(headline).toContain('the column "gold_category" of 1 question is read by no metric');
  expect(headline).not.toContain('difficulty');
  expect(outcome).toBe('not-measured');
  expect(reasons).toContain('the column "min_citations" of 2 questions is read by no metric');
  expect(cases).toMatchObject([{ metadata: { min_citations: 2, gold_category: 'price' } }, { metadata: {} }]);
});

test('a question with choices is scored by its recorded answer, without an id too', async () => {
  const choices = ['Lyon', 'Paris', 'Nice'];
  const ask = (question: string, expected: object, response: string) => ({
    question,
    choices,
    ...expected,
    response,
  });
  const { headline } = await scoreRows([
    ask('Capital of France?', { answer_index: 1 }, 'The answer is B.'),
    ask('A city on the sea?', { expected_answer: 'Nice' }, 'C) Nice'),
    ask('The largest of them?', { expected_answer: 'B' }, 'A'),
    ask('The second largest?', { expected_answer: 1 }, 'Lyon'),
  ]);
  // 0.8 · 3/4 for the response quality, and 0.2 for no error.
  expect(headline).toMatch(/^80\.0 % .*n = 4\/4/);
});

test('a slip of a known name stops the run, with the name that was meant', async () => {
  await expect(scoreRows([{ ...row, expected_keywrds: ['49'] }])).rejects.toThrow(
    /"expected_keywrds" \(did you mean "expected_keywords"\?\)/,
  );
  await expect(scoreRows([{ ...row, keywords_expected: ['49'] }])).rejects.toThrow(/"keywords_expected"/);
});

test('what should happen, in words, is not measured without a judge', async () => {
  const { headline, outcome } = await scoreRows([{ ...row, expected_behavior: 'Names the price.' }]);
  expect(headline).toContain('1 of 1 descriptions of what should happen is read by no metric');
  expect(outcome).toBe('not-measured');
});

test('the judge of the configuration reads what should happen, and its verdict is part of the score', async () => {
  const described = {
    question: 'And this?',
    expected_behavior: ['Names the price.', 'Is polite.'],
    answer: '49',
  };
  const right = await scoreRows([described], 1);
  expect([right.headline, right.outcome]).toEqual([expect.stringMatching(/^100\.0 %/), 'pass']);
  // 0.8 · 0.25 for the response quality, and 0.2 for no error.
  const wrong = await scoreRows([described], 0.25);
  expect([wrong.headline, wrong.outcome]).toEqual([expect.stringMatching(/^40\.0 %/), 'fail']);
});

const twice = '{"id":"a","question":"Q?"}\n{"id":"a","question":"R?"}\n';
test.each<[string, { readonly rows?: string; readonly settings?: object }, RegExp]>([
  [
    'two questions with one id',
    { rows: twice },
    /golden\.jsonl:2:\d+: the id "a" is taken by the question at .*:1:/,
  ],
  ['weights of no category', { settings: { weights: { chairs: 2 } } }, /chairs/],
  ['a picture that is not there', { rows: '{"question":"Q?","attachments":["none.png"]}\n' }, /none\.png/],
  [
    'a bot that cannot be started',
    { settings: { targets: [{ use: 'module', path: 'none.mjs' }] } },
    /none\.mjs/,
  ],
])(
  'a first run that cannot begin leaves no store: %s',
  async (_, { rows = '{"question":"Q?"}\n', settings = {} }, says) => {
    const home = mkdtempSync(path.join(folder, 'home-'));
    writeFileSync(path.join(home, 'golden.jsonl'), rows);
    const bot = { use: 'module', name: 'bot', function: () => 'yes' };
    const config: Config = { dataset: 'golden.jsonl', targets: [bot], ...settings };
    await expect(run(config, { folder: home, name: 'first' })).rejects.toThrow(says);
    expect(readdirSync(home)).toEqual(['golden.jsonl']);
    writeFileSync(path.join(home, 'golden.jsonl'), '{"question":"Q?"}\n');
    await run({ dataset: 'golden.jsonl', targets: [bot] }, { folder: home });
    expect(readdirSync(home)).toContain('.touchstone');
  },
);
