import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth } from '../../core/lib/text/terminal-text.ts';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import type { SampleTrial } from '../../../test/support/judge-sample.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { toRunHead } from '../../core/schema/api/to-run-head.ts';
import { formatRunList } from './run-list.ts';
import { withComparisons } from '../../../test/support/with-comparisons.ts';
import { terminal } from './terminal.ts';

const texts = [
  '\u001b[2J\u001b[H cleared',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001b[10A\u001b[5Dmoved',
  'over\rwritten',
  'back\b\b\bspace',
  '\u009b31mred',
  'a\0b\u007f',
  '\u202eexe.evil\u202c',
  '\u2066isolated\u2069',
  'pay\u200bpal\ufeff',
  'line\u2028separator\u2029',
  'half \ud83d',
  `zalgo${'\u0301'.repeat(500)}`,
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '</details></summary><!-- ',
  '[link](https://evil.example) ![image](https://evil.example/x.png) https://evil.example www.evil.example',
  '| cell | another |\n| --- | --- |\n\\| \\\\|',
  '@everyone #1 GH-2 :tada: $x$ $`y`$',
  '```\nfenced\n```\n``` `` `',
  '# heading\n- item\n> quote\n\n    code',
  '日本語 👩‍👩‍👧 🇨🇭 é',
];

/** An input with the given text in every place that a target, a dataset or a config can fill. */
function hostileTrials(): SampleTrial[] {
  return texts.flatMap((text, index): SampleTrial[] => {
    const seen = { target: text, category: text, question: text, answer: text, logs: text };
    return [
      {
        ...seen,
        id: `${text}${index}`,
        expectedTools: [text],
        usedTools: [`${text}!`],
        missing: [text],
        found: ['x'],
      },
      { ...seen, id: `${text}${index}e`, error: { code: text, message: text } },
      { ...seen, id: `${text}${index}r`, reportedError: text },
    ];
  });
}

const hostileRun = {
  id: texts.join(''),
  description: texts.join(' '),
  dataset: { sources: texts, cases: 3, hash: 'h' },
};
/** All hostile texts in one run, which the tests only read. */
const input = sampleInput(hostileTrials(), hostileRun);
const harmful = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

test.each([
  [40, true],
  [80, false],
  [200, true],
])('no text controls the terminal or exceeds its %d columns, verbose: %s', async (width, verbose) => {
  const text = await readPieces(terminal.report(input, sampleView({ width, verbose })));
  const lines = text.split('\n');
  expect(lines.filter((line) => harmful.test(line))).toEqual([]);
  expect(lines.filter((line) => displayWidth(line) > width)).toEqual([]);
});

const pieces = [
  ...texts,
  ...Array.from('\u200d\u200c\u061c\u180e\u115f\u3164\u00ad\ufe0f\u2029\t\r\n "\'`|<>[](){}*_~#&\\!·…'),
  '\u001b[31m',
  '\u001b]0;title\u0007',
  'longword'.repeat(40),
  '長い語'.repeat(60),
  '👨‍👩‍👧‍👦'.repeat(9),
  'مرحبا بالعالم',
  'नमस्ते',
  'plain words',
];
const hostileText = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
);
const hostileTrial = fc
  .record({ a: hostileText, b: hostileText, c: hostileText, kind: fc.integer({ min: 0, max: 3 }) })
  .map(({ a, b, c, kind }): SampleTrial => {
    const base = { question: a, category: b, answer: c, expectedTools: [b], usedTools: [a], missing: [c] };
    if (kind === 1) return { ...base, error: { code: a, message: b } };
    if (kind === 2) return { ...base, reportedError: c };
    return kind === 3 ? { ...base, isUnmeasured: true } : base;
  });
const hostileInput = fc
  .record({
    trials: fc.array(hostileTrial, { minLength: 1, maxLength: 5 }),
    names: fc.array(hostileText, { minLength: 1, maxLength: 3 }),
  })
  .map(({ trials, names }) => {
    const targets = names.map((name, index) => `${name}${index}`);
    const all = trials.flatMap((trial, index) =>
      targets.map((target) => ({ ...trial, target, id: `${trial.question}${index}` })),
    );
    return sampleInput(all, hostileRun);
  });

test('no line controls the terminal or is wider than it, whatever the texts', async () => {
  await fc.assert(
    fc.asyncProperty(
      hostileInput,
      fc.integer({ min: 40, max: 200 }),
      fc.record({ verbose: fc.boolean(), isPart: fc.boolean(), narrowing: hostileText }),
      async (plain, width, { verbose, isPart, narrowing }) => {
        const input = { ...(await withComparisons(plain)), ...(isPart ? { narrowing } : {}) };
        const lines = (await readPieces(terminal.report(input, sampleView({ width, verbose })))).split('\n');
        expect(lines.filter((line) => harmful.test(line))).toEqual([]);
        expect(lines.filter((line) => displayWidth(line) > width)).toEqual([]);
      },
    ),
    { numRuns: 10 },
  );
});

test('nothing leaves a code span of Markdown and tables keep their columns, whatever the texts', async () => {
  await fc.assert(
    fc.asyncProperty(hostileInput, fc.option(hostileText, { nil: undefined }), async (plain, narrowing) => {
      const input = { ...(await withComparisons(plain)), narrowing };
      const text = await readPieces(markdown.report(input, sampleView()));
      const lines = text.split('\n');
      expect(lines.filter((line) => harmful.test(line))).toEqual([]);
      const outside = lines.map((line) => withoutCodeSpans(line).replaceAll(/<\/?(?:details|summary)>/g, ''));
      const active = /[<>@`\\]|https?:|www\.|!\[|\]\(|[\u0590-\u08ff\u3040-\u9fff]|longword/;
      expect(outside.filter((line) => active.test(line))).toEqual([]);
      const tables = text.split('\n\n').filter((paragraph) => paragraph.startsWith('|'));
      for (const table of tables) {
        const pipes = table
          .trimEnd()
          .split('\n')
          .map((row) => row.split('|').length);
        expect(new Set(pipes).size).toBe(1);
      }
    }),
    { numRuns: 20 },
  );
});

test('with colours, the only escape sequences are our own', async () => {
  const text = await readPieces(terminal.report(input, sampleView({ color: true, verbose: true })));
  // oxlint-disable-next-line no-control-regex -- our own colours are matched
  const rest = text.replaceAll(/\u001b\[(?:1|2|22|3[0-9])m/g, '').replaceAll('\n', '');
  expect(harmful.test(rest)).toBe(false);
});

test('JSON contains no control characters and parses to the same value', async () => {
  const text = await readPieces(json.report({ ...input, narrowing: texts.join(' ') }, sampleView()));
  expect(harmful.test(text.replaceAll('\n', ''))).toBe(false);
  const { run, narrowing, results } = JSON.parse(text);
  expect([run.id, narrowing]).toEqual([hostileRun.id, texts.join(' ')]);
  expect(results).toEqual(JSON.parse(JSON.stringify(await Array.fromAsync(input.results()))));
});

test('a list of runs contains no control characters', () => {
  const { run } = input;
  expect(harmful.test(formatRunList([{ run: toRunHead(run) }], sampleView()).replaceAll('\n', ''))).toBe(
    false,
  );
});

test('an answer of five megabytes is cut to a page', async () => {
  const input = sampleInput([{ answer: 'word '.repeat(1_000_000) }, { answer: 'x'.repeat(5_000_000) }]);
  const text = await readPieces(terminal.report(input, sampleView({ verbose: true })));
  expect(text.split('\n').length).toBeLessThan(220);
  expect(text).toContain('… cut; 5,000 thousand characters in total');
});

test('in Markdown all text from outside is in code spans, and nothing leaves one', async () => {
  const text = await readPieces(markdown.report(input, sampleView()));
  for (const line of text.split('\n')) {
    const outside = withoutCodeSpans(line).replace(
      /^<details><summary>\d+ questions? did not pass<\/summary>$/,
      '',
    );
    expect(outside.replace('</details>', '')).not.toMatch(/[<>@#`\\$]\w|https?:|www\.|!\[|\]\(|`|evil/);
  }
});

test('Markdown tables keep their columns', async () => {
  const text = await readPieces(markdown.report(input, sampleView()));
  const tables = text.split('\n\n').filter((paragraph) => paragraph.startsWith('|'));
  expect(tables.length).toBeGreaterThan(3);
  for (const table of tables) {
    const pipes = table
      .trimEnd()
      .split('\n')
      .map((row) => row.split('|').length);
    expect(new Set(pipes).size).toBe(1);
  }
});

/** Returns the text outside code spans by CommonMark: a run of backticks is closed by the next run of the same length. */
function withoutCodeSpans(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
}
