import { expect, test } from 'vitest';
import type { Run } from '../../core/schema/run.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { markdown } from './markdown.ts';
import type { ReportInput } from './reporter.ts';
import { terminal } from './terminal.ts';

const share = (value: number) => ({
  value,
  lower: 0.1,
  upper: 0.9,
  n: 4,
  confidence: 0.95,
  method: 'wilson',
});

const scorecard: Run['scorecard'] = {
  name: 'binary-weighted',
  use: { use: 'binary-weighted' },
  version: 1,
  criteria: [
    { name: 'right time', metric: 'tool-usage', weight: 1, required: false },
    { name: 'booked', metric: 'keywords', weight: 0, required: false },
    { name: 'shown only', metric: 'error-handling', weight: 0, required: false },
  ],
  grades: [],
  outcomes: [
    { outcome: 'done', from: 0.75, when: 'booked', meaning: '' },
    { outcome: 'not-done', from: 0, meaning: '' },
  ],
  passMark: 0.75,
};

const counts = { notApplicable: 0, notMeasured: 0 };
const numbers: Partial<TargetSummary> = {
  outcomes: [
    { outcome: 'done', trials: 3, share: share(0.75) },
    { outcome: 'not-done', trials: 1, share: share(0.25) },
  ],
  criteria: [
    { criterion: 'right time', weight: 1, unmet: 1, measured: 4, ...counts, share: share(0.25) },
    { criterion: 'booked', weight: 0, unmet: 0, measured: 3, ...counts, notMeasured: 1, share: share(0) },
    { criterion: 'shown only', weight: 0, unmet: 0, measured: 4, ...counts, share: share(0) },
  ],
  reliability: {
    attempts: 2,
    levels: [
      { k: 1, any: share(0.5), all: share(0.5) },
      { k: 2, any: share(0.75), all: { ...share(0.25), n: 3 } },
    ],
    groups: [
      { passed: 2, measured: 2, cases: 1, ids: ['q-001'] },
      { passed: 1, measured: 2, cases: 20, ids: Array.from({ length: 20 }, (_, index) => `m-${index}`) },
    ],
    unmeasured: 0,
  },
};

function input(): ReportInput {
  const sample = sampleInput([{ found: ['a'] }, { missing: ['a'] }], { scorecard, attempts: 2 });
  const targets = sample.summary.targets.map((target) => ({
    ...target,
    ...numbers,
    metrics: target.metrics.map((metric) => ({ ...metric, labels: { 'made-up': 1, recovered: 3 } })),
  }));
  return {
    ...sample,
    summary: { ...sample.summary, targets },
    async *results() {
      for await (const result of sample.results()) {
        const notDone = { outcome: 'not-done', explanation: 'Booked at the wrong time (−100).' };
        const total = { total: 0.25, lower: 0.25, upper: 0.25, grade: null, passed: false };
        yield { ...result, scorecard: { ...total, ...notDone } };
      }
    },
  };
}

test('the terminal shows outcomes, unmet criteria, reliability and labels', async () => {
  const text = await readPieces(terminal.report(input(), sampleView({ width: 100 })));
  expect(text).toMatch(/done +3 +75\.0 % +\[10\.0, 90\.0\]/);
  expect(text).toMatch(/right time +100 % +1 of 4 +25\.0 % +\[10\.0, 90\.0\] +−25\.0/);
  expect(text).toMatch(/booked +0 % +0 of 3 .*1 not measured/);
  expect(text).not.toContain('shown only');
  expect(text).toMatch(/2 +75\.0 % +\[10\.0, 90\.0\] +25\.0 %/);
  expect(text).toContain('A question with fewer than k measured attempts does not count');
  expect(text).toMatch(/1 of 2 passed {2}20 questions {2}m-0, .*and 8\s+more/s);
  expect(text).toContain('recovered 3 · made-up 1');
  expect(text).toContain('Booked at the wrong time (−100).');
});

test('the Markdown report shows outcomes, unmet criteria, reliability and labels', async () => {
  const text = await readPieces(markdown.report(input(), sampleView()));
  expect(text).toContain('| `done` | 3 | 75.0 % | [10.0, 90.0] |');
  expect(text).toContain('| `right time` | 100 % | 1 of 4 | 25.0 % | [10.0, 90.0] | −25.0 |');
  expect(text).toContain('| 2 | 75.0 % | [10.0, 90.0] | 25.0 % | [10.0, 90.0] | 3 questions |');
  expect(text).toContain('`recovered` 3 · `made-up` 1');
  expect(text).toContain('Booked at the wrong time (−100).');
});
