import type { Judgement } from '../../src/core/schema/judgement.ts';
import type { Result } from '../../src/core/schema/result.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { summarizeRun } from '../../src/evaluate/run/summarize.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildRun } from '../../src/library/testing/build-records.ts';
import { storeToolRun } from './tool-records.ts';

/** The verdict of a judge on one case: its samples, true for a yes; null for a judge that failed. */
export type JudgeVerdict = readonly (boolean | null)[];

/** A judge of test runs, with its verdicts case by case. */
export interface TestJudge {
  readonly name: string;
  readonly verdicts: readonly JudgeVerdict[];
}

/** Stores a run of answers that the first judge judged, and a run for each other judge that scores the same answers again. */
export async function storeJudgedRuns(
  judges: readonly TestJudge[],
  store: Store = createMemoryStore(),
): Promise<{ store: Store; runs: string[] }> {
  const [first, ...others] = judges;
  if (first === undefined) return { store, runs: [] };
  const cases = first.verdicts.map((verdict, index) => ({
    id: `question ${index}`,
    expected: [],
    answers: { bot: { calls: [], verdicts: verdictsOf(verdict, index, first.name) } },
  }));
  const { run, results } = await storeToolRun(cases, buildRun().targets, {
    store,
    id: 'run-0',
    createdAt: '2026-01-01T00:00:00.000Z',
    metrics: metricsOf(first),
    scorecard: null,
  });
  await finish(run, store, first);
  const again = others.map(async (judge, place) => {
    const id = `run-${place + 1}`;
    const rescored: Run = {
      ...run,
      id,
      createdAt: `2026-01-0${place + 2}T00:00:00.000Z`,
      rescoredFrom: run.id,
      metrics: metricsOf(judge),
    };
    await store.createRun(rescored, { trialsOf: run.id });
    const scored = results.map((result: Result, index) => ({
      ...result,
      verdicts: verdictsOf(judge.verdicts[index] ?? [], index, judge.name),
    }));
    await store.addScores(id, scored);
    await finish(rescored, store, judge);
  });
  await Promise.all(again);
  return { store, runs: judges.map((_, place) => `run-${place}`) };
}

function metricsOf({ name }: TestJudge): Run['metrics'] {
  const judge = { name, fingerprint: fingerprintOf(name) };
  return [
    {
      name: 'correctness',
      use: { use: 'correctness' },
      version: 1,
      fingerprint: name,
      family: 'judged',
      aspect: 'correct-answer',
      judge,
    },
    {
      name: 'keywords',
      use: { use: 'keywords' },
      version: 1,
      fingerprint: 'k',
      family: 'content',
      aspect: null,
    },
  ];
}

/** Returns the fingerprint of a judge of test runs. */
export function fingerprintOf(name: string): string {
  return Buffer.from(name).toString('hex').padEnd(16, '0').slice(0, 16);
}

function verdictsOf(samples: JudgeVerdict, index: number, judge: string): Result['verdicts'] {
  const keywords = { status: 'scored', value: 1 } as const;
  const judgements = [`${judge} ${index}`];
  const known = samples.filter((sample) => sample !== null);
  const [said] = known;
  if (said === undefined) {
    return {
      keywords,
      correctness: { status: 'failed', code: 'judge-unparsable', reason: 'no verdict', judgements },
    };
  }
  const value = Number(said);
  const repeated = known.map((sample) => ({ value: Number(sample), passed: sample }));
  return {
    keywords,
    correctness: {
      status: 'scored',
      value,
      passed: said,
      judgements,
      ...(repeated.length > 1 && { samples: repeated }),
    },
  };
}

async function finish(run: Run, store: Store, judge: TestJudge): Promise<void> {
  await store.addJudgements(
    run.id,
    judge.verdicts.map(([said = null], index) => toJudgement(run.id, { judge: judge.name, index, said })),
  );
  await store.updateRun({ ...run, summary: await summarizeRun(run, store) });
}

function toJudgement(
  askedIn: string,
  { judge, index, said }: { judge: string; index: number; said: boolean | null },
): Judgement {
  return {
    id: `${judge} ${index}`,
    key: `${judge} ${index}`,
    judge: { name: judge, fingerprint: fingerprintOf(judge) },
    question: { id: 'correctness@2', shape: 'verdict', sample: 1 },
    askedIn,
    askedAt: '2026-01-02T03:04:05.678Z',
    outcome:
      said === null
        ? { status: 'failed', code: 'judge-unparsable', reason: 'the reply is not JSON' }
        : { status: 'answered', answer: { reason: 'It is.', verdict: said ? 'yes' : 'no' } },
    calls: [
      {
        id: `call ${judge} ${index}`,
        startedAt: '2026-01-02T03:04:05.678Z',
        prompt: [{ role: 'user', content: 'Is it right?' }],
        parameters: {},
        model: `${judge}-model`,
        reply: said === null ? 'Well…' : '{}',
        cost: 0.01,
        latencyMs: 100 + index,
        attempts: [],
      },
    ],
  };
}
