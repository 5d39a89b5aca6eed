import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scriptedJudge } from '../../evaluate/judges/registry.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { module } from '../../evaluate/targets/registry.ts';
import { prefer, readPreferences } from './prefer.ts';
import { run } from './runs/run.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-prefer-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rows = Array.from({ length: 6 }, (_, index) => ({ id: `q${index}`, question: `question ${index}?` }));
writeFileSync(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));

const bot = (name: string, answer: string) =>
  module({ name, function: (question: string) => `${answer}, to ${question}` });
const config = {
  dataset: 'golden.jsonl',
  targets: [bot('rude', 'no'), bot('kind', 'please')],
  metrics: ['latency'],
  scorecard: null,
  judge: scriptedJudge({
    rules: [
      { part: 'first answer', when: 'please', reply: { reason: 'It is polite.', better: 'first' } },
      { reply: { reason: 'It is polite.', better: 'second' } },
    ],
  }),
};

test('the judge of a config compares the targets of a stored run, and the result can be read again from its folder', async () => {
  const place = { folder, store: 'runs' };
  await run(config, place);
  const report = await prefer(['latest'], config, place);
  expect(report.pairs).toMatchObject([
    { a: 'rude', b: 'kind', verdict: 'b-better', wins: 0, ties: 0, losses: 6, position: { consistent: 6 } },
  ]);
  expect(report.preferences[0]?.outcome).toMatchObject({ reasons: ['It is polite.', 'It is polite.'] });
  expect(await readPreferences('latest', place)).toEqual([{ ...report, judging: expect.anything() }]);
});

test('a config without a judge is refused', async () => {
  const store = createMemoryStore();
  await run({ ...config, judge: undefined }, { folder, store });
  await expect(prefer(['latest'], { ...config, judge: undefined }, { folder, store })).rejects.toMatchObject({
    code: 'judge-missing',
  });
  expect(await readPreferences('latest', { store })).toEqual([]);
});
