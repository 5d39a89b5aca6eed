import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { labelRun } from './support/labelled-run.ts';

const root = path.resolve(import.meta.dirname, '..');
const vitest = path.join(root, 'node_modules', 'vitest');

const bot = `
const asked = new Map();
export default async function answer(question) {
  const times = (asked.get(question) ?? 0) + 1;
  asked.set(question, times);
  if (question.includes('roof')) throw new Error('the index is \\u001b[31mgone');
  if (question.includes('sky')) return times % 2 === 1 ? 'It is blue.' : 'It is grey.';
  return question.includes('sea') ? 'It is grey.' : 'It is green.';
}
`;
const rows = [
  { id: 'grass', question: 'Which colour has the grass?', expected_tools: [], expected_keywords: ['green'] },
  { id: 'sea', question: 'Which colour has the sea?', expected_tools: [], expected_keywords: ['blue'] },
  { id: 'roof', question: 'Which colour has the roof?', expected_tools: [], expected_keywords: ['red'] },
];
const flaky = {
  id: 'sky',
  question: 'Which colour has the sky?',
  expected_tools: [],
  expected_keywords: ['blue'],
};
const watched = { ...flaky, id: 'cloud', question: 'Which colour has the cloud?', gate: 'watch' };
const target = { use: 'module', name: 'painter', path: 'bot.mjs', toolCalls: 'none' };

function testFile(config: object, options: object = {}): string {
  return `import { defineGoldenTests } from 'touchstone-evals/vitest';
await defineGoldenTests(${JSON.stringify({ targets: [target], ...config })}, ${JSON.stringify(options)});\n`;
}

/** Creates a project with Touchstone and Vitest installed as npm would. */
async function layOut(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  const installed = path.join(folder, 'node_modules', 'touchstone-evals');
  await mkdir(installed, { recursive: true });
  await cp(path.join(root, 'package.json'), path.join(installed, 'package.json'));
  const isNoType = (file: string) => path.basename(file) !== 'types';
  await cp(path.join(root, 'dist'), path.join(installed, 'dist'), { recursive: true, filter: isNoType });
  await symlink(vitest, path.join(folder, 'node_modules', 'vitest'));
  const all = { 'bot.mjs': bot, 'package.json': '{ "type": "module" }', ...files };
  for (const [name, text] of Object.entries(all)) await writeFile(path.join(folder, name), text);
  return folder;
}

function runVitest(folder: string, flags: readonly string[]) {
  const env = { ...process.env, NO_COLOR: '1' };
  const given = [path.join(vitest, 'vitest.mjs'), 'run', ...flags];
  return spawnSync(process.execPath, given, { cwd: folder, encoding: 'utf8', env });
}

const page = await readFile(path.join(root, 'docs', 'ci.md'), 'utf8');
/** The test file in the documentation. */
const [, documented = ''] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];

const jsonLines = (all: readonly object[]) => all.map((row) => JSON.stringify(row)).join('\n');
const config = { dataset: 'golden.jsonl', targets: [target], gate: { failUnder: 70 } };
const cwd = await layOut({
  'golden.jsonl': jsonLines(rows),
  'answered.jsonl': jsonLines(rows.slice(0, 2)),
  'flaky.jsonl': jsonLines([rows[0] ?? {}, flaky, watched]),
  'touchstone.config.json': JSON.stringify(config),
  'file.test.js': documented,
  'flaky.test.js': testFile({ dataset: 'flaky.jsonl', attempts: 2 }),
  'unread.jsonl': jsonLines([{ ...rows[0], min_citations: 2 }]),
  'unread.test.js': testFile({ dataset: 'unread.jsonl' }),
  'unread-gate.test.js': testFile({ dataset: 'unread.jsonl' }, { failOn: 'gate' }),
  'unread-gated.test.js': testFile({ dataset: 'unread.jsonl', gate: { failUnder: 50 } }, { failOn: 'gate' }),
  'gate.test.js': testFile({ dataset: 'answered.jsonl', gate: { failUnder: 50 } }, { failOn: 'gate' }),
  'broken.test.js': testFile({ dataset: 'nowhere.jsonl' }),
});
const ended = runVitest(cwd, ['--reporter=json', '--outputFile=out.json', '--no-file-parallelism']);
const report: {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
} = JSON.parse(await readFile(path.join(cwd, 'out.json'), 'utf8'));

/** Returns name, status and messages of the tests of a file. */
function testsOf(file: string): [string, string, ...string[]][] {
  const found = report.testResults.find(({ name }) => path.basename(name) === file);
  return (found?.assertionResults ?? []).map(({ fullName, status, failureMessages }) => [
    fullName,
    status,
    ...failureMessages,
  ]);
}

test('every case is a test with its id and question; wrong answers, broken targets and the gate fail differently', () => {
  expect(ended.status).toBe(1);
  expect(testsOf('file.test.js')).toEqual([
    ['golden questions painter grass: Which colour has the grass?', 'passed'],
    [
      'golden questions painter sea: Which colour has the sea?',
      'failed',
      expect.stringMatching(/^Failed: 60\.0 D: said "It is grey\."; .*blue/),
    ],
    [
      'golden questions painter roof: Which colour has the roof?',
      'failed',
      expect.stringMatching(/^TargetError: target-threw: .*the index is ␛\[31mgone/),
    ],
    ['golden questions gate', 'failed', expect.stringMatching(/^GateNotMeasured: painter: 1 of 3 attempts/)],
  ]);
});

test('the gate decides as `touchstone run` does', async () => {
  const { code, stdout } = await touchstone(['run', '--json'], { cwd });
  const { outcome, reasons } = JSON.parse(stdout).summary.decision;
  expect({ code, outcome }).toEqual({ code: 2, outcome: 'not-measured' });
  expect(testsOf('file.test.js').at(-1)?.[2]).toBe(`GateNotMeasured: ${reasons.join('; ')}`);
});

test('the attempts at a case are one test that counts the passes; a watched case cannot fail', () => {
  const tests = testsOf('flaky.test.js');
  expect(tests.map(([, status]) => status)).toEqual(['passed', 'failed', 'skipped', 'passed']);
  expect(tests[1]?.[2]).toMatch(/^Failed: 1 of 2 attempts passed; 60\.0 D: /);
});

test('a column that nothing reads keeps the gate from passing, with a gate and without one, and is named where only a gate may fail', () => {
  const clause = 'the column "min_citations" of 1 question is read by no metric';
  expect(testsOf('unread.test.js')).toEqual([
    ['golden questions painter grass: Which colour has the grass?', 'passed'],
    ['golden questions gate', 'failed', `GateNotMeasured: ${clause}`],
  ]);
  expect(testsOf('unread-gated.test.js').at(-1)).toEqual([
    'golden questions gate',
    'failed',
    `GateNotMeasured: ${clause}; painter: 100.0 % is at least 50 %`,
  ]);
  expect(testsOf('unread-gate.test.js').map(([, status]) => status)).toEqual(['passed', 'skipped']);
});

test('a wrong answer is skipped when only the gate may fail the build', () => {
  expect(testsOf('gate.test.js').map(([, status]) => status)).toEqual(['passed', 'skipped', 'passed']);
});

test('a faulty config is reported before any call', () => {
  expect(testsOf('broken.test.js')).toEqual([]);
  const { message = '' } = report.testResults.find(({ name }) => name.endsWith('broken.test.js')) ?? {};
  expect(message).toContain('nowhere.jsonl');
});

test('with a certificate the gate decides by what people would say, and names both numbers', async () => {
  const judged = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', name: 'bot', path: 'judged.mjs', toolCalls: 'none' }],
    judge: {
      use: 'scripted-judge',
      rules: [
        { part: 'answer', when: 'smooth', reply: { reason: 'So.', verdict: 'yes' } },
        { reply: { reason: 'Not so.', verdict: 'no' } },
      ],
    },
    metrics: [
      { use: 'rubric', name: 'helps the user', shape: 'verdict', text: 'The answer helps the user.' },
    ],
    scorecard: { use: 'weighted', criteria: [{ metric: 'helps the user', weight: 1 }] },
    gate: { minCoverage: 1, failUnder: 70, judge: { certified: 'require' } },
  };
  // People say that 55 % of the answers are good, the judge 75 %.
  const answers = `export default (question) => {
    const place = Number(/\\d+/.exec(question)[0]) % 20;
    const isGood = place < 11;
    return (isGood ? 'good ' : 'bad ') + (isGood || place >= 16 ? 'smooth ' : 'plain ') + question;
  };`;
  const folder = await layOut({
    'judged.mjs': answers,
    'golden.jsonl': jsonLines(
      Array.from({ length: 200 }, (_, index) => ({ question: `Question ${index}?` })),
    ),
    'touchstone.config.json': JSON.stringify(judged),
    'certified.test.js': `import { defineGoldenTests } from 'touchstone-evals/vitest';
await defineGoldenTests('touchstone.config.json', { failOn: 'gate' });\n`,
  });
  await touchstone(['run'], { cwd: folder });
  const store = openSqliteStore(path.join(folder, '.touchstone', 'touchstone.db'));
  await labelRun(store);
  await store.close();
  expect((await touchstone(['calibrate', '--rubric', 'helps'], { cwd: folder })).code).toBe(0);
  const { stdout, stderr } = runVitest(folder, []);
  expect(`${stdout}${stderr}`).toContain(
    'GateFailed: bot: the score is under 70 % with 95 % confidence (corrected; as the judge says, it is 75.0 %)',
  );
});
