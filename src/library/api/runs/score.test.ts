import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pictures } from '../../../../test/support/pictures.ts';
import type { Message } from '../../../core/schema/message.ts';
import { exportRun } from '../../../evaluate/run/record/archive.ts';
import { module } from '../../../evaluate/targets/module.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { Store } from '../../../stores/store.ts';
import { withStore } from '../open-store.ts';
import { listRuns } from '../records.ts';
import { run } from './run.ts';
import { score } from './score.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-score-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, rows: readonly object[]): void {
  writeFileSync(path.join(folder, name), rows.map((row) => JSON.stringify(row)).join('\n'));
}

write('answers.jsonl', [
  { id: 'a', question: 'What does it cost?', expected_keywords: ['49'], answer: 'It costs 49.' },
  { id: 'b', question: 'And this?', expected_keywords: ['99', 'euros'], answer: 'It costs 99.' },
]);
write('golden.jsonl', [{ id: 'b', question: 'And this?', expected_keywords: ['99'] }]);

test('recorded answers are scored as a run of the folder, without a target', async () => {
  const { run, summary, results } = await score('answers.jsonl', { folder });
  expect(run).toMatchObject({ status: 'completed', targets: [{ name: 'answers' }] });
  // Nothing is expected of tools, so their 0.4 go to response quality: 0.8 · 1 + 0.2 and 0.8 · 1/2 + 0.2.
  expect(summary.targets[0]?.score.value).toBeCloseTo((1 + 0.6) / 2);
  expect(await Array.fromAsync(results(), ({ trial }) => trial.answer)).toEqual([
    'It costs 49.',
    'It costs 99.',
  ]);
  expect((await listRuns({ folder })).map(({ id }) => id)).toEqual([run.id]);
});

test('the cases may stand in another file, and only a part may be scored', async () => {
  const other = await score('answers.jsonl', { folder, dataset: ['golden.jsonl'] });
  expect(
    await Array.fromAsync(other.results(), ({ case: { id }, scorecard }) => [id, scorecard?.total]),
  ).toEqual([['b', 1]]);
  const part = await score('answers.jsonl', { folder, filter: ['id=a'] });
  expect(await Array.fromAsync(part.results(), (result) => result.case.id)).toEqual(['a']);
});

test('a rule about a rubric decides where questions expect nothing, by the verdicts of the judge', async () => {
  write('plain.jsonl', [
    { id: 'a', question: 'And you?', answer: 'Fine, thank you.' },
    { id: 'b', question: 'And now?', answer: 'Go away.' },
  ]);
  const judged = async (second: number | undefined) => {
    const other = second === undefined ? [] : [{ reply: { score: second, reason: 'It is.' } }];
    write('touchstone.rubric.json', [
      {
        dataset: 'plain.jsonl',
        targets: [{ use: 'echo' }],
        judge: {
          use: 'scripted-judge',
          rules: [{ when: 'thank', reply: { score: 1, reason: 'It is.' } }, ...other],
        },
        metrics: [{ use: 'rubric', name: 'tone', text: 'It is polite.' }],
        gate: { rules: { tone: { type: 'metric', metric: 'tone', atLeast: 90 } } },
      },
    ]);
    const { summary } = await score('plain.jsonl', { folder, config: 'touchstone.rubric.json' });
    return summary.decision;
  };
  expect(await judged(1)).toMatchObject({ outcome: 'pass', reasons: ['1 rule passed'] });
  expect((await judged(0))?.outcome).toBe('fail');
  // Without a verdict on one of them it is not measured, and only that one is counted.
  const missing = await judged(undefined);
  expect(missing?.outcome).toBe('not-measured');
  expect(missing?.reasons[0]).toBe(
    'plain: 1 of 2 attempts was not measured, 1 of them because the judge failed',
  );
});

test('an exported run whose questions and answers have pictures is scored with them, from its own lines or from the store', async () => {
  const own = path.join(folder, 'pictures');
  mkdirSync(own);
  writeFileSync(path.join(own, 'dent.png'), pictures.png);
  const content = [
    { type: 'text', text: 'What is' },
    { type: 'image', image: 'dent.png' },
    { type: 'text', text: 'broken?' },
  ];
  writeFileSync(
    path.join(own, 'golden.json'),
    JSON.stringify([{ id: 'dent', input: [{ role: 'user', content }], expected_keywords: ['door'] }]),
  );
  const image = { type: 'image', mediaType: 'image/gif', data: pictures.gif.toString('base64') };
  const bot = () => ({ role: 'assistant', content: [{ type: 'text', text: 'The door.' }, image] });
  const dataset = 'golden.json';
  const targets = [module({ name: 'bot', function: bot })];
  const made = await run({ dataset, targets, metrics: ['keywords'] }, { folder: own });
  const readLines = async (store: Store) => await Array.fromAsync(exportRun(made.run, store));
  const lines = await withStore({ folder: own }, readLines);
  writeFileSync(path.join(own, 'run.jsonl'), lines.join(''));
  const bare = lines.filter((line) => !line.startsWith('{"type":"blob"'));
  expect(lines.length - bare.length).toBe(2);
  writeFileSync(path.join(own, 'bare.jsonl'), bare.join(''));
  const filesOf = async (file: string, store?: Store) => {
    const { results } = await score(file, { folder: own, ...(store && { store }) });
    const [result] = await Array.fromAsync(results());
    expect(result?.scorecard?.passed).toBe(true);
    const messages = [...((result?.case.input ?? []) as Message[]), ...(result?.trial.transcript ?? [])];
    return messages.flatMap(({ attachments = [] }) => attachments);
  };
  const [asked, answered] = [{ mediaType: 'image/png', name: 'dent.png', at: 8 }, { mediaType: 'image/gif' }];
  // Another store has none of the files.
  expect(await filesOf('run.jsonl', createMemoryStore())).toMatchObject([asked, asked, answered]);
  expect(await filesOf('bare.jsonl')).toMatchObject([asked, asked, answered]);
  await expect(score('bare.jsonl', { folder: own, store: createMemoryStore() })).rejects.toMatchObject({
    code: 'dataset-invalid',
    message: expect.stringContaining('"dent.png" is named by its hash alone, and the store does not have it'),
  });
});

test('a file that is not there is an error with a code', async () => {
  await expect(score('nothing.jsonl', { folder })).rejects.toMatchObject({ name: 'TouchstoneError' });
});
