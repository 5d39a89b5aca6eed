import { summarizeRun } from '../../src/evaluate/run/summarize.ts';
import { buildRun } from '../../src/library/testing/build-records.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildCaseStore } from './build-case-store.ts';
import { runScores } from './gated-run.ts';
import { type JudgeVerdict, storeJudgedRuns } from './judged-runs.ts';
import { storeToolRun, type ToolCase } from './tool-records.ts';

/** The ids of the runs of {@link buildWholeStore}. */
export const wholeStore = {
  /** Two runs of the same 120 cases with two targets, two attempts and a judge. */
  cases: '20260102-030405-abcd',
  before: '20260101-000000-aaaa',
  /** A run of two targets with tool calls. */
  tools: 'with-tools',
} as const;

/** Builds a store in which every page of the dashboard has something to show and to do. Its newest run has a gate, which fails. */
export async function buildWholeStore(): Promise<{ readonly store: Store; readonly gated: string }> {
  const store = await buildCaseStore();
  for (const id of [wholeStore.cases, wholeStore.before]) await addSummary(store, id);
  await storeToolRun(toolCases, targets, { store, id: wholeStore.tools });
  await addSummary(store, wholeStore.tools);
  await storeJudgedRuns(
    [
      { name: 'strict', verdicts: say('yynnnyyff?') },
      { name: 'mild', verdicts: say('yyyynyyyyy') },
    ],
    store,
  );
  const scores = Array.from({ length: 20 }, (_, index) => ({ scores: [index % 4 === 0 ? 0.2 : 1] }));
  const { run } = await runScores(scores, { store, gate: { failUnder: 95 } });
  return { store, gated: run.id };
}

async function addSummary(store: Store, id: string): Promise<void> {
  const run = await store.readRun(id);
  if (run !== undefined) await store.updateRun({ ...run, summary: await summarizeRun(run, store) });
}

function say(text: string): JudgeVerdict[] {
  return Array.from(text, (sign) =>
    sign === 'f' ? [true, false, true] : [sign === '?' ? null : sign === 'y'],
  );
}

const [bot = { name: 'bot', use: { use: 'module' }, fingerprint: 'b' }] = buildRun().targets;
const targets = [
  { ...bot, name: 'bot' },
  { ...bot, name: 'other' },
];

const toolCases = Array.from({ length: 12 }, (_, index): ToolCase => {
  const books = index % 3 !== 0;
  const answer = {
    calls: books ? ['search', 'book'] : ['search'],
    passed: books,
    latencyMs: 200 + 40 * index,
  };
  return {
    id: `trip ${index}`,
    expected: ['search', 'book'],
    answers: { bot: answer, other: { ...answer, calls: ['search', 'book'] } },
  };
});
