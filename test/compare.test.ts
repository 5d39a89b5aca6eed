import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunComparison } from '../src/core/schema/run-comparison.ts';
import { temporaryFolder, touchstone as start } from './run-cli.ts';

const folder = await temporaryFolder();

function touchstone(...args: readonly string[]) {
  return start(args, { cwd: folder, env: { COLUMNS: '110' } });
}

async function write(name: string, content: string): Promise<void> {
  await writeFile(path.join(folder, name), content);
}

/** A bot that is right on one of two questions and whose wrong answers contain markup and control characters. */
const first = `
export default async function answer(question) {
  const n = Number(/number (\\d+)/.exec(question)[1]);
  return n % 2 === 0 ? 'It is \\u001b[31mred\\u001b[0m, says **the** [register](http://evil.example).' : 'It is blue, says the register.';
}
`;
/** A bot that is right on all questions but one, where it fails. */
const second = `
export default async function answer(question) {
  const n = Number(/number (\\d+)/.exec(question)[1]);
  if (n === 7) throw new Error('the index is gone');
  return n === 1 ? 'It is green, says the book.' : 'It is blue, says the book.';
}
`;
const questions = Array.from({ length: 24 }, (_, index) => ({
  id: `q${index}`,
  question: `Which colour has the thing under number ${index}?`,
  category: index < 12 ? 'early' : 'late',
  expected_keywords: ['blue'],
}));
const edited = questions
  .filter(({ id }) => id !== 'q20')
  .map((row) => (row.id === 'q5' ? { ...row, question: row.question.replace('has', 'really has') } : row));
const toLines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const config = (dataset: string, file: string) =>
  JSON.stringify({ dataset, targets: [{ use: 'module', name: 'bot', path: file }] });

await write('first.mjs', first);
await write('second.mjs', second);
await write('golden.jsonl', toLines(questions));
await write('edited.jsonl', toLines(edited));
await write('one.config.json', config('golden.jsonl', 'first.mjs'));
await write('two.config.json', config('edited.jsonl', 'second.mjs'));
await touchstone('run', 'one.config.json');
await touchstone('run', 'two.config.json');

async function compareAsJson(...args: readonly string[]): Promise<RunComparison> {
  const { stdout } = await touchstone('compare', ...args, '--json');
  return JSON.parse(stdout) as RunComparison;
}

const forward = await compareAsJson('latest~1', 'latest');

test('a comparison shows the verdict, the numbers, the questions in only one run, and the flips', async () => {
  const { code, stdout } = await touchstone('compare', 'latest~1', 'latest');
  expect(code).toBe(0);
  expect(stdout).toContain('B is better\n');
  expect(stdout).toMatch(
    /On the score, B − A is \+\d+\.\d points, \[\+\d+\.\d, \+\d+\.\d\], p [=<] 0\.\d+, n = 21 questions/,
  );
  expect(stdout).toContain('! the datasets are not the same; only what both ask is compared\n');
  expect(stdout).toContain('2 questions only in A: q5, q20\n');
  expect(stdout).toContain('1 question only in B: q5\n');
  expect(stdout).toContain('1 question edited (same id, other content): q5\n');
  expect(stdout).toContain('1 question not measured in B alone: q7\n');
  expect(stdout).toContain('Flipped: 1 to the worse, 11 to the better\n');
  expect(stdout).toContain('± It is [-blue,-] {+green,+} says the [-register.-] {+book.+}\n');
  expect(stdout).toContain('␛[31mred');
  expect(stdout.includes('\u001b')).toBe(false);
});

test('swapping the runs mirrors the comparison', async () => {
  const backward = await compareAsJson('latest', 'latest~1');
  const [there, back] = [forward.comparisons[0]!, backward.comparisons[0]!];
  expect(back.verdict.outcome).toBe('worse');
  const scores = [there.differences[0]!, back.differences[0]!];
  expect(scores[1]!.difference.value).toBe(-scores[0]!.difference.value!);
  expect(scores[1]!.difference.lower).toBe(-scores[0]!.difference.upper!);
  expect(scores[1]!.pValue).toBe(scores[0]!.pValue);
  expect([back.flipsToWorse, back.flipsToBetter]).toEqual([11, 1]);
});

test('with --fail-on-regression a regression exits with 1, and an inconclusive comparison does not pass', async () => {
  const better = await touchstone('compare', 'latest~1', 'latest', '--fail-on-regression', '--margin', '20');
  expect(better.code).toBe(0);
  expect(better.stdout).toContain('Gate: no regression: B is shown not to be worse by more than 20.0 points');
  const worse = await touchstone('compare', 'latest', 'latest~1', '--fail-on-regression', '--margin', '0.5');
  expect(worse.code).toBe(1);
  const open = await touchstone('compare', 'latest', 'latest~1', '--fail-on-regression', '--margin', '15');
  expect(open.code).toBe(3);
});

test('reports are written as Markdown, JSON and a page, with names and answers in code spans', async () => {
  const { code } = await touchstone(
    'compare',
    'latest~1',
    'latest',
    '--output',
    'report.md',
    '--output',
    'report.json',
    '--output',
    'report.html',
  );
  expect(code).toBe(0);
  const text = await readFile(path.join(folder, 'report.md'), 'utf8');
  expect(text).toMatch(/^## Touchstone compare\n\n\*\*B is better\*\*\n\nOn the score/);
  expect(text).toContain('`It is ␛[31mred␛[0m, says **the** [register](http://evil.example).`');
  const document = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8')) as RunComparison;
  expect(document.comparisons[0]?.flips).toHaveLength(12);
  const page = await readFile(path.join(folder, 'report.html'), 'utf8');
  expect(page).toContain('data-answer="/compare">{"a":{');
  expect(page).toMatch(/data-answer="\/comparison">\{"pairs":\[\{"shown":(\d+),"cases":\1\}\]\}/);
  const refused = await touchstone('compare', 'latest~1', 'latest', '--output', 'report.pdf');
  expect(refused).toMatchObject({ code: 4 });
});

test('an exported file compares like the run in it', async () => {
  await touchstone('export', 'latest', '--output', 'kept.jsonl');
  const fromFile = await compareAsJson('latest~1', 'kept.jsonl');
  expect(fromFile).toEqual(forward);
});

test('a baseline can be compared by name', async () => {
  await touchstone('baseline', 'set', 'main', forward.comparisons[0]!.a.run);
  expect(await compareAsJson('main', 'latest')).toEqual(forward);
});

test('a changed metric is reported prominently, with the command that scores both runs alike', async () => {
  const metrics = [{ use: 'keywords', name: 'words', threshold: 0.5 }];
  const targets = [{ use: 'module', name: 'bot', path: 'second.mjs' }];
  const [strict, lax] = [{ metrics }, { metrics: [{ use: 'keywords', name: 'words', threshold: 1 }] }];
  const separate = await temporaryFolder();
  const here = (...args: readonly string[]) => start(args, { cwd: separate, env: { COLUMNS: '110' } });
  await writeFile(path.join(separate, 'second.mjs'), second);
  await writeFile(path.join(separate, 'golden.jsonl'), toLines(questions));
  for (const [name, rules] of Object.entries({ strict, lax })) {
    const written = JSON.stringify({ dataset: 'golden.jsonl', targets, ...rules });
    await writeFile(path.join(separate, `${name}.config.json`), written);
    await here('run', `${name}.config.json`);
  }
  const { stdout } = await here('compare', 'latest~1', 'latest');
  expect(stdout).toContain('! the target is the same in both runs');
  expect(stdout).toContain('! metric words has other options\n');
  expect(stdout).toMatch(/^ {4}touchstone rescore \S+\n {4}touchstone compare latest \S+$/m);
  expect(stdout).toContain('* measured by another rule in A than in B');
});

test('wrong usage is refused with the mistake named', async () => {
  const alone = await touchstone('compare', 'latest');
  expect(alone.code).toBe(4);
  expect(alone.stderr).toContain('A comparison takes two runs or more.');
  const twice = await touchstone('compare', 'latest', 'latest');
  expect(twice.code).toBe(4);
  expect(twice.stderr).toMatch(/Run \S+ is named twice\./);
  const far = await touchstone('compare', 'latest~9', 'latest');
  expect(far.stderr).toContain('There is no run latest~9: the store has 2.');
  const target = await touchstone('compare', 'latest~1', 'latest', '--target', 'bot=nobody');
  expect(target.stderr).toMatch(/has no target "nobody"; it has bot\./);
});
