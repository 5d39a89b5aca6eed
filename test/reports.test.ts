import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone as start } from './run-cli.ts';

const folder = await temporaryFolder();

function touchstone(args: readonly string[], env: Record<string, string> = {}) {
  return start(args, { cwd: folder, env });
}

const bot = `
const tokens = { one: 100, two: 200 };
export default async function answer(question) {
  const n = Number(/number (\\d+)/.exec(question)[1]);
  if (n === 9) throw new Error('the index is \\u001b[31mgone');
  const text = n % 2 === 0 ? 'It is blue.' : 'I do not know.';
  const usage = { inputTokens: 100 + n, outputTokens: 10 };
  return n === 3 ? { answer: text } : { answer: text, usage, cost: 0.001 };
}
`;
const sure = `
export default async function answer(question) {
  await new Promise((resolve) => setTimeout(resolve, 15));
  return { answer: 'It is blue.', usage: { inputTokens: 900, outputTokens: 50 }, cost: 0.004 };
}
`;
const rows = Array.from({ length: 12 }, (_, index) => ({
  id: `colour-of-a-thing-with-a-long-name-${index}`,
  question: `Which colour has the thing that stands in the register under number ${index}, and who says so?`,
  category: index < 6 ? 'early' : 'late',
  expected_keywords: ['blue'],
}));
const config = {
  dataset: 'golden.jsonl',
  targets: [
    { use: 'module', name: 'plain', path: 'bot.mjs' },
    { use: 'module', name: 'sure', path: 'sure.mjs' },
  ],
};
await writeFile(path.join(folder, 'bot.mjs'), bot);
await writeFile(path.join(folder, 'sure.mjs'), sure);
await writeFile(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
await writeFile(path.join(folder, 'touchstone.config.json'), JSON.stringify(config));
const ran = await touchstone(['run', '--output', 'report.md', '--output', 'report.json']);

test('a run ends with both targets as one list, and the whole report shows them side by side', async () => {
  expect(ran.code).toBe(2);
  expect(ran.stdout).toMatch(/^ {2}plain +64 % +likely 36 to 87 +6 +5 +1$/m);
  expect(ran.stdout).toMatch(/^ {2}Did not pass +plain +sure$/m);
  expect(ran.stdout).toMatch(/no answer: the index is ␛\[31mgone/);
  const { stdout } = await touchstone(['show']);
  expect(stdout).toMatch(/^ {2}Side by side +plain +sure {2}sure − plain$/m);
  expect(stdout).toMatch(/^ {2}cost per call +\$0\.001 ★ +\$0\.004 {4}\+\$0\.003$/m);
  expect(stdout).toMatch(/^ {2}latency, p99 /m);
  expect(stdout).toContain('Calls   12, no retries · 1,054 tokens in · 100 tokens out · $0.01\n');
  expect(stdout).toContain('          tokens and cost unknown for 2 calls\n');
  expect(stdout).toMatch(/target-threw: the\s+index is\s+␛\[31mgone/);
  expect(stdout).toMatch(/^ {2}passed +54\.5 % +100\.0 %/m);
  expect(stdout).toContain('Passed  6 of 11  54.5 %');
  expect(stdout).toMatch(/touchstone show \S+ --failed --verbose/);
});

test('every question is shown in full beside its id, at any width', async () => {
  for (const width of ['60', '80', '200']) {
    const { stdout } = await touchstone(['show'], { COLUMNS: width });
    const flat = stdout.replaceAll(/\s+/g, ' ');
    for (const { id, question } of rows) expect(flat).toContain(`${question} ${id}`);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(Number(width));
  }
});

test('the JSON report holds totals of usage and the paired differences', async () => {
  const { summary } = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'));
  expect(summary.targets[0].usage).toMatchObject({
    trials: 12,
    inputTokens: { sum: 1054, reported: 10, unknown: 2 },
    outputTokens: { sum: 100, reported: 10, unknown: 2 },
    reasoningTokens: { sum: null, reported: 0, unknown: 12 },
    cost: { sum: expect.closeTo(0.01, 12), reported: 10, unknown: 2 },
    retries: 0,
    latency: { n: 12 },
  });
  const cost = summary.comparisons.find(({ measure }: { measure: string }) => measure === 'cost');
  expect(cost).toMatchObject({ leader: 'plain', best: 'plain', better: 'lower' });
  expect(cost.differences).toMatchObject([{ target: 'sure', n: 10, value: expect.closeTo(-0.003, 12) }]);
});

test('the Markdown report has the table of the targets', async () => {
  const text = await readFile(path.join(folder, 'report.md'), 'utf8');
  expect(text).toContain('| Side by side | `plain` | `sure` | `sure − plain` |\n');
  expect(text).toMatch(/^Calls: 12, no retries · 1,054 tokens in · /m);
});

test('a filter narrows the list, and the report says that scores are not narrowed', async () => {
  const { stdout } = await touchstone(['show', '--filter', 'category=late']);
  expect(stdout).toContain('Only a part of the run is listed: category=late. The scores are for the whole\n');
  expect(stdout).not.toContain('number 5,');
  expect(stdout).toContain('  6 questions listed: 3 passed · 2 failed · 1 error\n');
  const { stdout: json } = await touchstone(['show', '--filter', 'category=late', '--json']);
  expect(JSON.parse(json)).toMatchObject({ narrowing: 'category=late', results: { length: 12 } });
});

test('--failed lists only questions that did not pass', async () => {
  const { stdout } = await touchstone(['show', '--failed']);
  expect(stdout).toContain('  6 questions listed: 5 failed · 1 error\n');
  expect(stdout).toContain('No question matches.\n');
  expect(stdout).not.toMatch(/^ {2}✓/m);
});
