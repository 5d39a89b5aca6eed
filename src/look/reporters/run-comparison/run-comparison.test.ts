import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth } from '../../../core/lib/text/terminal-text.ts';
import { compareRuns } from '../../../people/reviews/compare-runs.ts';
import { type RunComparison, runComparisonSchema } from '../../../core/schema/run-comparison.ts';
import { buildKeptRun } from '../../../../test/support/build-kept-run.ts';
import type { ComparisonInput } from '../../report/comparison/rows.ts';
import { jsonDocument } from '../../../core/lib/objects.ts';
import { comparisonMarkdown, comparisonText } from './layout.ts';

const view = { width: 100, color: false, verbose: false };

async function compare(
  before: readonly number[],
  after: readonly number[],
  answers: readonly string[] = ['It is.'],
) {
  const cases = (totals: readonly number[]) =>
    totals.map((total, index) => {
      const answer = answers[index % answers.length] ?? '';
      return {
        asks: `${answer} ${index}`,
        category: answer,
        attempts: [{ total, answer: `${answer} ${total}` }],
      };
    });
  const a = await buildKeptRun(cases(before), { id: 'run-a', createdAt: '2026-01-01T00:00:00.000Z' });
  const b = await buildKeptRun(cases(after), { id: 'run-b', createdAt: '2026-01-02T00:00:00.000Z' });
  return await compareRuns([a, b], { margin: 0.05 });
}

const before = [0.5, 0.625, 0.8, 0.3, 1, 0.9, 0.45, 0.7, 0.55, 0.65, 0.2, 0.85];
const after = [0.6, 0.75, 0.7, 0.65, 1, 0.95, 0.6, 0.9, 0.5, 0.85, 0.45, 0.8];

test('the verdict comes first, with the numbers behind it', async () => {
  const low = before.map((total) => total / 4);
  const text = comparisonText({ comparison: await compare(low, after) }, view);
  expect(text).toContain(
    'B is better\n  On the score, B − A is +57.2 points, [+15.3, +70.0], p = 0.009, n = 12 questions.\n',
  );
  const unsure = comparisonText({ comparison: await compare(before, after) }, view);
  expect(unsure.replace(/\s+/g, ' ')).toContain(
    'Gate: inconclusive: a loss of more than 5.0 points could go unnoticed in so few questions; it takes at least 59',
  );
  expect(text).toMatch(
    /score +15\.7 % +72\.9 % +\+57\.2 +\[\+15\.3, \+70\.0\] +0\.009 +better +12 +12 \/ 0 \/ 0\n/,
  );
  expect(text).toContain('Flipped: 0 to the worse, 10 to the better');
});

test('a version that is better on most questions is not called better where a rare loss could outweigh that', async () => {
  const gained = before.map((total) => Math.min(1, total * 0.9 + 0.1));
  const pair = await compare(
    before.map((total) => total * 0.9),
    gained,
  );
  const text = comparisonText({ comparison: pair }, view);
  expect(text).toContain('B is better on most questions that differ, not shown on average\n');
  expect(text.replace(/\s+/g, ' ')).toContain(
    'B is better on 12 and worse on 0 of 12 questions (sign test, p < 0.001); losses too rare to show in so few could outweigh that.',
  );
  expect(text).toMatch(/score .* better on most /);
  const markdown = comparisonMarkdown({ comparison: pair });
  expect(markdown).toContain('better on most');
  expect(text).not.toMatch(/B is better\n/);
});

test('without a visible difference, the detectable one and the size for a smaller one are shown', async () => {
  const alike = before.map((total, index) => total + (index % 2 === 0 ? 0.1 : -0.1));
  const text = comparisonText({ comparison: await compare(before, alike) }, view);
  expect(text).toContain('No visible difference\n');
  expect(text).toMatch(
    /A true difference of 29\.4 points would have been detected with 80 % power; a smaller/,
  );
  expect(text).toMatch(
    /Detecting a smaller one takes more: 10\.0 points about 4\d questions, 5\.0 points about 1\d\d/,
  );
  const few = comparisonText({ comparison: await compare([0.1, 0.2], [0.9, 0.8]) }, view);
  expect(few).toContain('Not enough data\n  2 questions in both runs, of which 2 have a number in both.');
});

test('different rules are reported with the commands that score both by the same ones', async () => {
  const comparison = await compare(before, after);
  const [pair] = comparison.comparisons;
  const notices = [{ kind: 'metric' as const, name: 'keywords', message: 'is of version 1 in A and 2 in B' }];
  const changed = { ...comparison, comparisons: [{ ...pair!, notices }] };
  const text = comparisonText({ comparison: changed, storeFolder: 'my store' }, view);
  expect(text).toContain('  ! metric keywords is of version 1 in A and 2 in B\n');
  expect(text).toContain("    touchstone rescore run-a --store 'my store'\n");
  expect(text).toContain("    touchstone compare latest run-b --store 'my store'\n");
  const files = new Map([['run-a', 'main.jsonl']]);
  expect(comparisonMarkdown({ comparison: changed, files })).toContain(
    '  - `touchstone import main.jsonl`\n  - `touchstone rescore run-a`\n',
  );
});

test('the JSON is one document that matches its schema', async () => {
  const comparison = await compare(before, after);
  expect(runComparisonSchema.parse(JSON.parse(jsonDocument(comparison)))).toEqual(comparison);
});

const hostile = [
  '\u001b[2J\u001b[H cleared',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  'over\rwritten\u009b31m',
  '\u202eexe.evil\u202c',
  'half \ud83d',
  '<script>alert(1)</script> | cell | [link](https://evil.example) ![x](y)',
  '@everyone #1 ```\nfenced\n``` `` `',
  '# heading\n- item',
  '長い語'.repeat(60),
  'longword'.repeat(40),
  '日本語 👩‍👩‍👧 é',
];
const harmful = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

/** Returns a comparison in which every text from outside is hostile. */
async function hostileInput(texts: readonly string[]): Promise<ComparisonInput> {
  const many = [...before, ...after];
  const comparison: RunComparison = await compare(many, many.toReversed(), texts);
  const [text = ''] = texts;
  const [pair] = comparison.comparisons;
  const side = {
    run: text,
    target: text,
    createdAt: '2026-01-01',
    sources: [...texts],
    cases: 3,
    attempts: 2,
  };
  const hostile = {
    ...pair!,
    a: { ...side, description: text },
    b: side,
    notices: [
      { kind: 'metric' as const, name: text, message: 'has other options' },
      {
        kind: 'version' as const,
        name: text,
        message: 'is how the version of Touchstone changed from A to B',
      },
    ],
    differences: pair!.differences.map((row) =>
      row.measure === 'metric' ? { ...row, name: text, unit: text, better: null } : row,
    ),
    pairing: { ...pair!.pairing, onlyA: { count: texts.length, ids: [...texts] } },
  };
  const ranking = [{ rank: 1, lastRank: 1, run: text, target: text, toLeader: null, adjustedPValue: null }];
  const files = new Map([[text, text]]);
  return { comparison: { ...comparison, comparisons: [hostile], ranking }, files, storeFolder: text };
}

test('no text controls the terminal or exceeds its columns', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(hostile, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 40, max: 160 }),
      fc.boolean(),
      async (texts, width, verbose) => {
        const text = comparisonText(await hostileInput(texts), { ...view, width, verbose });
        const lines = text.split('\n');
        expect(lines.filter((line) => harmful.test(line))).toEqual([]);
        expect(lines.filter((line) => displayWidth(line) > width)).toEqual([]);
      },
    ),
    { numRuns: 5 },
  );
});

test('in Markdown no text leaves its code span, and tables keep their columns', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(hostile, { minLength: 1, maxLength: 4 }), async (texts) => {
      const text = comparisonMarkdown(await hostileInput(texts));
      for (const line of text.split('\n')) {
        expect(line).not.toMatch(harmful);
        const outside = line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
        expect(outside).not.toMatch(/[<>@`\\]|https?:|!\[|\]\(|[\u3040-\u9fff]|longword|cleared|written/);
      }
      for (const table of text.split('\n\n').filter((paragraph) => paragraph.startsWith('|'))) {
        const pipes = table
          .trimEnd()
          .split('\n')
          .filter((row) => row.startsWith('|'))
          .map((row) => row.split('|').length);
        expect(new Set(pipes).size).toBe(1);
      }
    }),
    { numRuns: 5 },
  );
});
