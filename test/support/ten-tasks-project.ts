import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { summarizeRun } from '../../src/evaluate/run/summarize.ts';
import { buildCase, buildRun, buildTrial } from '../../src/library/testing/build-records.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.ts';
import type { Store } from '../../src/stores/store.ts';
import { temporaryFolder, touchstone } from '../run-cli.ts';

const questions = 40;

/** The numbers of the questions that a version gets wrong; v3 gets some wrong because it does not look the fee up. */
const wrong = {
  v1: (number: number) => number % 4 === 0,
  v2: (number: number) => number % 3 !== 1,
  v3: (number: number) => number % 5 === 0 || number % 7 === 3,
} as const;

const bot = (version: keyof typeof wrong) => `const wrong = ${wrong[version].toString()};
export default async function (question) {
  const number = Number(/number (\\d+)/.exec(question)[1]);
  const toolCalls = ${version === 'v3' ? 'number % 7 === 3 ? [] : ' : ''}[{ name: 'look_up', arguments: { number } }];
  return { answer: wrong(number) ? 'I do not know.' : 'The fee is ' + number + '0 euros.', toolCalls };
}
`;

/** The day since which `groundedness` is lower. */
export const dayOfFall = '2026-02-07';

/**
 * Creates a project for the ten tasks of somebody who works with the pages: three versions of a bot, 40 questions, a run of them, and
 * ten runs of earlier days, in which the metric `groundedness` falls on {@link dayOfFall}.
 */
export async function writeTenTasksProject(): Promise<{ readonly folder: string; readonly run: string }> {
  const folder = await temporaryFolder();
  const rows = Array.from({ length: questions }, (_, number) =>
    JSON.stringify({
      id: `fee-${number}`,
      question: `Which fee is due for number ${number}?`,
      expected_answer: `${number}0 euros`,
      expected_tools: ['look_up'],
    }),
  );
  await writeFile(path.join(folder, 'golden.jsonl'), `${rows.join('\n')}\n`);
  const versions = ['v1', 'v2', 'v3'] as const;
  for (const version of versions) await writeFile(path.join(folder, `${version}.mjs`), bot(version));
  const targets = versions.map((name) => `  - { use: module, path: ${name}.mjs, name: ${name} }\n`).join('');
  await writeFile(path.join(folder, 'touchstone.config.yaml'), `dataset: golden.jsonl\ntargets:\n${targets}`);
  await mkdir(path.join(folder, '.touchstone'), { recursive: true });
  const store = openSqliteStore(path.join(folder, '.touchstone', 'touchstone.db'));
  for (let day = 1; day <= 10; day += 1) await addPastRun(store, day);
  await store.close();
  const { stdout, stderr } = await touchstone(['run'], { cwd: folder });
  return { folder, run: /\d{8}-\d{6}-\w{4}/.exec(stdout + stderr)?.[0] ?? 'latest' };
}

/** Adds the run of a day in February 2026. */
async function addPastRun(store: Store, day: number): Promise<void> {
  const date = `2026-02-${String(day).padStart(2, '0')}`;
  const id = `${date.replaceAll('-', '')}-090000-aaaa`;
  const hash = (position: number) => String(position).padStart(32, '0');
  const cases = Array.from({ length: questions }, (_, position) => buildCase({ id: `past-${position}` }));
  const run = buildRun({
    id,
    status: 'completed',
    createdAt: `${date}T09:00:00.000Z`,
    dataset: { sources: ['past.jsonl'], cases: questions, hash: '2'.repeat(32) },
    targets: [{ name: 'v0', use: { use: 'module' }, fingerprint: String(day).padStart(32, '0') }],
    metrics: [
      { name: 'groundedness', use: { use: 'groundedness' }, version: 1, fingerprint: '4'.repeat(32) },
    ],
    scorecard: { name: 's', use: { use: 's' }, version: 1, criteria: [], grades: [], passMark: 0.6 },
  });
  const results = cases.map((testCase, position) => {
    const value = date >= dayOfFall && position % 3 !== 0 ? 0 : 1;
    const place = { ordinal: position, key: hash(position), caseId: testCase.id, caseHash: hash(position) };
    return {
      case: testCase,
      trial: buildTrial('It is.', { ...place, target: 'v0' }),
      verdicts: { groundedness: { status: 'scored' as const, value } },
      scorecard: {
        total: value,
        lower: value,
        upper: value,
        grade: null,
        passed: value > 0,
        explanation: '',
      },
    };
  });
  await store.createRun(run);
  const planned = cases.map((testCase, position) => {
    return { position, hash: hash(position), place: `past.jsonl:${position + 1}`, case: testCase };
  });
  await store.addCases(id, planned);
  await store.addTrials(id, results);
  await store.addScores(id, results);
  await store.updateRun({ ...run, summary: await summarizeRun(run, store) });
}
