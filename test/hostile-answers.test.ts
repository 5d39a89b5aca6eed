import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Result } from '../src/core/schema/result.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { readLatestResults } from './stored-run.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const root = await temporaryFolder();

/** Runs a config and returns how it ended, with the verdicts of each case by metric. */
async function verdictsOf(name: string, config: object, cases: readonly object[], bot: string) {
  const folder = path.join(root, name);
  await mkdir(folder);
  const files = {
    'bot.mjs': bot,
    'golden.jsonl': cases.map((each) => `${JSON.stringify(each)}\n`).join(''),
    'touchstone.config.json': JSON.stringify({
      dataset: 'golden.jsonl',
      targets: [{ use: 'module', name: 'bot', path: 'bot.mjs' }],
      ...config,
    }),
  };
  for (const [file, content] of Object.entries(files)) await writeFile(path.join(folder, file), content);
  const ended = await touchstone(['run'], { cwd: folder });
  return { folder, ended, results: await readLatestResults(folder) };
}

/** Returns the outcome of each metric of a case: `scored`, or the reason why not. */
function outcomesOf(results: readonly Result[], id: string): Record<string, string> {
  const { verdicts = {} } = results.find((result) => result.case.id === id) ?? {};
  return Object.fromEntries(
    Object.entries(verdicts).map(([metric, verdict]) => [
      metric,
      verdict.status === 'failed' ? verdict.code : verdict.status,
    ]),
  );
}

test('patterns that would never finish on one answer are abandoned, and the other answers are measured', async () => {
  const { ended, results } = await verdictsOf(
    'patterns',
    {
      metrics: [
        { use: 'check', path: 'trial.answer', regex: '^"(a+)+"$' },
        { use: 'json-schema', schema: { type: 'string', pattern: '^(a+)+$' } },
        'answer-length',
      ],
    },
    ['hostile', 'kind'].map((id) => ({ id, question: id })),
    `export default (input) => {
      const text = 'a'.repeat(40) + (input.includes('hostile') ? '!' : '');
      return { answer: JSON.stringify(text) };
    };`,
  );
  expect(ended.code).toBe(2);
  expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain('could not be measured once');
  expect(outcomesOf(results, 'hostile')).toMatchObject({
    check: 'pattern-too-slow',
    'json-schema': 'pattern-too-slow',
    'answer-length': 'scored',
  });
  expect(outcomesOf(results, 'kind')).toMatchObject({ check: 'scored', 'json-schema': 'scored' });
});

test.skipIf(!isReleaseTested)(
  'a run with answers and sources of 400 kB finishes and is exported, whatever they contain (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const units = ['www.', 'a b ', '1,204 ', 'Na1 of '];
    const { folder, ended, results } = await verdictsOf(
      'long',
      {
        metrics: [
          'supported-facts',
          'rouge',
          'edit-similarity',
          'numeric-match',
          'date-match',
          'answer-match',
        ],
      },
      units.map((unit) => ({
        id: unit,
        question: unit,
        expected_answer: `${unit}x`.repeat(400_000 / unit.length),
      })),
      `export default (input) => {
      const text = input.repeat(400_000 / input.length);
      return { answer: text + 'y', documents: [{ id: 'd', text }], toolCalls: [{ name: 'look', result: text.slice(1) }] };
    };`,
    );
    expect(ended.code).toBe(0);
    expect(results).toHaveLength(units.length);
    const outcomes = units.flatMap((unit) => Object.values(outcomesOf(results, unit)));
    expect(new Set(outcomes)).toEqual(new Set(['scored', 'not-applicable', 'too-long']));
    expect(outcomesOf(results, 'a b ')).toMatchObject({ rouge: 'too-long', 'edit-similarity': 'too-long' });
    const { code, stdout } = await touchstone(['export'], { cwd: folder });
    expect(code).toBe(0);
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const answers = records.flatMap(({ type, result }) => (type === 'result' ? [result.trial.answer] : []));
    expect(answers).toEqual(results.map(({ trial }) => trial.answer));
  },
);
