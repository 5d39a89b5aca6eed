import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPieces, sampleView } from '../../../test/support/build-sample-run.ts';
import { meetsIn, others } from '../../../test/support/first-screen-ideas.ts';
import { displayWidth } from '../../core/lib/text/terminal-text.ts';
import { terminal } from '../../look/reporters/terminal.ts';
import { score } from './runs/score.ts';

// The first screens of runs that are not scored by the default scorecard, from recorded answers to the last line.

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-first-screens-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Ten questions on prices: the answer to the fourth is rude and wrong, that to the eighth too long. */
const rows = Array.from({ length: 10 }, (_, place) => ({
  id: `q${place}`,
  question: `What does lamp ${place} cost?`,
  expected_answer: '49 euros',
  answer: { 3: 'Ask somebody else, buddy!', 7: `49 euros. ${'Indeed. '.repeat(20)}` }[place] ?? '49 euros',
}));
writeFileSync(path.join(folder, 'answers.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));

async function screenOf(config: object): Promise<string> {
  writeFileSync(
    path.join(folder, 'config.json'),
    JSON.stringify({
      dataset: 'answers.jsonl',
      targets: [{ use: 'replay', path: 'answers.jsonl' }],
      ...config,
    }),
  );
  const { run, summary, results } = await score('answers.jsonl', { folder, config: 'config.json' });
  const input = {
    run,
    summary,
    async *results(ordinals?: readonly number[]) {
      for await (const result of results())
        if (ordinals?.includes(result.trial.ordinal) ?? true) yield result;
    },
  };
  const text = await readPieces(terminal.report(input, sampleView({ isShort: true })));
  return text.replaceAll(run.id, 'RUN');
}

function checkShape(text: string, allowed: readonly string[] = []): void {
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80);
  expect(meetsIn(text, others).filter((idea) => !allowed.includes(idea))).toEqual([]);
}

const judge = {
  use: 'scripted-judge',
  rules: [
    { part: 'answer', when: 'buddy', reply: { score: 0, reason: 'It is too familiar.' } },
    { reply: { score: 1, reason: 'It is polite.' } },
  ],
};

test('a run that a judge alone decides says what the judge said of each answer that failed', async () => {
  const polite = { use: 'rubric', name: 'polite', text: 'The answer is polite.' };
  const text = await screenOf({
    judge,
    scorecard: { use: 'weighted', criteria: [{ metric: polite, weight: 1 }] },
  });
  checkShape(text);
  expect(text).toContain('from 10 questions\n9 passed · 1 failed · 0 errors\n');
  expect(text).toContain('  said "Ask somebody else, buddy!"\n  polite: It is too familiar.\n');
});

test('a weighted run says of each answer what it lacks, and of a quantity which bound it breaks', async () => {
  const text = await screenOf({
    scorecard: {
      use: 'weighted',
      passMark: 0.9,
      criteria: [
        { metric: 'answer-match', weight: 0.75 },
        { metric: { use: 'answer-length', name: 'length', max: 60 }, weight: 0.25 },
      ],
    },
  });
  checkShape(text);
  expect(text).toContain('8 passed · 2 failed · 0 errors\n');
  expect(text).toContain('  said "Ask somebody else, buddy!"\n  expected "49 euros"\n');
  expect(text.replaceAll(/\s+/g, ' ')).toMatch(/said "49 euros\. Indeed\.[^"]*" length: 1[67]\d characters/);
});

test('a run whose criteria are met or not says which were not', async () => {
  const text = await screenOf({
    scorecard: {
      use: 'binary-weighted',
      criteria: [
        { name: 'right price', metric: 'answer-match', weight: 0.6 },
        { name: 'short', metric: { use: 'word-count', max: 10 }, weight: 0.4 },
      ],
    },
  });
  checkShape(text);
  expect(text).toContain('What does lamp 3 cost?');
  expect(text.replaceAll(/\s+/g, ' ')).toContain('but right price (−0.60: ');
});

test('a run without a scorecard gives its numbers and the counts, and says that nothing passes or fails', async () => {
  const text = await screenOf({ scorecard: null, metrics: ['answer-match', 'answer-length'] });
  checkShape(text, ['metric', 'latency']);
  expect(text).toMatch(
    /^answers {2}answer-match 90\.0 % · answer-length [\d.]+ characters\n10 answers · 0 errors\n/,
  );
  expect(text).toContain('Without a scorecard nothing passes or fails.');
});
