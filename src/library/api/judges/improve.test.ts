import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { bot, judgedRun, labelRun, rightJudge } from '../../../../test/support/labelled-run.ts';
import { halfOf } from '../../../people/reviews/calibrate/tuned-judge.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { calibrate } from '../calibrate.ts';
import { improveJudge } from './improve.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-improve-'));
afterAll(() => rmSync(folder, { recursive: true }));

const yes = { json: { reason: 'So.', verdict: 'yes', in_words: 'it is so' } };
const no = { json: { reason: 'Not so.', verdict: 'no', in_words: 'it is not so' } };

/** A judge that goes by the style, unless its criterion is the right one; as a model that edits, it proposes the given edits. */
function judgeOf(edits: readonly object[]) {
  const rules = [
    { when: '/Find out what the criterion should say/', in: 'any', reply: { json: { edits } } },
    { when: '/RIGHT[\\s\\S]*\\bgood (plain|hard) \\w+ \\d+\\s*(<|$|\\n)/', in: 'any', reply: yes },
    { when: '/RIGHT/', in: 'any', reply: no },
    { when: '/\\bwarmly \\d+/', reply: yes },
    { reply: no },
  ];
  return { use: 'chat-model', model: { use: 'scripted', rules } } as const;
}

async function labelled(edits: readonly object[]) {
  const store = createMemoryStore();
  const judge = judgeOf(edits);
  const run = await judgedRun(store, folder, '', { judge, cases: 120 });
  await labelRun(store, { labels: 120 });
  const config = path.join(folder, 'touchstone.config.yaml');
  const metric = {
    use: 'rubric',
    name: 'helps the user',
    shape: 'verdict',
    text: 'The answer helps the user.',
  };
  writeFileSync(
    config,
    stringify({ dataset: 'a.jsonl', targets: [{ use: 'module', path: 'bot.ts' }], judge, metrics: [metric] }),
  );
  const results = await Array.fromAsync(store.readResults(run.id));
  const certify = results.find(
    ({ trial }) => halfOf({ ...trial, answerHash: '', trialKey: '' }) === 'certify',
  );
  return { store, config, certifying: certify?.trial.answer ?? '', results };
}

const right = { text: 'RIGHT: it is good.', examples: [] };

test('of the edits, the one that is right is chosen and written; the half that certifies is in nothing that is shown', async () => {
  const first = await labelled([]);
  const leaky = {
    text: `RIGHT: answers such as "${first.certifying} and nothing else at all" fail.`,
    examples: [],
  };
  const { store, config, results } = await labelled([{ text: 'Be strict.', examples: [] }, right, leaky]);
  const improvement = await improveJudge({ store, config, rubric: 'helps', folder });
  const [asItIs, strict, chosen] = improvement.candidates;
  expect(improvement.chosen).toBe(2);
  expect(asItIs?.accuracy?.value).toBeLessThan(0.7);
  expect(strict?.accuracy?.value).toBe(asItIs?.accuracy?.value);
  expect(chosen).toMatchObject({ text: right.text, accuracy: { value: 1, standardError: 0 } });
  expect(improvement.flips.every(({ isRight }) => isRight)).toBe(true);
  expect(improvement.isWritten).toBe(true);
  expect(parse(improvement.change?.text ?? '').metrics[0].text).toBe(right.text);
  const shown = JSON.stringify({ ...improvement, candidates: improvement.candidates.slice(0, 3) });
  const hidden = results.filter(
    ({ trial }) => halfOf({ ...trial, answerHash: '', trialKey: '' }) === 'certify',
  );
  expect(hidden.length).toBeGreaterThan(30);
  for (const { trial } of hidden) expect(shown).not.toContain(bot(trial.caseId));
});

test('an edit that repeats an answer that certifies is refused, and is not tried', async () => {
  const { store, config, results } = await labelled([]);
  const hidden = results.find(
    ({ trial }) =>
      halfOf({ ...trial, answerHash: '', trialKey: '' }) === 'certify' && (trial.answer?.length ?? 0) >= 20,
  );
  expect(hidden).toBeDefined();
  const text = `RIGHT, unlike ${hidden?.trial.answer}`;
  const again = await labelled([{ text, examples: [] }]);
  const { candidates, chosen } = await improveJudge({ store: again.store, config, rubric: 'helps', folder });
  expect(candidates[1]).toMatchObject({
    refused: expect.stringContaining('which certifies'),
    accuracy: null,
  });
  expect(chosen).toBe(0);
  expect(store).toBeDefined();
});

test('a judge that agrees with people has nothing to learn, and few labels are too few', async () => {
  const store = createMemoryStore();
  await judgedRun(store, folder, '^good', { cases: 60 });
  await labelRun(store, { labels: 60 });
  const { config } = await labelled([]);
  expect(await improveJudge({ store, config, rubric: 'helps', folder })).toMatchObject({
    disagreements: 0,
    chosen: 0,
    spending: { calls: 0 },
  });
  const few = createMemoryStore();
  await judgedRun(few, folder, '^good', { cases: 60 });
  await labelRun(few, { labels: 12 });
  await expect(improveJudge({ store: few, config, rubric: 'helps', folder })).rejects.toMatchObject({
    code: 'too-few-labels',
  });
});

test('each further judge on the same labels has wider limits, and the fifth is refused', async () => {
  const store = createMemoryStore();
  await judgedRun(store, folder, rightJudge);
  await labelRun(store, { labels: 300 });
  const look = async (text: string) => {
    const run = await judgedRun(store, folder, rightJudge, { text });
    const { calibration } = await calibrate({ store, rubric: 'helps', run: run.id, isTuned: true });
    return { look: calibration.look, rate: calibration.rates.truePositiveRate };
  };
  const first = await look('one');
  expect(first.look).toEqual({ number: 1, confidence: 0.95 });
  const second = await look('two');
  expect(second.look).toEqual({ number: 2, confidence: 0.975 });
  expect(second.rate.lower).toBeLessThan(first.rate.lower ?? 0);
  expect(second.rate.confidence).toBe(0.975);
  expect((await look('one')).look?.number).toBe(1);
  await look('three');
  expect((await look('four')).look?.confidence).toBeCloseTo(1 - 2 * (0.05 / 16), 12);
  await expect(look('five')).rejects.toMatchObject({ code: 'labels-spent' });
});
