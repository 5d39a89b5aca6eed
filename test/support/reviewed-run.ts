import type { Result } from '../../src/core/schema/result.ts';
import { exchange } from '../../src/core/schema/trial.ts';
import type { Run } from '../../src/core/schema/run.ts';
import type { Store } from '../../src/stores/store.ts';
import {
  buildCase,
  buildFailedTrial,
  buildRun,
  buildTrial,
} from '../../src/library/testing/build-records.ts';

/** The numbers of the answers of a run that a judge of politeness passed, failed, did not assess, and of failed trials. */
export interface JudgedAnswers {
  readonly passed: number;
  readonly failed: number;
  readonly unjudged?: number;
  readonly errors?: number;
  /** Returns the answer at a position; `answer 0` and so on by default. */
  readonly answerOf?: (position: number) => string;
}

/** Stores a run whose answers have verdicts of the metric `politeness`, in this order, and categories `a`, `b` in turns. */
export async function storeReviewedRun(
  store: Store,
  { passed, failed, unjudged = 0, errors = 0, answerOf }: JudgedAnswers,
  id = buildRun().id,
): Promise<Run> {
  const cases = passed + failed + unjudged + errors;
  const politeness = {
    name: 'politeness',
    use: { use: 'politeness' },
    version: 1,
    fingerprint: '4'.repeat(32),
  };
  const run = buildRun({
    id,
    status: 'completed',
    dataset: { sources: ['golden.jsonl'], cases, hash: '2'.repeat(32) },
    metrics: [...buildRun().metrics, politeness],
  });
  await store.createRun(run);
  const results = Array.from({ length: cases }, (_, position): Result => {
    const verdict = position < passed ? 1 : 0;
    const input = `question ${position}`;
    const testCase = buildCase({
      id: `case ${position}`,
      input,
      category: position % 2 === 0 ? 'a' : 'b',
      context: 'for reviewers',
      expected: { answer: 'politely' },
    });
    const place = {
      key: position.toString(16).padStart(32, '0'),
      ordinal: position,
      caseId: testCase.id,
      caseHash: position.toString(16).padStart(32, '1'),
    };
    const answer = answerOf?.(position) ?? `answer ${position}`;
    return {
      case: testCase,
      trial:
        position < passed + failed + unjudged
          ? buildTrial(answer, { ...place, transcript: exchange(input, answer, []) })
          : buildFailedTrial('timeout', 'late', { ...place, transcript: exchange(input, null, []) }),
      verdicts:
        position < passed + failed
          ? {
              politeness: {
                status: 'scored',
                value: verdict,
                passed: verdict === 1,
                explanation: 'judged so',
              },
            }
          : { politeness: { status: 'failed', code: 'judge-timeout', reason: 'late' } },
      scorecard: null,
    };
  });
  await store.addCases(
    run.id,
    results.map(({ case: testCase, trial }, position) => ({
      position,
      hash: trial.caseHash,
      place: `golden.jsonl:${position + 1}`,
      case: testCase,
    })),
  );
  await store.addTrials(run.id, results);
  await store.addScores(run.id, results);
  return run;
}
