import { expect, test } from 'vitest';
import { displayWidth } from '../../core/lib/text/terminal-text.ts';
import type { Disagreement } from '../../core/schema/summary.ts';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import type { SampleTrial } from '../../../test/support/judge-sample.ts';
import { markdown } from '../reporters/markdown.ts';
import type { ReportInput } from '../reporters/reporter.ts';
import { terminal } from '../reporters/terminal.ts';

const metric = 'tool-usage';
const trials: SampleTrial[] = Array.from({ length: 6 }, (_, index) => ({
  id: `q-${index}`,
  answer: `Answer ${index}.`,
  found: ['lease'],
  expectedTools: ['lookup'],
}));

function disagreement(changes: Partial<Disagreement> = {}): Disagreement {
  return {
    kind: 'right-without-tools',
    title: 'the expected tools not used',
    reading: 'There is another way.',
    compared: 6,
    count: 6,
    targets: [{ target: 'assistant', compared: 6, count: 6 }],
    widest: [5, 2].map((ordinal) => ({
      ordinal,
      caseId: `q-${ordinal}`,
      target: 'assistant',
      high: { metric: 'keywords', value: 1 },
      low: { metric, value: 0 },
    })),
    ...changes,
  };
}

function inputWith(disagreements: Disagreement[], listed?: Disagreement[]): ReportInput {
  const input = sampleInput(trials);
  const narrowing = listed && 'disagreements';
  return { ...input, summary: { ...input.summary, disagreements }, narrowing, disagreements: listed };
}

test('a report has a section on disagreements only when there are some', async () => {
  for (const reporter of [terminal, markdown]) {
    const none = inputWith([disagreement({ count: 0, widest: [] })]);
    expect(await readPieces(reporter.report(none, sampleView()))).not.toContain('contradict');
    const some = await readPieces(reporter.report(inputWith([disagreement()]), sampleView()));
    expect(some).toContain('Where metrics contradict each other');
    expect(some).toContain('There is another way.');
    expect(some).toMatch(/6 of 6/);
    expect(some).toMatch(/touchstone show \S+ --disagreements/);
  }
});

test('of many kinds the first are listed, with the number of the others', async () => {
  const kinds = Array.from({ length: 7 }, (_, index) => disagreement({ kind: `kind-${index}` }));
  const text = await readPieces(terminal.report(inputWith(kinds), sampleView()));
  expect(text).toContain('kind-2: ');
  expect(text).toContain('… and 4 more kinds');
  expect(text).not.toContain('kind-3');
});

test('targets with disagreements are listed, the most frequent first', async () => {
  const targets = [
    { target: 'calm', compared: 3, count: 1 },
    { target: 'bold', compared: 9, count: 0 },
    { target: 'odd', compared: 3, count: 2 },
  ];
  const text = await readPieces(terminal.report(inputWith([disagreement({ targets })]), sampleView()));
  expect(text).toMatch(/odd 2 of 3 · calm 1 of 3\n/);
});

test('the listing shows each question in full, the widest apart first, with both verdicts side by side', async () => {
  const text = await readPieces(terminal.report(inputWith([], [disagreement()]), sampleView({ width: 100 })));
  expect(text.indexOf('q-5 · assistant')).toBeGreaterThan(0);
  expect(text.indexOf('q-5 · assistant')).toBeLessThan(text.indexOf('q-2 · assistant'));
  expect(text).not.toContain('q-1');
  expect(text).toContain('Answer    Answer 5.');
  expect(text).toMatch(/^ {4}100\.0 % {2}keywords +│ {3}0\.0 % {2}tool-usage$/m);
  expect(text).toMatch(/^ {4}1 of 1 found +│ not used: lookup$/m);
  expect(text).toContain('… and 4 more with smaller differences');
  const narrow = await readPieces(
    terminal.report(inputWith([], [disagreement()]), sampleView({ width: 50 })),
  );
  expect(narrow).not.toContain('│');
  expect(narrow).toMatch(/^ {6}0\.0 % {2}tool-usage$/m);
});

test('with --verbose the listing shows every verdict', async () => {
  const view = sampleView({ width: 100, verbose: true });
  const text = await readPieces(terminal.report(inputWith([], [disagreement()]), view));
  expect(text).toContain('Scores ');
  expect(text).toContain('error handling');
});

test('the listing in Markdown names both verdicts with their reasons', async () => {
  const text = await readPieces(markdown.report(inputWith([], [disagreement()]), sampleView()));
  expect(text).toContain(
    '  - 100.0 % `keywords`: `1 of 1 found`\n  - 0.0 % `tool-usage`: `not used: lookup`\n',
  );
});

test.each([40, 60, 80, 120])('names of any length and kind stay within %d columns', async (width) => {
  const hostile = `\u001b[31m${'漢字'.repeat(40)}\nname`;
  const [first] = disagreement().widest;
  const side = { metric: hostile, value: 0.99999 };
  const widest = [{ ...(first as Disagreement['widest'][number]), caseId: hostile, high: side }];
  const targets = [hostile, 'b'].map((target) => ({ target, compared: 1_000_000, count: 999_999 }));
  const one = disagreement({ targets, widest, compared: 2_000_000, count: 1_999_998 });
  for (const input of [inputWith([one]), inputWith([], [one])]) {
    const text = await readPieces(terminal.report(input, sampleView({ width })));
    expect(text).not.toContain('\u001b');
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  }
});

test('metrics that rank answers alike or in reverse are listed with --verbose', async () => {
  const input = sampleInput(trials);
  const pairs = [
    { metrics: ['rouge', 'squad-f1'], spearman: 0.974, n: 60 },
    { metrics: ['rouge', 'politeness'], spearman: -0.81, n: 60 },
    { metrics: ['rouge', 'keywords'], spearman: 0.6, n: 60 },
    { metrics: ['few', 'answers'], spearman: 1, n: 19 },
  ].map((pair) => ({ ...pair, metrics: pair.metrics as [string, string] }));
  const summary = { ...input.summary, correlations: { trials: 60, sampled: 60, pairs } };
  const listing = await readPieces(
    terminal.report({ ...input, summary }, sampleView({ width: 120, verbose: true })),
  );
  expect(listing).toContain('rouge and squad-f1 rank answers alike: 0.97 over 60 answers\n');
  expect(listing).toContain('rouge and politeness rank answers the other way round: −0.81 over 60 answers\n');
  expect(listing).not.toContain('rouge and keywords');
  expect(listing).not.toContain('few and');
  const short = await readPieces(terminal.report({ ...input, summary }, sampleView()));
  expect(short).not.toContain('rank answers');
});
