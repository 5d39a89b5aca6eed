import { expect, test } from 'vitest';
import { displayWidth } from '../lib/terminal-text.ts';
import { readPieces, sampleInput, sampleView } from './build-sample-run.ts';
import type { SampleTrial } from './judge-sample.ts';
import { markdown } from './markdown.ts';
import { formatRunList } from './run-list.ts';
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

/** Every text in every place that a target, a dataset or a config can fill. */
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
const harmful = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

for (const width of [40, 80, 200]) {
  for (const verbose of [false, true]) {
    test(`no text steers the terminal or leaves its ${width} columns${verbose ? ', verbose' : ''}`, async () => {
      const input = sampleInput(hostileTrials(), hostileRun);
      const text = await readPieces(terminal.report(input, sampleView({ width, verbose })));
      const lines = text.split('\n');
      expect(lines.filter((line) => harmful.test(line))).toEqual([]);
      expect(lines.filter((line) => displayWidth(line) > width)).toEqual([]);
    });
  }
}

test('with colours on, the only escape sequences are our own', async () => {
  const input = sampleInput(hostileTrials(), hostileRun);
  const text = await readPieces(terminal.report(input, sampleView({ color: true, verbose: true })));
  // oxlint-disable-next-line no-control-regex -- our own colours are what is looked for
  const rest = text.replaceAll(/\u001b\[(?:1|2|22|3[0-9])m/g, '').replaceAll('\n', '');
  expect(harmful.test(rest)).toBe(false);
});

test('a list of runs holds no control characters either', () => {
  const { run } = sampleInput(hostileTrials(), hostileRun);
  expect(harmful.test(formatRunList([run], sampleView()).replaceAll('\n', ''))).toBe(false);
});

test('an answer of five megabytes takes a page, not the screen', async () => {
  const input = sampleInput([{ answer: 'word '.repeat(1_000_000) }, { answer: 'x'.repeat(5_000_000) }]);
  const started = performance.now();
  const text = await readPieces(terminal.report(input, sampleView({ verbose: true })));
  expect(text.split('\n').length).toBeLessThan(220);
  expect(text).toContain('… cut; 5,000 thousand characters in all');
  expect(performance.now() - started).toBeLessThan(2000);
});

test('Markdown has everything from outside in code spans, and nothing leaves one', async () => {
  const input = sampleInput(hostileTrials(), hostileRun);
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
  const input = sampleInput(hostileTrials(), hostileRun);
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

/** What a CommonMark reader sees outside code spans: a run of backticks is closed by the next run of the same length. */
function withoutCodeSpans(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
}
