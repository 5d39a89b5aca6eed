import { expect, test } from 'vitest';
import type { Estimate } from '../../../core/schema/estimate.ts';
import type { Summary, TargetSummary } from '../../../core/schema/summary.ts';
import { readPieces, sampleInput, sampleView } from '../../../../test/support/build-sample-run.ts';
import { intervalRows, sharedIntervalRows } from './interval-rows.ts';
import { markdown } from '../../reporters/markdown.ts';
import { terminal } from '../../reporters/terminal.ts';

const input = sampleInput(
  Array.from({ length: 40 }, (_, index) => ({
    id: `q${index}`,
    category: index < 3 ? 'rare|<b>' : 'facts',
    expectedTools: ['query'],
    usedTools: [index % 4 === 0 ? 'search' : 'query'],
    found: ['900'],
  })),
);
const clustered: Estimate = {
  value: 0.8,
  lower: 0.611,
  upper: 0.989,
  n: 40,
  clusters: 9,
  effectiveClusters: 5.7,
  confidence: 0.95,
  method: 'cluster-robust-t',
};
const target: TargetSummary = { ...(input.summary.targets[0] as TargetSummary), score: clustered };
const summary: Summary = { ...input.summary, targets: [target] };

test('every number has its n, clusters, coverage and method', () => {
  const [score, passed, ...others] = intervalRows(input.run, target);
  expect(score).toEqual({
    name: ['score'],
    value: '80.0 %',
    interval: '[61.1, 98.9]',
    reason: '',
    unit: undefined,
    n: '40',
    clusters: '9',
    coverage: '100.0 %',
    method: 'cluster-robust-t',
    confidence: '95 %',
    caution: 'few clusters',
  });
  expect(passed).toMatchObject({ name: ['passed'], n: '40', clusters: '' });
  const names = others.map(({ name }) =>
    name.map((part) => (typeof part === 'string' ? part : part.quoted)).join(''),
  );
  expect(names).toEqual([
    'errors',
    'tool-usage',
    'keywords',
    'error-handling',
    'latency',
    'category rare|<b>',
    'category facts',
  ]);
});

test('differences between targets are listed under the leading target', () => {
  const difference = { ...clustered, value: 0.1, lower: 0.02, upper: 0.18, target: 'b' };
  const rows = sharedIntervalRows({
    ...summary,
    comparisons: [
      {
        measure: 'score',
        name: 'score',
        better: 'higher',
        means: [],
        leader: 'a',
        differences: [difference],
        best: 'a',
      },
    ],
  });
  expect(rows).toMatchObject([
    { name: ['score', ', ', { quoted: 'a' }, ' − ', { quoted: 'b' }], value: '10.0 %', clusters: '9' },
  ]);
});

test.each([80, 120])(
  'methods stand in the report of a terminal of %d columns when they are asked for',
  async (width) => {
    const read = (methods: boolean) =>
      readPieces(terminal.report({ ...input, summary }, sampleView({ methods, width })));
    expect(await read(false)).not.toContain('How sure');
    const text = await read(true);
    expect(text).toMatch(/How sure +Mean +n +Measured +Method \(clusters\)/);
    expect(text).toMatch(/score +80\.0 % +\[61\.1, 98\.9\] +40 +100\.0 % +cluster-robust-t \(9\)/);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'The 40 questions fall into 9 clusters, which are as informative as 5.7 of equal size',
    );
    const verbose = await readPieces(
      terminal.report({ ...input, summary }, sampleView({ verbose: true, width })),
    );
    expect(verbose).toContain('How sure');
  },
);

test('in Markdown they are collapsed, with names from outside as code', async () => {
  const text = await readPieces(markdown.report({ ...input, summary }, sampleView({ methods: true })));
  expect(text).toContain('<details><summary>How sure each number is</summary>');
  expect(text).toContain(
    '| score | 80.0 % | [61.1, 98.9] | 40 | 100.0 % | cluster-robust-t (9) | few clusters | 95 % |',
  );
  expect(text).toContain('| category `rare¦<b>` |');
  const brief = await readPieces(markdown.report({ ...input, summary }, sampleView()));
  expect(brief).not.toContain('How sure');
});
