import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rescore } from '../../../library/api/runs/rescore.ts';
import { run } from '../../../library/api/runs/run.ts';

test('checks are stored with a run, a shared name is a metric of the gate, and scoring again gives the same', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const rows = [0, 1, 2, 3].map((index) => {
    const checks = [
      { use: 'contains', value: 'Norway' },
      {
        not: { use: 'contains', value: index === 0 ? 'Norway' : 'model' },
        ...(index < 3 && { name: 'Tone' }),
      },
    ];
    return JSON.stringify({
      id: `c${index}`,
      question: `Do you ship ${index}?`,
      expected: { checks, passMark: 0.6 },
    });
  });
  writeFileSync(path.join(folder, 'golden.jsonl'), rows.join('\n'));
  writeFileSync(path.join(folder, 'bot.mjs'), `export default () => 'To Norway.';`);
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', path: 'bot.mjs' }],
    metrics: [{ use: 'case-checks', check: 'Tone', name: 'Tone' }],
    scorecard: { use: 'weighted', criteria: [{ metric: 'case-checks', weight: 1 }] },
    gate: { rules: { tone: { type: 'metric' as const, metric: 'Tone', atLeast: 90 } } },
  };
  const first = await run(config, { folder });
  expect(first.summary.decision).toMatchObject({
    outcome: 'fail',
    rules: [{ value: expect.closeTo(2 / 3), n: 3 }],
  });
  const results = await Array.fromAsync(first.results());
  expect(results.map(({ scorecard }) => [scorecard?.total, scorecard?.passed, scorecard?.passMark])).toEqual([
    [0.5, false, 0.6],
    [1, true, 0.6],
    [1, true, 0.6],
    [1, true, 0.6],
  ]);
  const second = await rescore(first.run.id, config, { folder });
  const again = await Array.fromAsync(second.results());
  expect(again.map(({ verdicts }) => verdicts)).toEqual(results.map(({ verdicts }) => verdicts));
});
