import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lint, type LintReport } from 'touchstone-evals';
import { temporaryFolder, touchstone } from './run-cli.ts';

const folder = await temporaryFolder();

const golden = [
  {
    id: 'hours',
    question: 'When do you open?',
    expected_answer: 'We open at nine.',
    expected_keywords: ['nine'],
  },
  {
    id: 'open',
    question: 'when do you open',
    expected_answer: 'A start at ten.',
    expected_keywords: ['ten', 'a'],
  },
  ...Array.from({ length: 8 }, (_, each) => ({
    id: `price-${each}`,
    question: `What does lamp ${each} cost?`,
    expected_answer: `Lamp ${each} costs ${each} dollars.`,
    expected_keywords: [`Lamp ${each}`],
  })),
];
const toText = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
await writeFile(path.join(folder, 'golden.jsonl'), toText(golden));
await writeFile(path.join(folder, 'train.jsonl'), toText([{ question: 'What does lamp 3 cost' }]));

async function run(...args: readonly string[]) {
  return await touchstone(['lint', ...args], { cwd: folder });
}

test('findings are grouped, with place and remedy, and warnings fail only with --strict', async () => {
  const { code, stdout } = await run('golden.jsonl');
  expect(code).toBe(0);
  expect(stdout).toBe(`warning  echoed-keyword (8)
  golden.jsonl:3:117  the question itself contains the only keyword ("Lamp 0"): an answer that repeats the question gets full marks
  golden.jsonl:4:117  the question itself contains the only keyword ("Lamp 1"): an answer that repeats the question gets full marks
  golden.jsonl:5:117  the question itself contains the only keyword ("Lamp 2"): an answer that repeats the question gets full marks
  golden.jsonl:6:117  the question itself contains the only keyword ("Lamp 3"): an answer that repeats the question gets full marks
  golden.jsonl:7:117  the question itself contains the only keyword ("Lamp 4"): an answer that repeats the question gets full marks
    → Add a keyword that only a right answer contains.
  … and 3 more (--verbose lists them all)

warning  near-duplicate
  golden.jsonl:2:1  asks the same as line 1, and expects something else: the same words, but for case, punctuation, endings and words such as "the"
    → Find out which expectation is right, and keep one of the two.

warning  weak-keyword
  golden.jsonl:2:107  the keyword "a" is in nearly every answer
    → Replace it by a word that only a right answer contains; a number belongs in \`expected_numbers\`.

note  small-sample
  golden.jsonl  with 10 questions, a pass rate near 50 % is known to ±26 points
    → For ±10 points, 93 questions are needed, in each category that is to be judged by itself.

10 questions in golden.jsonl: 10 warnings, 1 note.
`);
  expect((await run('golden.jsonl', '--strict')).code).toBe(1);
  expect(
    (await run('golden.jsonl', '--verbose')).stdout.split('\n').filter((line) => line.includes('Lamp')),
  ).toHaveLength(8);
});

test('a question of the other file is an error, and rules can be switched off', async () => {
  const { code, stdout } = await run(
    'golden.jsonl',
    '--against',
    'train.jsonl',
    '--skip',
    'echoed-keyword,small-sample',
    '--skip',
    'weak-keyword',
    '--json',
  );
  expect(code).toBe(1);
  const report = JSON.parse(stdout) as LintReport;
  expect(report.counts).toEqual({ error: 1, warning: 1, note: 0 });
  expect(report.findings[0]).toMatchObject({
    rule: 'leak',
    severity: 'error',
    file: 'golden.jsonl',
    line: 6,
    caseId: 'price-3',
    related: { file: 'train.jsonl', line: 1 },
  });
  expect(report.skipped).toEqual(['echoed-keyword', 'small-sample', 'weak-keyword']);
});

test('the dataset of a config is checked by its metrics, and the library finds the same', async () => {
  const config = await temporaryFolder();
  const rows = [{ question: 'When?', expected_answer: 'At nine.', relevant_ids: ['d1'] }];
  await writeFile(path.join(config, 'set.jsonl'), toText(rows));
  await writeFile(
    path.join(config, 'touchstone.config.yaml'),
    'dataset: set.jsonl\ntargets: [{ use: http, url: "http://127.0.0.1:9/", name: bot, headers: { key: "{{env.NO_SUCH_KEY}}" } }]\nscorecard: null\nmetrics: [answer-match]\n',
  );
  const { code, stdout } = await touchstone(['lint', '--json'], { cwd: config });
  const report = JSON.parse(stdout) as LintReport;
  expect({ code, found: report.findings[0]?.message }).toEqual({
    code: 1,
    found:
      'lists of expected documents of 1 question, here first, are read by no metric of touchstone.config.yaml',
  });
  const { findings, counts } = await lint([], { folder: config });
  expect(counts).toEqual(report.counts);
  expect(findings.map(({ message }) => message)).toEqual(report.findings.map(({ message }) => message));
});

test('wrong usage ends with 4 and says what to do', async () => {
  expect(await run('golden.jsonl', '--skip', 'near-duplicat')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Did you mean "near-duplicate"?'),
  });
  expect((await run('missing.jsonl')).code).toBe(4);
  expect(await run()).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('There is no file to check.'),
  });
});

test('a row that cannot be read is an error, and the others are checked', async () => {
  const broken = await temporaryFolder();
  await writeFile(
    path.join(broken, 'set.jsonl'),
    '{"question": "When?", "expected_answer": "TODO"}\n{"question": \n',
  );
  const { code, stdout } = await touchstone(['lint', 'set.jsonl'], { cwd: broken });
  expect(code).toBe(1);
  expect(stdout).toContain('error  invalid-row\n  set.jsonl:2:');
  expect(stdout).toContain('the expected answer is "TODO"');
});
