import type { Case } from '../../src/core/schema/case.ts';
import type { Result } from '../../src/core/schema/result.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { exchange } from '../../src/core/schema/trial.ts';
import type { Store } from '../../src/stores/store.ts';
import {
  buildCase,
  buildFailedTrial,
  buildRun,
  buildTrial,
} from '../../src/library/testing/build-records.ts';

/** The answers of targets by case; null for a trial that failed. */
export type AnswersOfTargets = Readonly<Record<string, readonly (string | null)[]>>;

/** The parts of a run whose targets answered the same questions. */
export interface PairedRunParts {
  readonly id?: string;
  readonly answers: AnswersOfTargets;
  /** Returns the question of a case; `question 3?` by default. */
  readonly questionOf?: (position: number) => string;
  readonly parts?: Partial<Case>;
}

/** Stores a finished run whose targets gave these answers to the cases `q0`, `q1`, …, and returns it. */
export async function storePairedRun(
  store: Store,
  { id = 'run-1', answers, questionOf = (position) => `question ${position}?`, parts = {} }: PairedRunParts,
): Promise<Run> {
  const names = Object.keys(answers);
  const count = Math.max(...Object.values(answers).map(({ length }) => length));
  const run = buildRun({
    id,
    status: 'completed',
    dataset: { sources: ['golden.jsonl'], cases: count, hash: 'd'.repeat(32) },
    targets: names.map((name, index) => ({
      name,
      use: { use: 'module' },
      fingerprint: `${index}`.repeat(32),
    })),
    metrics: [],
  });
  await store.createRun(run);
  const cases = Array.from({ length: count }, (_, position) =>
    buildCase({ id: `q${position}`, input: questionOf(position), ...parts }),
  );
  const hashOf = (position: number) => position.toString(16).padStart(32, 'a');
  await store.addCases(
    id,
    cases.map((testCase, position) => ({
      position,
      hash: hashOf(position),
      place: `golden.jsonl:${position + 1}`,
      case: testCase,
    })),
  );
  const results = cases.flatMap((testCase, position) =>
    names.map((target, place): Result => {
      const ordinal = position * names.length + place;
      const answer = answers[target]?.[position] ?? null;
      const input = questionOf(position);
      const known = {
        key: `${id} ${ordinal}`,
        caseId: testCase.id,
        caseHash: hashOf(position),
        target,
        ordinal,
        transcript: exchange(input, answer, []),
      };
      const trial = answer === null ? buildFailedTrial('timeout', 'late', known) : buildTrial(answer, known);
      return { case: testCase, trial, verdicts: {}, scorecard: null };
    }),
  );
  await store.addTrials(id, results);
  await store.addScores(id, results);
  return run;
}
